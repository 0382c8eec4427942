// Linelength fails if a line of Go is longer than 120 bytes, or than 140 in a test.
//
// A line may be longer if it has what can't be broken, or what is read as a table:
//
//   - an address with ://, or a directive such as //go:generate,
//   - a part of a raw string, or the tag of a field,
//   - a row of a table: an element of a slice, an array or a map that is a value without a type of its
//     own in braces, or a literal.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

const (
	mostInCode = 120 // bytes
	mostInTest = 140
)

func main() {
	long := 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "linelength:", err)
			os.Exit(1)
		}
		most := mostInCode
		if strings.HasSuffix(path, "_test.go") {
			most = mostInTest
		}
		for _, line := range longLines(path, text, most) {
			fmt.Printf("%s:%d: a line of more than %d bytes\n", path, line, most)
			long++
		}
	}
	if long > 0 {
		os.Exit(1)
	}
}

// longLines returns the numbers of the lines that are too long.
func longLines(path string, text []byte, most int) (numbers []int) {
	var exempt map[int]bool
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimRight(line, "\r\n")) <= most || bytes.Contains(line, []byte("://")) ||
			bytes.HasPrefix(line, []byte("//go:")) {
			continue
		}
		if exempt == nil {
			exempt = exemptLines(path, text)
		}
		if !exempt[number] {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// exemptLines returns the lines of raw strings, of tags and of the rows of tables.
func exemptLines(path string, text []byte) map[int]bool {
	exempt := make(map[int]bool)
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return exempt // the compiler says why
	}
	add := func(n ast.Node) {
		for line := files.Position(n.Pos()).Line; line <= files.Position(n.End()).Line; line++ {
			exempt[line] = true
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if strings.HasPrefix(n.Value, "`") && strings.Contains(n.Value, "\n") {
				add(n)
			}
		case *ast.Field:
			if n.Tag != nil {
				add(n.Tag)
			}
		case *ast.CompositeLit:
			for _, row := range n.Elts {
				if isTable(n.Type) && isRow(row) {
					add(row)
				}
			}
		}
		return true
	})
	return exempt
}

// isTable reports whether a type in a literal is that of a slice, an array or a map.
func isTable(t ast.Expr) bool {
	switch t.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// isRow reports whether an element of a table is data.
func isRow(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		return isRow(e.Value)
	case *ast.CompositeLit:
		return e.Type == nil
	case *ast.BasicLit:
		return true
	}
	return false
}
