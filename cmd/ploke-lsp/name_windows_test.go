package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// copies are the copies of this test binary, by name. There is only one of each, since they are
// large. TestMain removes their folder.
var copies struct {
	sync.Mutex
	folder string
}

// giveName returns the path of a copy of a program, since not every user may make links.
func giveName(_ *testing.T, program, name string) (path string, err error) {
	copies.Lock()
	defer copies.Unlock()
	if copies.folder == "" {
		if copies.folder, err = os.MkdirTemp("", "ploke-test-"); err != nil {
			return "", err
		}
	}
	path = filepath.Join(copies.folder, name+".exe")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
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

func removeNames() error {
	if copies.folder == "" {
		return nil
	}
	return os.RemoveAll(copies.folder)
}
