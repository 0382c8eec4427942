package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// encoders returns a project in which several files match the same vague words.
func encoders(t *testing.T) *project {
	files := map[string]string{
		"go.mod":          "module example.com/app\n",
		"lib/codec.go":    "package lib\n\n// Encode writes a value.\nfunc Encode(value int) {}\n",
		"app/main.go":     "package app\n\nimport \"example.com/app/lib\"\n\nfunc start() { lib.Encode(1) }\n\nfunc stop() {}\n",
		"clear/resize.go": "package clear\n\n// Resize changes the size of the ring buffer.\nfunc Resize() { grow() }\n\n// grow makes the ring buffer larger.\nfunc grow() {}\n",
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name+"/codec.go"] = "package " + name + "\n\n// Encode writes a value.\nfunc Encode(value int) {}\n"
	}
	p := open(t, files)
	p.update()
	return p
}

func (p *project) searchFrom(e index.Editor, text string) (hits []string) {
	p.t.Helper()
	r, err := p.index.Search(p.t.Context(), index.Query{Text: text, Editor: e})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, h := range r.Hits {
		hits = append(hits, h.Rel+" "+h.Canon)
	}
	return hits
}

// TestEditorPrefersNearbyFiles searches for words that several files have.
func TestEditorPrefersNearbyFiles(t *testing.T) {
	p := encoders(t)
	equal(t, "without an editor", "a/codec.go Encode", p.search("encode a value")[0])
	path := func(rel string) []string { return []string{p.path(rel)} }
	for _, c := range []struct {
		name, want string
		editor     index.Editor
	}{
		{"cursor", "c/codec.go Encode", index.Editor{Current: p.path("c/codec.go"), Visible: path("b/codec.go")}},
		{"visible", "b/codec.go Encode", index.Editor{Visible: path("b/codec.go"), Open: path("d/codec.go")}},
		{"recent", "d/codec.go Encode", index.Editor{Recent: path("d/codec.go"), Open: append(path("c/codec.go"), path("d/codec.go")...)}},
		{"open", "d/codec.go Encode", index.Editor{Open: path("d/codec.go")}},
		{"imported", "lib/codec.go Encode", index.Editor{Current: p.path("app/main.go"), Open: path("d/codec.go")}},
		{"elsewhere", "a/codec.go Encode", index.Editor{Current: "/nowhere/x.go", Open: []string{"relative", "/etc/hosts"}}},
	} {
		equal(t, c.name, c.want, p.searchFrom(c.editor, "encode a value")[0])
	}
}

// TestEditorIsOnlyAHint searches for words that only one file has, while the person is in
// the other files.
func TestEditorIsOnlyAHint(t *testing.T) {
	p := encoders(t)
	all := []string{p.path("a/codec.go"), p.path("b/codec.go"), p.path("c/codec.go"), p.path("d/codec.go"), p.path("lib/codec.go"),
		p.path("app/main.go")}
	for _, current := range all {
		e := index.Editor{Current: current, Offset: 60, Visible: all, Open: all, Recent: all}
		for query, want := range map[string]string{
			"resize the ring buffer": "clear/resize.go Resize",
			"make a buffer larger":   "clear/resize.go grow",
			"grow":                   "clear/resize.go grow",
			"clear/resize.go":        "clear/resize.go Resize",
		} {
			equal(t, fmt.Sprintf("%q from %s", query, current), want, p.searchFrom(e, query)[0])
		}
	}
}

// TestQueryRefersToCursor asks about the symbol at the cursor, which unsaved text has
// moved.
func TestQueryRefersToCursor(t *testing.T) {
	p := encoders(t)
	path := p.path("app/main.go")
	text := "// A new line.\n" + "package app\n\nfunc start() { lib.Encode(1) }\n\nfunc stop() {}\n\nfunc fresh() {}\n"
	p.ws.SetBuffer(path, 1, []byte(text))
	if err := p.index.SetBuffer(t.Context(), path, []byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"start", "stop", "fresh"} {
		e := index.Editor{Current: path, Offset: strings.Index(text, name+"()")}
		for _, query := range []string{"what does this function encode", "explain the selected code", "why is the value wrong around here"} {
			if hits := p.searchFrom(e, query); hits[0] != "app/main.go "+name {
				t.Errorf("%q finds %q, want %s first", query, hits, name)
			}
		}
		if hits := p.searchFrom(e, "explain"); !slices.Contains(hits, "app/main.go "+name) {
			t.Errorf("a query without other words finds %q, not %s", hits, name)
		}
	}
}

// TestCursorInNoSymbol searches from the first line of a file, where editors open files. A
// symbol that fits is better than the rest of the file.
func TestCursorInNoSymbol(t *testing.T) {
	p := open(t, map[string]string{
		"greet/greet.go": `// Package greet makes greetings in several languages.
package greet

// Greeting returns the greeting for a person.
func Greeting(name string) string { return hello() + ", " + name + "!" }

func hello() string { return "Hello" }
`,
	})
	p.update()
	e := index.Editor{Current: p.path("greet/greet.go"), Visible: []string{p.path("greet/greet.go")}}
	equal(t, "from the first line", "greet/greet.go Greeting", p.searchFrom(e, "How does Greeting make a greeting?")[0])
}
