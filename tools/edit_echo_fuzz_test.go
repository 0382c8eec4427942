package tools

import (
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
)

// The lines that the echo of an edit names are in the file.
func FuzzEcho(f *testing.F) {
	f.Add("func a() {\n\tb()\n}\n", "b()")
	f.Add("a\n\nb\n\nc\n", "\n\n")
	f.Fuzz(func(t *testing.T, text, code string) {
		src := &current.File{SourceFile: &placing.SourceFile{File: &workspace.File{Text: []byte(text)}, Language: "go"}}
		for at := 0; code != "" && strings.Contains(text[at:], code); at += len(code) {
			at += strings.Index(text[at:], code)
			e := &editEcho{}
			e.locate(src, src.WithoutBlankLines(placing.Span{Start: at, End: at + len(code)}), true)
			_, _ = e.code(true), e.code(false)
			if e.StartLine < 1 || e.EndLine > strings.Count(text, "\n")+1 {
				t.Fatalf("echo of lines %d to %d in %q", e.StartLine, e.EndLine, text)
			}
		}
	})
}
