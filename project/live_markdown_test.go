package project_test

import (
	"strings"
	"testing"
)

// TestAnAnswerHasNoPictures renders what a model wrote, as all doors do: beside snippets, in an open fence before one, and
// as the name of a file.
func TestAnAnswerHasNoPictures(t *testing.T) {
	p, _ := open(t, &headless{})
	const snippet = "<code=\"greet.go\" #1:1>\npackage greet\n</code>"
	for _, text := range []string{
		"![x](http://e/p) <img src=//e> [x](command:y)",
		snippet + "\n![x](http://e)",
		"```go\n" + snippet + "\n![x](http://e)",
		"<code=\"![x](http://e)\" #1:1>\na\n</code>",
		"<code=\"`![x](http://e)\" #1:1>\na\n</code>",
	} {
		got := p.Transcripts.Markdown(t.Context(), "", text)
		if !strings.Contains(got, `\![x](http:/`) || strings.Contains(strings.ReplaceAll(got, `\!`, ""), "![") || strings.Contains(got, "<img") ||
			strings.Contains(got, "](command:") {
			t.Errorf("%q is %q", text, got)
		}
	}
}
