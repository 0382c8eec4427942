package lsp_test

import (
	"regexp"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/session/llm/llmtest"
)

var liveMarkdown = regexp.MustCompile("(^|[^\\\\`])!\\[[^\\]]*\\]\\(|<img")

// TestNothingOfAModelIsLiveInAChatDocument has a model put a picture into all that a document and its hovers show beside the answer:
// names of tools, patterns, reasons and errors.
func TestNothingOfAModelIsLiveInAChatDocument(t *testing.T) {
	const picture = `![x](http://e/p) <img src=x>`
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{
			{ID: "a", Name: "search_text", Arguments: `{"pattern":"` + picture + `"}`},
			{ID: "b", Name: picture, Arguments: `{}`},
			{ID: "c", Name: "read_file", Arguments: `{"file":"` + picture + `.go"}`},
			{ID: "d", Name: "apply_code_edit", Arguments: `{"reason":"` + picture + `","edits":[{"mode":"replace","file":"shapes/circle.go","old":"x * x","new":"x*x"}]}`},
		}},
		llmtest.Turn{Text: []string{"Done. ", picture}},
	)
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nGo on.\n")
	sendChat(t, e, path, 0)
	shown := []string{awaitChat(e, path, 1)}
	for _, line := range []string{"- ⚙ 1 ", "- ⚙ 2 ", "- ⚙ 3 ", "- ⚙ 4 "} {
		var hover protocol.Hover
		e.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at(e, path, line)}, &hover)
		shown = append(shown, hover.Contents.(*protocol.MarkupContent).Value)
	}
	header, _, _ := strings.Cut(e.Text(path), "\n")
	e.CloseDocument(path)
	again := f.path("again.ploke.md")
	e.OpenText(again, header+"\n")
	shown = append(shown, awaitChat(e, again, 1))
	for _, text := range shown {
		if live := liveMarkdown.FindString(withoutBlocks(text)); text == "" || live != "" {
			t.Errorf("%q is live in\n%s", live, text)
		}
	}
}

// withoutBlocks returns Markdown without its fenced blocks of four backquotes.
func withoutBlocks(text string) string {
	return regexp.MustCompile("(?s)````.*?\n````").ReplaceAllString(text, "")
}
