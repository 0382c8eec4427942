package compiler

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// serversVariable is the environment variable with the folder of the servers of others.
const serversVariable = "PLOKE_TEST_SERVERS"

// TestGopls asks the real server: about what is on disk, then typed, then changed on disk, then removed.
func TestGopls(t *testing.T) {
	t.Parallel()
	program := testbed.File(t, "gopls", filepath.Join(os.Getenv(serversVariable), "bin", "gopls"))
	f := serve(t, []string{program}, map[string]string{
		"go.mod": "module a\n\ngo 1.24\n",
		"a.go": "package a\n\ntype Shape interface{ Area() int }\n\ntype Square struct{ side int }\n\n" +
			"func (s Square) Area() int { return s.side * s.side }\n\nfunc /* 🙂 */ Sum(s Shape) int { return /* 🙂🙂 */ s.Area() }\n",
		"b/b.go": "package b\n\nimport \"a\"\n\ntype other struct{}\n\nfunc (other) Area() {}\n\n" +
			"func use() int { other{}.Area(); return a.Square{}.Area() }\n"}, nil)
	check := func(what string, ask func() (*Answer, error), want ...string) {
		t.Helper()
		answer, err := ask()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var got []string
		for _, p := range answer.Places {
			file, err := f.ws.Read(t.Context(), p.Path)
			if err != nil || file.Hash != p.Hash {
				t.Fatalf("%s: %v, and the hashes are %s and %s", what, err, file.Hash, p.Hash)
			}
			before := string(file.Text[:p.Start])
			got = append(got, f.ws.Rel(p.Path)+": "+before[strings.LastIndexByte(before, '\n')+1:]+"|"+string(file.Text[p.Start:p.End]))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || answer.Readiness != Complete || !strings.HasPrefix(answer.Source, "gopls v0.") {
			t.Errorf("%s: %s (%s, %v) says %q, want %q", what, answer.Source, answer.Readiness, answer.Took, got, want)
		}
		t.Logf("%s: %v", what, answer.Took)
	}
	method := func() (*Answer, error) { return f.References(t.Context(), f.at(t, "a.go", "Area() int {")) }
	inSum := "a.go: func /* 🙂 */ Sum(s Shape) int { return /* 🙂🙂 */ s.|Area"
	inUse := "b/b.go: func use() int { other{}.Area(); return a.Square{}.|Area"
	check("references", method, inSum, inUse)
	check("implementations", func() (*Answer, error) {
		return f.Implementations(t.Context(), f.at(t, "a.go", "Shape interface"))
	}, "a.go: type |Square")
	check("definition", func() (*Answer, error) { return f.Definition(t.Context(), f.at(t, "b/b.go", "Square{}")) }, "a.go: type |Square")
	check("rename", func() (*Answer, error) { return f.Rename(t.Context(), f.at(t, "a.go", "Area() int }"), "Size") },
		inSum, "a.go: type Shape interface{ |Area")
	typed := filepath.Join(f.root, "b", "b.go")
	f.ws.SetBuffer(typed, 2, []byte("package b\n\nimport \"a\"\n\nvar x = a.Square{}.Area() + a.Square{}.Area()\n"))
	check("typed", method, inSum, "b/b.go: var x = a.Square{}.Area() + a.Square{}.|Area", "b/b.go: var x = a.Square{}.|Area")
	f.ws.CloseBuffer(typed)
	check("closed", method, inSum, inUse)
	f.write(t, "b/c.go", "package b\n\nimport \"a\"\n\nvar y = a.Square{}.Area()\n")
	check("a new file", method, inSum, inUse, "b/c.go: var y = a.Square{}.|Area")
	f.write(t, "other.go", "//go:build never\n\npackage a\n\nfunc elsewhere() {}\n")
	if answer, err := f.References(t.Context(), f.at(t, "other.go", "elsewhere")); !errors.Is(err, ErrRefused) {
		t.Errorf("a file of no build: %v, %v", answer, err)
	}
	if err := os.Remove(typed); err != nil {
		t.Fatal(err)
	}
	check("a removed file", method, inSum, "b/c.go: var y = a.Square{}.|Area")
}

// TestPyright asks a server that says only in its log when it knows the files. An answer before that is not complete.
func TestPyright(t *testing.T) {
	t.Parallel()
	program := testbed.File(t, "pyright", filepath.Join(os.Getenv(serversVariable), "npm", "node_modules", ".bin", "pyright-langserver"))
	const use = "from a import square\n\nprint('é🙂', square(2))\n"
	f := serve(t, []string{program, "--stdio"}, map[string]string{"a.py": "def square(x):\n    return x * x\n", "b.py": use}, nil)
	complete := func(files ...string) {
		t.Helper()
		var answer *Answer
		var err error
		testbed.EventuallyWithin(t, time.Minute, func() bool {
			if answer, err = f.References(t.Context(), f.at(t, "a.py", "square")); err != nil {
				t.Fatal(err)
			}
			return answer.Readiness == Complete
		}, func() string { return fmt.Sprint(*answer) })
		for _, name := range files {
			at, call := f.at(t, name, "square(2)"), len("square")
			if !slices.ContainsFunc(answer.Places, func(p Place) bool {
				return p.Path == at.Path && p.Start == at.Offset && p.End == at.Offset+call
			}) {
				t.Errorf("%s has no use in %s: %v", answer.Source, name, answer.Places)
			}
		}
	}
	complete("b.py")
	f.write(t, "c.py", use)
	complete("b.py", "c.py")
}
