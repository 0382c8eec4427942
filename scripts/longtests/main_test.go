package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestList(t *testing.T) {
	const tree = `
-- go.mod --
module example
-- a/a_test.go --
package a

func TestCounts(t *testing.T)  { testbed.Count(2, 1) }
func TestThrough(t *testing.T) { helper() }
func helper()                  { again(); testbed.Size(2, 1) }
func again()                   { helper() }
func TestShort(t *testing.T)   { testbed.Program(t, "git") }
func FuzzCounts(f *testing.F)  { testbed.Count(2, 1) }
-- a/plain_test.go --
//go:build !race

package a

func TestPlain(t *testing.T) {}
-- a/linux_test.go --
//go:build linux

package a

func TestLinux(t *testing.T) {}
-- b/b_test.go --
package b

func TestLong(t *testing.T)   { testbed.Long(t) }
func TestCounts(t *testing.T) { testbed.Count(2, 1) }
-- c/c_test.go --
package c

func TestNothing(t *testing.T) {}
-- other/go.mod --
module other
-- other/o_test.go --
package other

func TestOther(t *testing.T) { testbed.Long(t) }
`
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(tree)).Files {
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	names, folders, err := list(".")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"TestCounts", "TestLong", "TestPlain", "TestThrough"}; !slices.Equal(names, want) {
		t.Errorf("names: %q, want %q", names, want)
	}
	if want := []string{"a", "b"}; !slices.Equal(folders, want) {
		t.Errorf("folders: %q, want %q", folders, want)
	}
}
