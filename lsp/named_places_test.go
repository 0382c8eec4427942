package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// TestWordsNamePlaces has words of an answer: paths, base names, names without an extension, symbols, and words that
// name several things or nothing.
func TestWordsNamePlaces(t *testing.T) {
	f := newFixture(t)
	f.write("Makefile", "all:\n")
	f.write("shapes/doc.md", "# Shapes\n")
	f.write("other/doc.md", "# Other\n")
	f.write("shapes/paint.go", "package shapes\n\n// Brush paints.\ntype Brush struct{}\n\n// Paint paints.\n"+
		"func (b *Brush) Paint(width int) error { return nil }\n")
	f.write("other/paint_all.go", "package other\n\nfunc PaintAll() {}\n")
	e := f.startIndexed()
	want := map[string]string{ // "FILE:LINES SIGNATURE" of each place
		"Makefile":                "Makefile",
		"shapes/circle.go":        "shapes/circle.go",
		"shapes/circle.go:3":      "shapes/circle.go:3",
		"circle.go:3-5":           "shapes/circle.go:3-5",
		"circle.go#L3-L5":         "shapes/circle.go:3-5",
		"paint_all.go":            "other/paint_all.go",
		"doc.md":                  "other/doc.md | shapes/doc.md",
		"Brush.Paint":             "shapes/paint.go:7 func (b *Brush) Paint(width int) error",
		"Brush.Paint(12)":         "shapes/paint.go:7 func (b *Brush) Paint(width int) error",
		"Paint()":                 "shapes/paint.go:7 func (b *Brush) Paint(width int) error",
		"shapes.Brush":            "shapes/paint.go:4 type Brush struct",
		"other.PaintAll":          "other/paint_all.go:3 func PaintAll()",
		"http.PaintAll":           "",
		"nowhere.go":              "",
		"Nothing":                 "",
		"/etc/passwd":             "",
		"../x":                    "",
		"shapes":                  "",
		strings.Repeat("x", 1000): "",
	}
	var params ploke.ChatPlacesParams
	for name := range want {
		params.Names = append(params.Names, name)
	}
	var result ploke.ChatPlacesResult
	e.Call(ploke.MethodChatPlaces, params, &result)
	got := map[string]string{}
	for name := range want {
		got[name] = ""
	}
	for _, p := range result.Places {
		text := strings.TrimPrefix(string(p.URI), string(fileURI(f.path("")))+"/")
		if r := p.Range; r != nil {
			text += ":" + lineNumbers(r)
		}
		text = strings.TrimSpace(text + " " + p.Signature)
		if got[p.Name] != "" {
			text = got[p.Name] + " | " + text
		}
		got[p.Name] = text
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// lineNumbers returns the lines of a range, from 1.
func lineNumbers(r *protocol.Range) string {
	if r.Start.Line == r.End.Line {
		return fmt.Sprint(r.Start.Line + 1)
	}
	return fmt.Sprintf("%d-%d", r.Start.Line+1, r.End.Line+1)
}
