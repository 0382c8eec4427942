package lsp_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// complete completes the last word of a text. It returns the items' kinds and labels.
func complete(e *lsptest.Editor, text string) (result ploke.ChatCompleteResult, labels []string) {
	e.Call(ploke.MethodChatComplete, ploke.ChatCompleteParams{Text: text}, &result)
	for _, item := range result.Items {
		labels = append(labels, string(item.Kind)+" "+item.Label)
	}
	return result, labels
}

func TestAnInputOfTheClientIsCompleted(t *testing.T) {
	f := newFixture(t)
	f.useCommands(map[string]string{"review.md": "---\ndescription: Reviews a file\nargument-hint: [FILE]\n---\nReview $1.", "explain.md": "Explain."})
	f.write("notes/über.md", "# Notes\n")
	e := f.startIndexed()
	for _, tt := range []struct {
		text    string
		replace int
		first   string
	}{
		{"See @sha", 4, "folder shapes/"},
		{"@shapes/ci", 10, "file shapes/circle.go"},
		{"@", 1, "folder notes/"},
		{"one\ntwo @circle", 7, "file shapes/circle.go"},
		{"@rct", 4, "file shapes/rect.go"},
		{"@shrect", 7, "file shapes/rect.go"},
		{"@notes/ü", 8, "file notes/über.md"},
		{"What is #squ", 4, "symbol square"},
		{"What is #sqr", 4, "symbol square"},
		{"\n/rev", 4, "command /review"},
		{"mail me@sha", 0, ""},
		{"a #1 b", 0, ""},
		{"and /rev", 0, ""},
		{"/review /ex", 0, ""},
		{"@../", 0, ""},
		{"@/etc/pass", 0, ""},
		{"", 0, ""},
	} {
		result, labels := complete(e, tt.text)
		if result.Replace != tt.replace || (len(labels) > 0) != (tt.first != "") || tt.first != "" && labels[0] != tt.first {
			t.Errorf("%q: replaces %d with %q, want %d with %q first", tt.text, result.Replace, labels, tt.replace, tt.first)
		}
	}
}

// TestACompletionHasWhatIsSentWithTheMessage follows the ways from a completion to an attachment.
func TestACompletionHasWhatIsSentWithTheMessage(t *testing.T) {
	f := newFixture(t)
	f.useCommands(map[string]string{"review.md": "---\ndescription: Reviews a file\nargument-hint: [FILE]\n---\nReview $1."})
	e := f.startIndexed()
	find := func(text, label string) ploke.ChatCompletion {
		t.Helper()
		result, labels := complete(e, text)
		i := slices.IndexFunc(result.Items, func(item ploke.ChatCompletion) bool { return item.Label == label })
		if i < 0 {
			t.Fatalf("%q is not completed to %q: %q", text, label, labels)
		}
		return result.Items[i]
	}
	if got := find("/re", "/review"); got.Insert != "/review" || got.Detail != "[FILE] Reviews a file" || got.Attachment != nil {
		t.Errorf("a command is completed as %+v", got)
	}
	for _, tt := range []struct {
		text, label, insert, path string
	}{
		{"@shapes/c", "shapes/circle.go", "@shapes/circle.go", "shapes/circle.go"},
		{"@shap", "shapes/", "@shapes/", "shapes"},
	} {
		got := find(tt.text, tt.label)
		if got.Insert != tt.insert || got.Attachment == nil || got.Attachment.URI != uri.File(f.path(tt.path)) || got.Attachment.Range != nil {
			t.Errorf("%q is completed as %+v", tt.text, got)
		}
	}
	symbol := find("#square", "square")
	want := ploke.Attachment{URI: uri.File(f.path("shapes/circle.go")),
		Range: &protocol.Range{Start: protocol.Position{Line: 15}, End: protocol.Position{Line: 15}}}
	if d := cmp.Diff(&want, symbol.Attachment); d != "" || symbol.Insert != "`square`" || symbol.Detail != "shapes/circle.go" {
		t.Errorf("a symbol is completed as %+v: %s", symbol, d)
	}
}
