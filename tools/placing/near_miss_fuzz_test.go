package placing

import (
	"strings"
	"testing"

	"ploke-lsp/tools/wording"
)

// The place that is most similar to a text is in the file, and so are the differences. Code keeps its
// words in another indentation.
func FuzzEditedText(f *testing.F) {
	f.Add("func a() {\n\tb()\n}\n", "func a() {\n  c()\n}\n")
	f.Add("a\n\nb\n\nc\n", "b\nc\nd")
	f.Add("x = `\n  y\n`\n", "if x {\n    y\n  }")
	f.Fuzz(func(t *testing.T, text, code string) {
		src := &SourceFile{File: newFile(text), Language: "go"}
		if near, ok := nearestTextTo(src, code); ok {
			if near.StartLine < 1 || near.EndLine < near.StartLine || near.EndLine > max(src.LineCount(), 1) {
				t.Fatalf("lines %d to %d of %d", near.StartLine, near.EndLine, src.LineCount())
			}
			for _, d := range near.Differences {
				if d.Line < near.StartLine-1 || d.Line > near.EndLine {
					t.Fatalf("a difference at line %d, not in %d to %d", d.Line, near.StartLine, near.EndLine)
				}
			}
		}
		if in := src.inStyle(code); strings.Join(strings.Fields(in), " ") != strings.Join(strings.Fields(code), " ") {
			t.Fatalf("%q becomes %q", code, in)
		}
		old, sent := foldedText(wording.SplitLines(text)), foldedText(wording.SplitLines(code))
		if first, _ := missingEnd(old, sent); first < 0 || first > len(old) {
			t.Fatalf("%d of %d lines", first, len(old))
		}
	})
}
