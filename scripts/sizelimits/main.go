// Sizelimits fails if a package or a type is too large to be taken in. It takes the names of Go files, relative to the
// root of the module.
//
//   - A folder has at most 50 files of Go, and they have at most 6,000 lines of code: lines that hold more than a
//     comment. Files of tests don't count, and generated ones only as files. A folder may be exempt.
//   - A struct has at most 15 fields, or what the table of narrower limits says. An embedded one is one field.
//   - A type has at most 40 methods, in all files of its folder together.
//
// The limits of types hold for what the program consists of, not for tests and what measures it.
package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	mostFiles   = 50
	mostCode    = 6000 // lines
	mostFields  = 15
	mostMethods = 40
)

// exemptFolders may have any number of files and lines: a file for each language.
var exemptFolders = map[string]bool{"internal/syntax": true}

// narrower has the limits of structs that once had a field for everything.
var narrower = map[string]int{"lsp.Server": 12, "lsp.service": 12}

func main() {
	sizes := newSizes()
	for _, name := range os.Args[1:] {
		if err := sizes.addFile(name); err != nil {
			fmt.Fprintln(os.Stderr, "sizelimits:", err)
			os.Exit(1)
		}
	}
	exceeded := sizes.exceeded()
	for _, line := range exceeded {
		fmt.Println(line)
	}
	if len(exceeded) > 0 {
		os.Exit(1)
	}
}

// exceeded returns a line for each limit that does not hold, in a fixed order.
func (s *sizes) exceeded() (lines []string) {
	check := func(what string, n, most int, of string) {
		if n > most {
			lines = append(lines, fmt.Sprintf("%s: %d %s, at most %d", what, n, of, most))
		}
	}
	for folder, f := range s.folders {
		if !exemptFolders[folder] {
			check(folder, f.files, mostFiles, "files")
			check(folder, f.code, mostCode, "lines of code")
		}
	}
	for _, t := range s.structs {
		check(t.place+": "+t.name, t.fields, cmp.Or(narrower[t.name], mostFields), "fields")
	}
	for name, methods := range s.methods {
		check(name, len(methods), mostMethods, "methods")
	}
	for name := range narrower {
		if !slices.ContainsFunc(s.structs, func(t structType) bool { return t.name == name }) {
			lines = append(lines, name+": the table of narrower limits names a struct that does not exist")
		}
	}
	slices.Sort(lines)
	return lines
}

// ships reports whether the program consists of a folder's code.
func ships(folder string) bool {
	top, _, _ := strings.Cut(folder, "/")
	return !slices.Contains([]string{"bench", "docs", "e2e", "release", "scripts"}, top) &&
		!slices.ContainsFunc(strings.Split(folder, "/"), func(s string) bool { return strings.HasSuffix(s, "test") })
}

// counts reports whether a file counts as one of its folder's.
func counts(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.Contains("/"+path.Dir(name)+"/", "/testdata/")
}
