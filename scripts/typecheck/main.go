// Command typecheck checks the types of the module and of its tests for other platforms, also
// where no C compiler for them is at hand: what comes from C is believed.
//
//	go run ./scripts/typecheck darwin/arm64 windows/amd64
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		if err := check(platform); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", platform, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// listed is a package as go list describes it.
type listed struct {
	Dir, ImportPath, ForTest string
	Standard                 bool
	GoFiles, CgoFiles        []string
	ImportMap                map[string]string
	Module                   *struct{ Main bool }
	Error                    *struct{ Err string }
}

// check checks all packages that the module needs on a platform, dependencies first.
func check(platform string) error {
	system, architecture, _ := strings.Cut(platform, "/")
	packages, err := list(system, architecture)
	if err != nil {
		return err
	}
	c := &checker{files: token.NewFileSet(), sizes: types.SizesFor("gc", architecture),
		done: map[string]*types.Package{"unsafe": types.Unsafe}}
	ours := 0
	for _, p := range packages {
		if p.Module != nil && p.Module.Main {
			ours++
		}
		c.check(p)
	}
	if len(c.mistakes) > 0 {
		return errors.Join(c.mistakes...)
	}
	fmt.Printf("%s: the types of %d packages and tests are right\n", platform, ours)
	return nil
}

func list(system, architecture string) ([]listed, error) {
	command := exec.Command("go", "list", "-deps", "-test", "-e",
		"-json=Dir,ImportPath,ForTest,Standard,GoFiles,CgoFiles,ImportMap,Module,Error", "./...")
	command.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS="+system, "GOARCH="+architecture)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

type checker struct {
	files    *token.FileSet
	sizes    types.Sizes
	done     map[string]*types.Package // by import path
	mistakes []error                   // in packages of the module
}

// check checks a package. Only the module's own mistakes count, and of other packages only what
// they export is looked at.
func (c *checker) check(p listed) {
	if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
		return
	}
	ours := p.Module != nil && p.Module.Main
	var parsed []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(c.files, name, nil, parser.SkipObjectResolution)
		if err != nil && ours {
			c.mistakes = append(c.mistakes, err)
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		Importer: importer{c, p.ImportMap}, Sizes: c.sizes, FakeImportC: true, IgnoreFuncBodies: !ours,
		Error: func(err error) {
			if ours {
				c.mistakes = append(c.mistakes, err)
			}
		},
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.done[p.ImportPath], _ = config.Check(path, c.files, parsed, nil) // Error has the errors
}

// importer finds what one package imports.
type importer struct {
	*checker
	renamed map[string]string // import paths that mean other packages, such as vendored ones
}

func (i importer) Import(path string) (*types.Package, error) {
	if other, ok := i.renamed[path]; ok {
		path = other
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among the dependencies", path)
}
