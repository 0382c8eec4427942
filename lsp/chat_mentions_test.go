package lsp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAMessageOfAClientMentionsFiles has mentions of a file, lines, a folder and symbols, one that can't be sent, and
// words that name nothing or several symbols.
func TestAMessageOfAClientMentionsFiles(t *testing.T) {
	f := newFixture(t)
	f.write("shapes/.env", "KEY=x\n")
	f.write("shapes.md", "# square\n\nIt squares.\n")
	e := f.startIndexed()
	const text = "@shapes/circle.go#L3-L5, @shapes/circle.go and\n@shapes/ or @shapes/rect.go#L2? Not @nobody, me@shapes/rect.go, @../x, " +
		"@/etc/passwd.\n" +
		"Again @shapes/rect.go#L2; #square, #Circle.Area? #Area #Nothing #12 x#square @diff @rect.go @shapes/.env"
	var got ploke.ChatMentionsResult
	e.Call(ploke.MethodChatMentions, ploke.ChatMentionsParams{Text: text}, &got)
	circle, rect := fileURI(f.path("shapes/circle.go")), fileURI(f.path("shapes/rect.go"))
	lines := func(first, last uint32) *protocol.Range {
		return &protocol.Range{Start: protocol.Position{Line: first}, End: protocol.Position{Line: last}}
	}
	want := []ploke.ChatMention{
		{Text: "@shapes/circle.go#L3-L5", Attachment: ploke.Attachment{URI: circle, Range: lines(2, 4)}},
		{Text: "@shapes/circle.go", Attachment: ploke.Attachment{URI: circle}},
		{Text: "@shapes/", Attachment: ploke.Attachment{URI: fileURI(f.path("shapes"))}},
		{Text: "@shapes/rect.go#L2", Attachment: ploke.Attachment{URI: rect, Range: lines(1, 1)}},
		{Text: "#square", Attachment: ploke.Attachment{URI: circle, Range: lines(15, 15)}},
		{Text: "#Circle.Area", Attachment: ploke.Attachment{URI: circle, Range: lines(11, 13)}},
		{Text: "@shapes/.env", Attachment: ploke.Attachment{URI: fileURI(f.path("shapes/.env"))}},
	}
	for i, m := range got.Mentions {
		var details ploke.AttachmentDetails
		if i == len(got.Mentions)-1 {
			if m.Details != nil || !strings.Contains(m.Problem, "secret") {
				t.Errorf("what can't be sent is mentioned as %+v", m)
			}
		} else if e.Call(ploke.MethodChatAttachment, m.Attachment, &details); m.Problem != "" || !cmp.Equal(&details, m.Details) {
			t.Errorf("%s would be sent as %+v, the mention says %+v: %s", m.Text, details, m.Details, m.Problem)
		}
		got.Mentions[i].Details, got.Mentions[i].Problem = nil, ""
	}
	if d := cmp.Diff(want, got.Mentions); d != "" {
		t.Error(d)
	}
	unknown := []ploke.UnknownMention{
		{Text: "@nobody", Reason: "no file or folder has this name"},
		{Text: "@../x", Reason: "no file or folder has this name"},
		{Text: "@/etc/passwd", Reason: "no file or folder has this name"},
		{Text: "#Area", Reason: "2 symbols have this name, such as Circle::Area in shapes/circle.go", Count: 2},
		{Text: "#Nothing", Reason: "no symbol has this name"},
		{Text: "@rect.go", Reason: "it may be shapes/rect.go", Count: 1},
	}
	if d := cmp.Diff(unknown, got.Unknown); d != "" {
		t.Error(d)
	}
}

// TestAMentionedSymbolIsAttachedInAChatDocument has a symbol whose text is not saved.
func TestAMentionedSymbolIsAttachedInAChatDocument(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(llmtest.Turn{Text: []string{"It squares."}})
	e := f.startIndexed()
	circle := f.path("shapes/circle.go")
	e.OpenText(circle, "package shapes\n\nfunc typed() int {\n\treturn 4711\n}\n")
	chat := f.openChat(e)
	write(e, chat, "\nWhat is #typed for?")
	sendChat(t, e, chat, 0)
	awaitChat(e, chat, 1)
	if got := model.Requests()[0].Last().Content; !strings.Contains(got, "return 4711") || strings.Contains(got, "package shapes") {
		t.Errorf("the model got %q", got)
	}
}
