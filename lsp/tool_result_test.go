package lsp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// asJSON is the content of a tool that shows it to models as it is.
type asJSON struct{ json.RawMessage }

func (c asJSON) Text(w *wording.Writer) { w.Line(string(c.RawMessage)) }

// TestAClientReadsWhatAToolCallWasGivenAndReturned, in pages, without secrets.
func TestAClientReadsWhatAToolCallWasGivenAndReturned(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"
	said := strings.Repeat("größer 😀 ", 10_000)
	f := newFixture(t)
	type input struct {
		Topic string `json:"topic"`
	}
	f.extraTools = []*tools.Tool{tools.Define[asJSON]("tell", "tells", tools.Short,
		func(context.Context, tools.Env, input) (tools.Result, error) {
			return tools.OK(map[string]any{"ok": true, "said": said, "token": secret}, "told")
		})}
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c1", Name: "tell", Arguments: `{"topic":"size"}`}}}, llmtest.Turn{Text: []string{"done"}})
	e := f.start(lsptest.Options{})
	id := e.Ask("go").ConversationID
	read := func(p ploke.ToolResultParams) (text string, pages int) {
		t.Helper()
		for next := 0; pages == 0 || next > 0; pages++ {
			var page ploke.ToolResult
			p.ConversationID, p.CallID, p.Offset = id, "c1", next
			e.Call(ploke.MethodToolResult, p, &page)
			if page.Offset != len(text) || page.Tool != "tell" || page.Summary != "told" || p.Limit > 0 && len(page.Text) > max(p.Limit, 4) {
				t.Fatalf("page %d begins at %d and has %d bytes; %+v", pages, page.Offset, len(page.Text), page.ToolCall)
			}
			text, next = text+page.Text, page.Next
			if next == 0 && page.Total != len(text) {
				t.Errorf("%d bytes of %d were read", len(text), page.Total)
			}
		}
		return text, pages
	}
	for _, limit := range []int{0, 1000, 1 << 30} {
		text, pages := read(ploke.ToolResultParams{Limit: limit})
		var content map[string]any
		if err := json.Unmarshal([]byte(text), &content); err != nil || content["said"] != said {
			t.Errorf("limit %d: %d pages of %d bytes: %v", limit, pages, len(text), err)
		}
		if strings.Contains(text, secret) || !strings.Contains(text, `"token":"`) {
			t.Errorf("limit %d: the result has the secret", limit)
		}
		if want := map[int]int{0: 3, 1000: 141, 1 << 30: 1}[limit]; pages < want-2 || pages > want+2 {
			t.Errorf("limit %d: %d pages; want about %d", limit, pages, want)
		}
	}
	if text, pages := read(ploke.ToolResultParams{Text: ploke.ToolArguments, Limit: 5}); text != `{"topic":"size"}` || pages != 4 {
		t.Errorf("the arguments are %q in %d pages", text, pages)
	}
	var page ploke.ToolResult
	at := strings.Index(`{"ok":true,"said":"`+said, "😀")
	e.Call(ploke.MethodToolResult, ploke.ToolResultParams{ConversationID: id, CallID: "c1", Offset: at + 2, Limit: 1}, &page)
	if page.Text != "😀" || page.Offset != at || page.Next != at+4 {
		t.Errorf("within a character: %+v", page)
	}
	for _, tt := range []struct {
		p    ploke.ToolResultParams
		says string
	}{
		{ploke.ToolResultParams{ConversationID: "none", CallID: "c1"}, `there is no conversation "none"`},
		{ploke.ToolResultParams{ConversationID: id, CallID: "none"}, `there is no tool call "none"`},
		{ploke.ToolResultParams{ConversationID: id, CallID: "c1", Text: "summary"}, "must be arguments or result"},
		{ploke.ToolResultParams{ConversationID: id, CallID: "c1", Offset: 1 << 40}, "the text has the offsets 0 to"},
		{ploke.ToolResultParams{ConversationID: id, CallID: "c1", Offset: -1}, "the text has the offsets 0 to"},
	} {
		if err := e.Error(ploke.MethodToolResult, tt.p); !strings.Contains(err.Message, tt.says) {
			t.Errorf("%+v: %v; want %q", tt.p, err, tt.says)
		}
	}
}

// TestAToolResultHidesAPartOfAKey has a client read a call that was shown the middle of a key,
// and one whose output repeats it. No rule finds it there.
func TestAToolResultHidesAPartOfAKey(t *testing.T) {
	line := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB"
	f := newFixture(t)
	f.write("key.txt", "-----BEGIN "+"PRIVATE KEY-----\n"+strings.Repeat("AbCd1234", 8)+"\n"+line+"\nshort1==\n-----END "+"PRIVATE KEY-----\n")
	type input struct {
		Topic string `json:"topic"`
	}
	f.extraTools = []*tools.Tool{tools.Define[asJSON]("tell", "tells", tools.Short,
		func(context.Context, tools.Env, input) (tools.Result, error) {
			return tools.OK(map[string]any{"ok": true, "said": "it is " + line}, "told "+line)
		})}
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{
		{ID: "c1", Name: "read_file", Arguments: `{"file":"key.txt","start_line":3,"end_line":3}`},
		{ID: "c2", Name: "tell", Arguments: `{"topic":"` + line + `"}`},
	}}, llmtest.Turn{Text: []string{"done"}})
	e := f.startIndexed()
	id := e.Ask("go").ConversationID
	for _, p := range []ploke.ToolResultParams{{CallID: "c1"}, {CallID: "c2"}, {CallID: "c2", Text: ploke.ToolArguments}} {
		var page ploke.ToolResult
		p.ConversationID = id
		e.Call(ploke.MethodToolResult, p, &page)
		if strings.Contains(page.Text+page.Summary, line) || !strings.Contains(page.Text, "PLOKE_SECRET_") {
			t.Errorf("%s %s shows a part of the key: %s %s", p.CallID, p.Text, page.Summary, page.Text)
		}
	}
}
