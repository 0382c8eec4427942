package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
)

// compiler answers what a test wants, and knows nothing else.
type compiler struct {
	uses   func(name tools.CompiledPlace) (*tools.Compiled, error)
	rename func(name tools.CompiledPlace, to string) (*tools.Compiled, error)
	heirs  func(name tools.CompiledPlace) (*tools.Compiled, error)
}

func (c compiler) Uses(_ context.Context, name tools.CompiledPlace, _ tools.PlacesByName) (*tools.Compiled, error) {
	return c.uses(name)
}

func (c compiler) Implementers(_ context.Context, name tools.CompiledPlace) (*tools.Compiled, error) {
	if c.heirs == nil {
		return nil, nil
	}
	return c.heirs(name)
}

func (c compiler) Rename(_ context.Context, name tools.CompiledPlace, _ tools.PlacesByName, to string) (*tools.Compiled, error) {
	return c.rename(name, to)
}

// TestCompiledEdges asks for callers where a compiler knows them, and where it fails in some way.
func TestCompiledEdges(t *testing.T) {
	files := map[string]string{
		"a.go": "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n\nvar f = Square\n",
		"b.go": "package a\n\nfunc (other) Area() { generated() }\n\nfunc generated() { /* by a macro: */ again() }\n",
	}
	const byName = "a.go\n5: func use() { Square() }\n"
	for name, tt := range map[string]struct {
		complete bool
		err      error
		hash     string // of b.go, if it is another one
		more     func(*tools.Compiled)
		want     string
	}{
		"complete": {complete: true, want: "by gopls v1; by name alone 1 more, 1 missed\nb.go\n5: func generated() { /* by a macro: */ again() }\n"},
		"nothing":  {complete: true, more: func(c *tools.Compiled) { c.Places = nil }, want: "by gopls v1; by name alone 1 more, 0 missed\n"},
		"loading":  {want: "by name: gopls v1 does not say that it has read the project\n" + byName},
		"an error": {err: errors.New("it has ended"), want: "by name: it has ended\n" + byName},
		"another text": {complete: true, hash: "0", want: "by name: files are proposed, or have changed, which gopls v1 does not know\n" +
			byName},
		"other files": {complete: true, more: func(c *tools.Compiled) {
			c.Places = append(c.Places, tools.CompiledPlace{Path: "/etc/passwd", End: 3}, tools.CompiledPlace{Path: "/nowhere"})
		}, want: "by gopls v1; by name alone 1 more, 1 missed\nb.go\n5: func generated() { /* by a macro: */ again() }\n"},
		"twice": {complete: true, more: func(c *tools.Compiled) { c.Places = append(c.Places, c.Places...) },
			want: "by gopls v1; by name alone 1 more, 1 missed\nb.go\n5: func generated() { /* by a macro: */ again() }\n"},
		"refused": {more: func(c *tools.Compiled) { *c = tools.Compiled{Refused: "refused by gopls v1: no build"} },
			want: "by name: refused by gopls v1: no build\n" + byName},
		"nobody": {more: func(c *tools.Compiled) { *c = tools.Compiled{} }, want: byName},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, files)
			path := filepath.Join(w.root, "b.go")
			w.deps.Compiler = compiler{uses: func(at tools.CompiledPlace) (*tools.Compiled, error) {
				text, err := os.ReadFile(at.Path)
				if err != nil || string(text[at.Start:at.End]) != "Square" || at.Hash != workspace.Hash(text) {
					t.Errorf("asked for %v: %v", at, err)
				}
				hash := workspace.Hash([]byte(files["b.go"]))
				if tt.hash != "" {
					hash = tt.hash
				}
				start := strings.Index(files["b.go"], "again")
				found := &tools.Compiled{By: "gopls v1", Complete: tt.complete, Places: []tools.CompiledPlace{{Path: path, Start: start, End: start + 5, Hash: hash}}}
				if tt.more != nil {
					tt.more(found)
				}
				if found.By == "" && found.Refused == "" {
					return nil, nil
				}
				return found, tt.err
			}}
			w.set = tools.New(w.deps)
			content := w.call("code_item_edges", `{"canon":"Square"}`).Content
			var result struct{ Edges []any }
			if err := json.Unmarshal(content, &result); err != nil || len(result.Edges) > 1 {
				t.Errorf("%v: the edges are %v", err, result.Edges)
			}
			got := w.set.Text("code_item_edges", content)
			if !strings.HasPrefix(got+"\n", tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestEdgesOfOtherBuilds asks for callers of what is declared once for each system, of which a compiler builds one.
func TestEdgesOfOtherBuilds(t *testing.T) {
	const unix = "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n"
	w := newWorld(t, map[string]string{"a_linux.go": unix, "a_windows.go": "package a\n\nfunc Square() {}\n"})
	start := strings.Index(unix, "Square() }")
	used := tools.CompiledPlace{Path: filepath.Join(w.root, "a_linux.go"), Start: start, End: start + len("Square"),
		Hash: workspace.Hash([]byte(unix))}
	w.deps.Compiler = compiler{uses: func(at tools.CompiledPlace) (*tools.Compiled, error) {
		if strings.HasSuffix(at.Path, "a_windows.go") {
			return &tools.Compiled{Refused: "refused by gopls v1: no build"}, nil
		}
		return &tools.Compiled{By: "gopls v1", Complete: true, Places: []tools.CompiledPlace{used}}, nil
	}}
	w.set = tools.New(w.deps)
	got := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"Square"}`).Content)
	want := "by gopls v1\nit does not build a_windows.go: uses that only such a build has are missing\na_linux.go\n5: func use() { Square() }"
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCompiledImplementers asks for those of an interface of TypeScript with a constant of its name.
func TestCompiledImplementers(t *testing.T) {
	const text = "export interface Node { kind: string }\nexport const Node = { is: 1 }\nclass A implements Node { kind = '' }\n"
	w := newWorld(t, map[string]string{"a.ts": text})
	start := strings.Index(text, "A implements")
	w.deps.Compiler = compiler{heirs: func(at tools.CompiledPlace) (*tools.Compiled, error) {
		if at.Start != strings.Index(text, "Node") {
			t.Errorf("asked for %v", at)
		}
		return &tools.Compiled{By: "tsserver", Complete: true, Places: []tools.CompiledPlace{{Path: at.Path, Start: start, End: start + 1, Hash: at.Hash}}}, nil
	}}
	w.set = tools.New(w.deps)
	got := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"Node","direction":"implementers"}`).Content)
	if !strings.Contains(got, "by tsserver") || !strings.Contains(got, "class A") {
		t.Errorf("got\n%s", got)
	}
}

// TestEdgesAreAskedOnceMore has a text change while a compiler answers: once, and each time.
func TestEdgesAreAskedOnceMore(t *testing.T) {
	const text = "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n"
	for changes, want := range map[int]string{1: "by gopls v1\n", 9: "by name: the text has changed while the compiler answered\n"} {
		w, asked := newWorld(t, map[string]string{"a.go": text}), 0
		start := strings.Index(text, "Square() }")
		w.deps.Compiler = compiler{uses: func(tools.CompiledPlace) (*tools.Compiled, error) {
			if asked++; asked <= changes {
				return &tools.Compiled{Changed: true}, nil
			}
			return &tools.Compiled{By: "gopls v1", Complete: true, Places: []tools.CompiledPlace{{Path: filepath.Join(w.root, "a.go"),
				Start: start, End: start + len("Square"), Hash: workspace.Hash([]byte(text))}}}, nil
		}}
		w.set = tools.New(w.deps)
		got := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"Square"}`).Content)
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "5: func use() { Square() }") || asked != 2 {
			t.Errorf("asked %d times, got\n%s", asked, got)
		}
	}
}

// patient is a compiler that wants to know what was found by name before it answers.
type patient struct {
	compiler
	named chan []tools.CompiledPlace
}

func (p patient) Uses(ctx context.Context, name tools.CompiledPlace, byName tools.PlacesByName) (*tools.Compiled, error) {
	p.named <- byName(ctx)
	return p.uses(name)
}

// TestACompilerIsAskedAhead has a compiler wait for what is found by name, which it gets although it was asked before. It is
// asked once.
func TestACompilerIsAskedAhead(t *testing.T) {
	const text = "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n"
	w := newWorld(t, map[string]string{"a.go": text})
	start := strings.LastIndex(text, "Square")
	used := tools.CompiledPlace{Path: filepath.Join(w.root, "a.go"), Start: start, End: start + len("Square"),
		Hash: workspace.Hash([]byte(text))}
	named := make(chan []tools.CompiledPlace, 2)
	w.deps.Compiler = patient{named: named, compiler: compiler{uses: func(tools.CompiledPlace) (*tools.Compiled, error) {
		return &tools.Compiled{By: "gopls v1", Complete: true, Places: []tools.CompiledPlace{used}}, nil
	}}}
	w.set = tools.New(w.deps)
	got := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"Square"}`).Content)
	if want := "by gopls v1\na.go\n5: func use() { Square() }"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if places := <-named; len(places) != 1 || places[0] != used || len(named) > 0 {
		t.Errorf("it was told %v, and then asked %d times more", places, len(named))
	}
}

// TestEdgesOfAnIndex has a compiler that does not know all places: the others are found by name.
func TestEdgesOfAnIndex(t *testing.T) {
	files := map[string]string{
		"a.go": "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n",
		"b.go": "package a\n\nfunc known() { Square() }\n\nvar f = func() { Square() } // which it does not call a use\n",
		"c.go": "package a\n\nfunc changed() { Square() }\n",
	}
	w := newWorld(t, files)
	start := strings.Index(files["b.go"], "Square")
	w.deps.Compiler = compiler{uses: func(at tools.CompiledPlace) (*tools.Compiled, error) {
		return &tools.Compiled{By: "scip-go v1 at 1a2b3c4", Complete: true,
			Places: []tools.CompiledPlace{
				{Path: filepath.Join(w.root, "b.go"), Start: start, End: start + 6, Hash: workspace.Hash([]byte(files["b.go"]))},
				{Path: filepath.Join(w.root, "c.go"), Start: 0, End: 6, Hash: "of another text"},
			},
			Knows: func(p tools.CompiledPlace) bool {
				return filepath.Base(p.Path) != "c.go" && p.Hash == workspace.Hash([]byte(files[filepath.Base(p.Path)]))
			}}, nil
	}}
	w.set = tools.New(w.deps)
	got := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"Square"}`).Content)
	want := "by scip-go v1 at 1a2b3c4; by name alone 2 more, 0 missed\n1 place by name, of which it knows nothing\n" +
		"b.go\n3: func known() { Square() }\nc.go\n3: func changed() { Square() }\n"
	if got+"\n" != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
