package wording_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools/wording"
)

// FuzzSnippet reads an answer in pieces, with a snippet in its text. The result must not depend
// on the pieces, nothing may get lost, and each written snippet must be read unchanged.
func FuzzSnippet(f *testing.F) {
	f.Add("a "+wording.Snippet("/a.go", 3, "x\n</code>\ny")+" b", []byte{3, 1, 7}, "/b \"<&>\n.go", "code\r\n\n")
	f.Add("<code=\"/a.go\" #1:2>\nx\n</code>", []byte{1}, "/ü.go", "")
	f.Add("<<code=\"\\u003c\" #1:0>\n</code><code=\"/a\" #1:1>\n<code=\"/b\" #1:1>\nx\n</code>", []byte{2, 2}, "", "</code>")
	f.Add(strings.Repeat("<code=\"", 9), []byte{}, "\x00", "<code=\"/a\" #1:1>\n")
	f.Fuzz(func(t *testing.T, answer string, cuts []byte, path, code string) {
		whole := scanned(answer)
		if diff := cmp.Diff(whole, scanPieces(answer, cuts)); diff != "" {
			t.Errorf("in pieces it is read as something else (-whole +pieces):\n%s", diff)
		}
		rest := answer
		for i, part := range whole {
			said := part.Text
			if part.Code != nil {
				said = part.Code.Text
				checkLines(t, part.Code)
			}
			n := strings.Index(rest, said)
			if n < 0 || part.Code == nil && n > 0 && i == 0 {
				t.Fatalf("%q is not read in order from %q", said, answer)
			}
			rest = rest[n+len(said):]
		}
		written(t, path, code)
	})
}

func scanPieces(answer string, cuts []byte) (parts []wording.Part) {
	var s wording.Scanner
	add := func(more []wording.Part) {
		for _, p := range more {
			if last := len(parts) - 1; last >= 0 && p.Code == nil && parts[last].Code == nil {
				parts[last].Text += p.Text
			} else {
				parts = append(parts, p)
			}
		}
	}
	for _, n := range cuts {
		n := min(int(n), len(answer))
		add(s.Write(answer[:n]))
		answer = answer[n:]
	}
	add(s.Write(answer))
	add(s.Close())
	return parts
}

func checkLines(t *testing.T, c *wording.Code) {
	t.Helper()
	if c.StartLine < 1 || c.EndLine-c.StartLine+1 != strings.Count(c.Text, "\n") || c.Text != "" && !strings.HasSuffix(c.Text, "\n") {
		t.Errorf("the lines %d to %d are %q", c.StartLine, c.EndLine, c.Text)
	}
}

// written writes a snippet and reads it back.
func written(t *testing.T, path, code string) {
	t.Helper()
	if !utf8.ValidString(path) || len(path) > 4<<10 {
		return // not a path that a model could name
	}
	want := code
	if want != "" && !strings.HasSuffix(want, "\n") {
		want += "\n"
	}
	parts := scanned("text " + wording.Snippet(path, 12, code) + "\n")
	if len(parts) != 3 || parts[1].Code == nil || parts[1].Code.Path != path || parts[1].Code.Text != want || parts[1].Code.StartLine != 12 {
		t.Errorf("a snippet of %q with %q is read as %+v", path, code, parts)
	}
}
