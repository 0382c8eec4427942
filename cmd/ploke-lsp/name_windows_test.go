package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// giveName returns the path of a copy of a program, since not every user may make links.
func giveName(t *testing.T, program, name string) (path string, err error) {
	path = filepath.Join(t.TempDir(), name+".exe")
	from, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return path, errors.Join(err, to.Close())
}
