package placing

import (
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
)

// A place found with tolerant white space reads like old, and the edit made of it changes
// nothing around it.
func FuzzTolerant(f *testing.F) {
	f.Add("a\tb\n  c d", "b\n\nc", "x\n  y")
	f.Add("if x {\n\treturn\n}\n", "  if x {\n      return\n  }", "if y {\n}")
	f.Add("\u00a0a\r\nb", "a b", "")
	f.Fuzz(func(t *testing.T, text, old, replacement string) {
		words := func(s string) string {
			folded, _ := fold([]byte(s))
			return strings.Trim(folded, " ")
		}
		src := &SourceFile{File: newFile(text)}
		for _, at := range tolerant([]byte(text), old) {
			if got := text[at.Start:at.End]; words(got) != words(old) || got != strings.Trim(got, " \t\r\n\v\f") {
				t.Fatalf("%q found for %q in %q", got, old, text)
			}
			e := adapt(src, at, old, replacement)
			if e.Start > at.Start || e.End < at.End || e.End > len(text) {
				t.Fatalf("the edit of %d to %d does not contain the place %v", e.Start, e.End, at)
			}
			around := text[e.Start:at.Start] + text[at.End:e.End]
			if strings.TrimSpace(around) != "" {
				t.Fatalf("the edit takes %q away with %q", around, old)
			}
		}
	})
}

func newFile(text string) *workspace.File {
	return &workspace.File{Path: "/a.go", Text: []byte(text), Hash: workspace.Hash([]byte(text))}
}
