package lsp_test

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools/wording"
)

// TestNothingOfASymbolIsLive has a file whose name, comments and code would show pictures: in hovers over its symbols in
// a chat document, and where an answer quotes it.
func TestNothingOfASymbolIsLive(t *testing.T) {
	const (
		file   = "shapes/![x](y).py"
		cited  = "shapes/![x](y).py:1-8"
		source = "def evil(a=\"![x](http://e/p) <img src=x>\"):\n" +
			"    \"\"\"\n    ````\n    ![x](http://e/p) <img src=//e> [x](command:y)\n    ```\n    ~~~\n    \"\"\"\n" +
			"    return a\n\n\ndef caller(a):\n    return evil(a)\n"
	)
	f := newFixture(t)
	f.write(file, source)
	f.useModel(llmtest.Turn{Text: []string{wording.Snippet(file, 1, firstLines(source, 8))}})
	e := f.startIndexed()
	path := f.path("talk.ploke.md")
	e.OpenText(path, "<!-- ploke chat -->\n\n## You 1\n\nWhat does `evil` do?\n")
	hover := hoverText(t, e, path, "evil")
	for _, part := range []string{"def evil", `shapes/\![x](y).py:1`, "Called by", `\![x](y).py:11`} {
		if !strings.Contains(hover, part) {
			t.Errorf("the hover lacks %q:\n%s", part, hover)
		}
	}
	chat := f.openChat(e)
	write(e, chat, "\nShow it.\n")
	sendChat(t, e, chat, 0)
	for where, text := range map[string]string{"hover": hover, "document": awaitChat(e, chat, 1)} {
		if !strings.Contains(text, "return") && where == "document" {
			t.Errorf("the document does not quote %s: %s", cited, text)
		}
		if live := liveMarkdown.FindString(withoutBlocks(text)); live != "" || strings.Contains(withoutBlocks(text), "](command:") {
			t.Errorf("%q is live in the %s\n%s", live, where, text)
		}
	}
}

// firstLines returns the first n lines of a text.
func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfterN(text, "\n", n+1)[:n], "")
}
