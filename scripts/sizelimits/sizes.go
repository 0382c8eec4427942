package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"strings"
)

// sizes is what was counted in the files.
type sizes struct {
	folders map[string]*folder
	structs []structType
	methods map[string]map[string]bool // by the name of the type; systems may have a method in files of their own
}

// A folder has the files of a package.
type folder struct{ files, code int }

// A structType is a struct with a name, or the one that stands at a place in the text.
type structType struct {
	place  string // file:line
	name   string // folder.name; "a struct" without one
	fields int
}

func newSizes() *sizes {
	return &sizes{folders: make(map[string]*folder), methods: make(map[string]map[string]bool)}
}

// addFile counts a file that exists.
func (s *sizes) addFile(name string) error {
	if !counts(name) {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return s.add(name, text)
}

// add counts a text of Go.
func (s *sizes) add(name string, text []byte) error {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	in := path.Dir(name)
	if s.folders[in] == nil {
		s.folders[in] = &folder{}
	}
	s.folders[in].files++
	if ast.IsGenerated(tree) {
		return nil
	}
	s.folders[in].code += codeLines(name, text)
	if ships(in) {
		s.addTypes(in, files, tree)
	}
	return nil
}

// addTypes counts the fields and methods of a file.
func (s *sizes) addTypes(in string, files *token.FileSet, tree *ast.File) {
	names := make(map[*ast.StructType]string)
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			switch t := n.Type.(type) {
			case *ast.StructType:
				names[t] = in + "." + n.Name.Name
			case *ast.InterfaceType:
				s.addInterface(in+"."+n.Name.Name, t)
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				s.addMethod(in+"."+receiver(n.Recv.List[0].Type), n.Name.Name)
			}
		case *ast.StructType:
			p := files.Position(n.Pos())
			s.structs = append(s.structs, structType{fmt.Sprintf("%s:%d", p.Filename, p.Line),
				cmp.Or(names[n], "a struct"), n.Fields.NumFields()})
		}
		return true
	})
}

func (s *sizes) addInterface(name string, t *ast.InterfaceType) {
	for _, method := range t.Methods.List {
		for _, n := range method.Names {
			s.addMethod(name, n.Name)
		}
	}
}

func (s *sizes) addMethod(of, name string) {
	if s.methods[of] == nil {
		s.methods[of] = make(map[string]bool)
	}
	s.methods[of][name] = true
}

// receiver returns the name of the type of a method.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// codeLines returns how many lines of a text have a token.
func codeLines(name string, text []byte) int {
	file := token.NewFileSet().AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	lines := make(map[int]bool)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		for i := range 1 + strings.Count(literal, "\n") {
			lines[file.Line(pos)+i] = true
		}
	}
}
