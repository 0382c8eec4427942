//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// giveName returns the path of a link to a program.
func giveName(t *testing.T, program, name string) (string, error) {
	link := filepath.Join(t.TempDir(), name)
	return link, os.Symlink(program, link)
}

func removeNames() error { return nil }
