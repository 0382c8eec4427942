package tools_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
)

// TestCompiledRename renames where a compiler knows the places, and where it fails in some way.
func TestCompiledRename(t *testing.T) {
	const declared = "package a\n\n// area is measured.\nfunc area() int { return 1 }\n"
	const uses = "package a\n\nvar x = area() + T{area}.area()\n\nfunc elsewhere(y other) { y.area() }\n"
	const renamedDeclared = "package a\n\n// size is measured.\nfunc size() int { return 1 }\n"
	const byName = "package a\n\nvar x = size() + T{size}.area()\n\nfunc elsewhere(y other) { y.area() }\n"
	for name, tt := range map[string]struct {
		err   error
		alter func(*tools.Compiled)
		uses  string // after the rename
		note  string
	}{
		"complete": {uses: "package a\n\nvar x = size() + T{area: size}.area()\n\nfunc elsewhere(y other) { y.size() }\n",
			note: "renamed area in 5 places of 2 files, by gopls v1"},
		"loading": {alter: func(c *tools.Compiled) { c.Complete = false }, uses: byName,
			note: "found by name: gopls v1 does not say that it has read the project"},
		"an error":          {err: errors.New("it has ended"), uses: byName, note: "found by name: it has ended"},
		"refused":           {alter: func(c *tools.Compiled) { *c = tools.Compiled{Refused: "refused: x"} }, uses: byName, note: "found by name: refused: x"},
		"another text":      {alter: func(c *tools.Compiled) { c.Places[1].Hash = "0" }, uses: byName, note: "found by name: files are proposed, or have changed"},
		"outside":           {alter: func(c *tools.Compiled) { c.Places[1].Path = "/etc/passwd" }, uses: byName, note: "found by name: the language server would change files that"},
		"something else":    {alter: func(c *tools.Compiled) { c.Places[1].New = "rm" }, uses: byName, note: "found by name: the language server would change something else in b.go, line 3"},
		"at another place":  {alter: func(c *tools.Compiled) { c.Places[1].Start, c.Places[1].End = 0, 4 }, uses: byName, note: "found by name: the language server would change something else in b.go, line 1"},
		"behind the end":    {alter: func(c *tools.Compiled) { c.Places[1].End = 1 << 20 }, uses: byName, note: "found by name: files are proposed, or have changed"},
		"nothing":           {alter: func(c *tools.Compiled) { c.Places = nil }, uses: byName, note: "found by name: the language server would change nothing"},
		"it knows no files": {alter: func(c *tools.Compiled) { *c = tools.Compiled{} }, uses: byName, note: "renamed area in 4 places of 2 files;"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.go": declared, "b.go": uses})
			at := func(file, text, name string) tools.CompiledPlace {
				content := map[string]string{"a.go": declared, "b.go": uses}[file]
				start := strings.Index(content, text) + strings.Index(text, name)
				return tools.CompiledPlace{Path: filepath.Join(w.root, file), Start: start, End: start + len(name),
					Hash: workspace.Hash([]byte(content)), New: "size"}
			}
			w.deps.Compiler = compiler{rename: func(name tools.CompiledPlace, to string) (*tools.Compiled, error) {
				if want := at("a.go", "func area", "area"); name.Start != want.Start || name.Hash != want.Hash || to != "size" {
					t.Errorf("asked for %v as %s", name, to)
				}
				literal := at("b.go", "T{area}", "{area}") // more than the name
				literal.New = "{area: size}"
				found := &tools.Compiled{By: "gopls v1", Complete: true, Places: []tools.CompiledPlace{at("a.go", "func area", "area"),
					at("b.go", "= area", "area"), literal, at("b.go", "y.area", "area")}}
				if tt.alter != nil {
					tt.alter(found)
				}
				if found.By == "" && found.Refused == "" {
					return nil, nil
				}
				return found, tt.err
			}}
			w.set = tools.New(w.deps)
			result := w.call("apply_code_edit", `{"edits":[{"file":"a.go","canon":"area","new_name":"size"}]}`)
			text := w.set.Text("apply_code_edit", result.Content)
			if got := w.read("b.go"); got != tt.uses || !strings.Contains(text, tt.note) ||
				name == "complete" && strings.Contains(text, "left") {
				t.Errorf("got %s\n%s\nwant %s\n%s", got, text, tt.uses, tt.note)
			}
			if got := w.read("a.go"); got != renamedDeclared {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestCompiledRenamesOfOneCall renames an interface's method with those that implement it, all of which a compiler has
// renamed with the first, and again what was proposed meanwhile.
func TestCompiledRenamesOfOneCall(t *testing.T) {
	const text = "package p\n\ntype I interface{ Run() }\n\ntype A struct{}\n\nfunc (A) Run() {}\n\nfunc f(i I) { i.Run() }\n"
	w := newWorld(t, map[string]string{"a.go": text})
	w.deps.Compiler = compiler{rename: func(name tools.CompiledPlace, to string) (*tools.Compiled, error) {
		data, err := os.ReadFile(name.Path)
		if err != nil {
			return nil, err
		}
		found := &tools.Compiled{By: "gopls v1", Complete: true}
		for at := 0; ; {
			next := strings.Index(string(data[at:]), "Run")
			if next < 0 {
				return found, nil
			}
			at += next + len("Run")
			found.Places = append(found.Places, tools.CompiledPlace{Path: name.Path, Start: at - len("Run"), End: at,
				Hash: workspace.Hash(data), New: to})
		}
	}}
	w.set = tools.New(w.deps)
	result := w.call("apply_code_edit", `{"edits":[{"file":"a.go","canon":"I::Run","new_name":"Go"},`+
		`{"file":"a.go","canon":"A::Run","new_name":"Go"}]}`)
	if got, want := w.read("a.go"), strings.ReplaceAll(text, "Run", "Go"); got != want {
		t.Errorf("got %s\n%s", got, w.set.Text("apply_code_edit", result.Content))
	}
}

// TestMissedImplementers renames a method of an interface, of whose implementers a compiler leaves some: those that it
// refuses to rename alone because of the interface are renamed, too.
func TestMissedImplementers(t *testing.T) {
	const text = "package p\n\ntype Doer interface{ Run() }\n\ntype A struct{}\n\nfunc (A) Run() {}\n\ntype B struct{}\n\n" +
		"func (B) Run() {}\n\ntype C struct{}\n\nfunc (C) Run() {}\n\nfunc f(b B, c C) { b.Run(); c.Run() }\n"
	w := newWorld(t, map[string]string{"a.go": text})
	at := func(context string) tools.CompiledPlace {
		start := strings.Index(text, context) + strings.Index(context, "Run")
		return tools.CompiledPlace{Path: filepath.Join(w.root, "a.go"), Start: start, End: start + len("Run"), Hash: workspace.Hash([]byte(text))}
	}
	all := func(places ...tools.CompiledPlace) *tools.Compiled {
		return &tools.Compiled{By: "gopls v1", Complete: true, Places: places}
	}
	w.deps.Compiler = compiler{
		heirs: func(tools.CompiledPlace) (*tools.Compiled, error) {
			return all(at("(A) Run"), at("(B) Run"), at("(C) Run")), nil
		},
		uses: func(name tools.CompiledPlace) (*tools.Compiled, error) { return all(at("b.Run")), nil },
		rename: func(name tools.CompiledPlace, to string) (*tools.Compiled, error) {
			switch name.Start {
			case at("(B) Run").Start:
				return &tools.Compiled{Refused: "refused: would make p.B no longer assignable to interface Doer"}, nil
			case at("(C) Run").Start: // it is not used as a Doer
				return all(at("(C) Run"), at("c.Run")), nil
			}
			renamed := all(at("{ Run"), at("(A) Run"))
			for i := range renamed.Places {
				renamed.Places[i].New = to
			}
			return renamed, nil
		},
	}
	w.set = tools.New(w.deps)
	result := w.call("apply_code_edit", `{"edits":[{"file":"a.go","canon":"Doer::Run","new_name":"Go"}]}`)
	want := strings.NewReplacer("{ Run", "{ Go", "(A) Run", "(A) Go", "(B) Run", "(B) Go", "b.Run", "b.Go").Replace(text)
	if got := w.read("a.go"); got != want {
		t.Errorf("got %s\n%s", got, w.set.Text("apply_code_edit", result.Content))
	}
}
