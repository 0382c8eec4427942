package generate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/lsp/protocol"
)

// source holds the declarations of the package lsp/protocol.
type source struct {
	types     map[string]*ast.TypeSpec
	typeDocs  map[string]string
	constants map[string]constant
	order     []string // of the constants
}

// A constant is a constant with its doc comment.
type constant struct {
	value      string // as it stands in the source
	typeName   string
	doc, group string
}

// Read reads the package in a folder.
func Read(folder string) (*Protocol, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &source{types: map[string]*ast.TypeSpec{}, typeDocs: map[string]string{}, constants: map[string]constant{}}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok {
				s.add(d)
			}
		}
	}
	return s.protocol()
}

func (s *source) add(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = spec
			s.typeDocs[spec.Name.Name] = words(d.Doc)
		case *ast.ValueSpec:
			if d.Tok == token.CONST && len(spec.Values) == 1 {
				s.addConstant(d, spec)
			}
		}
	}
}

func (s *source) addConstant(d *ast.GenDecl, spec *ast.ValueSpec) {
	c := constant{doc: cmp.Or(words(spec.Doc), words(spec.Comment))}
	if d.Lparen.IsValid() {
		c.group = words(d.Doc)
	} else {
		c.doc = words(d.Doc)
	}
	if named, ok := spec.Type.(*ast.Ident); ok {
		c.typeName = named.Name
	}
	switch v := spec.Values[0].(type) {
	case *ast.BasicLit:
		c.value = v.Value
	case *ast.BinaryExpr: // a << b
		x, _ := v.X.(*ast.BasicLit)
		y, _ := v.Y.(*ast.BasicLit)
		if x != nil && y != nil && v.Op == token.SHL {
			a, _ := strconv.Atoi(x.Value)
			b, _ := strconv.Atoi(y.Value)
			c.value = strconv.Itoa(a << b)
		}
	case *ast.CallExpr: // a conversion, as in jsonrpc2.Code(-32700)
		if minus, ok := v.Args[0].(*ast.UnaryExpr); ok {
			c.value = "-" + minus.X.(*ast.BasicLit).Value
		}
	}
	name := spec.Names[0].Name
	s.constants[name] = c
	s.order = append(s.order, name)
}

func (s *source) protocol() (*Protocol, error) {
	p := &Protocol{Version: s.constants["Version"].value, OldestVersion: s.constants["OldestVersion"].value,
		constants: map[string]string{}}
	for name, c := range s.constants {
		p.constants[name] = c.value
	}
	types := typeReader{source: s, types: map[string]*Type{}}
	for _, m := range protocol.AllMethods() {
		out, err := s.method("Method", m.Name)
		if err != nil {
			return nil, err
		}
		out.FromServer, out.Notification = m.FromServer, m.Notification
		out.Params, out.Result = types.use(m.Params), types.use(m.Result)
		p.Methods = append(p.Methods, out)
	}
	for _, c := range protocol.AllCommands() {
		out, err := s.method("Command", c.Name)
		if err != nil {
			return nil, err
		}
		out.Params, out.Result = types.use(c.Argument), types.use(c.Result)
		p.Commands = append(p.Commands, out)
	}
	types.read("Capabilities")
	if types.err != nil {
		return nil, types.err
	}
	for _, t := range types.types {
		p.Types = append(p.Types, t)
	}
	slices.SortFunc(p.Types, func(a, b *Type) int { return cmp.Compare(a.Name, b.Name) })
	for _, name := range s.order {
		if c := s.constants[name]; strings.HasPrefix(name, "Code") {
			p.Errors = append(p.Errors, Value{name, c.value, c.doc})
		}
	}
	return p, nil
}

// method returns a method by the constant that names it.
func (s *source) method(prefix, name string) (Method, error) {
	for _, constant := range s.order {
		c := s.constants[constant]
		if c.value != strconv.Quote(name) || !strings.HasPrefix(constant, prefix) {
			continue
		}
		if c.doc == "" {
			return Method{}, fmt.Errorf("the constant %s has no doc comment", constant)
		}
		return Method{Name: name, Go: strings.TrimPrefix(constant, prefix), Doc: withoutName(c.doc, constant),
			Group: c.group}, nil
	}
	return Method{}, fmt.Errorf("no constant %s… is %q", prefix, name)
}
