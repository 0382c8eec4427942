// Command longtests lists the tests that do less, or nothing, with -short: those that call [Count], [Size] or [Long] of
// internal/testbed, themselves or through a function of their package, and those that are not built with the race
// detector. It prints arguments for "go test":
//
//	go test $(go run ./scripts/longtests)
//
// A test of the same name in another listed package runs, too.
//
// [Count]: ploke-lsp/internal/testbed.Count
// [Size]: ploke-lsp/internal/testbed.Size
// [Long]: ploke-lsp/internal/testbed.Long
package main

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// marks are the functions of internal/testbed whose callers are listed.
var marks = []string{"Count", "Size", "Long"}

func main() {
	names, folders, err := list(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "longtests:", err)
		os.Exit(1)
	}
	fmt.Printf("-run ^(%s)$ ./%s\n", strings.Join(names, "|"), strings.Join(folders, " ./"))
}

// list returns the names of the long tests below root, and the folders that have some, with slashes.
func list(root string) (names, folders []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || d.Name() == "node_modules" || path != root && isModule(path) {
			return filepath.SkipDir
		}
		found, err := longTests(path)
		if len(found) > 0 {
			names, folders = append(names, found...), append(folders, filepath.ToSlash(path))
		}
		return err
	})
	slices.Sort(names)
	return slices.Compact(names), folders, err
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// longTests returns the names of the long tests in a folder.
func longTests(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	functions := map[string]function{}
	for _, path := range paths {
		if err := read(path, functions); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(functions)), func(name string) bool {
		return !strings.HasPrefix(name, "Test") || !isLong(name, functions, map[string]bool{})
	}), nil
}

// A function is what matters of a function or a method of a test file.
type function struct {
	marked bool     // it calls one of marks itself, or is not built with the race detector
	names  []string // that it mentions
}

// read adds the functions of a file.
func read(path string, to map[string]function) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	plain := notWithRace(file)
	for _, decl := range file.Decls {
		declared, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := function{marked: plain}
		ast.Inspect(declared, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of, ok := n.X.(*ast.Ident)
				f.marked = f.marked || ok && of.Name == "testbed" && slices.Contains(marks, n.Sel.Name)
			case *ast.Ident:
				f.names = append(f.names, n.Name)
			}
			return true
		})
		to[declared.Name.Name] = f
	}
	return nil
}

// notWithRace reports whether a file has a constraint that the race detector does not fulfil.
func notWithRace(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			expr, err := constraint.Parse(comment.Text)
			if err == nil && !expr.Eval(func(string) bool { return true }) &&
				expr.Eval(func(tag string) bool { return tag != "race" }) {
				return true
			}
		}
	}
	return false
}

// isLong reports whether a function is marked, or mentions one that is.
func isLong(name string, functions map[string]function, seen map[string]bool) bool {
	f, ok := functions[name]
	if !ok || seen[name] {
		return false
	}
	seen[name] = true
	return f.marked || slices.ContainsFunc(f.names, func(other string) bool { return isLong(other, functions, seen) })
}
