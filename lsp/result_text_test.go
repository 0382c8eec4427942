package lsp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAModelReadsTextAndAClientReadsJSON makes a call of each kind over the wire. Requests of the
// turn begin with the ones before them.
func TestAModelReadsTextAndAClientReadsJSON(t *testing.T) {
	f := newFixture(t)
	f.write("a.go", "package a\n\nvar quoted = \"<&>\\t\"\n")
	type want struct{ tool, args, text, json string }
	responses := [][]want{{
		{"read_file", `{"file":"a.go"}`, "<code=\"a.go\" #1:3>\n  1  package a\n  2  \n  3  var quoted = \"<&>\\t\"\n</code>\n3 lines", fmt.Sprintf(`"file":%q`, f.path("a.go"))},
		{"read_file", `{"file":"b.go"}`, "error: there is no file b.go\nfile: use one of the candidates", `{"ok":false,"error":"there is no file b.go"`},
		{"list_dir", `{"dir":"shapes"}`, "shapes/\n  circle.go ", f.path("shapes/rect.go")},
		{"search_text", `{"pattern":"var quoted"}`, "a.go\n", f.path("a.go")},
		{"frobnicate", `{}`, "error: there is no tool \"frobnicate\"\ncall one of the candidates\n", `"code":"unknown_tool"`},
	}, {
		{"code_item_lookup", `{"name":"Circle"}`, "<code=\"shapes/circle.go\" #", f.path("shapes/circle.go")},
		{"apply_code_edit", `{"edits":[{"file":"a.go","old":"quoted","new":"said"}]}`, "a.go", `"status":"staged"`},
	}, {
		{"read_file", `{"file":"a.go","start_line":3}`, "  3  var said = ", `"start_line":3`},
		{"recall_tool_result", `{"call_id":"0_0"}`, "<code=\"a.go\" #1:3>\n  1  package a\n", `"tool":"read_file"`},
	}}
	var script []llmtest.Turn
	for i, response := range responses {
		var turn llmtest.Turn
		for j, w := range response {
			turn.Calls = append(turn.Calls, llmtest.Call{ID: fmt.Sprintf("%d_%d", i, j), Name: w.tool, Arguments: w.args})
		}
		script = append(script, turn)
	}
	server := f.useModel(append(script, llmtest.Turn{Text: []string{"Done."}})...)
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	id := newConversation(e)
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "look", Attachments: []ploke.Attachment{{URI: fileURI(f.path("a.go"))}}})
	requests := server.Requests()
	last := &requests[len(requests)-1]
	if !strings.Contains(string(requests[0].Last().Content), "<code=\"a.go\" #1:3>\n  1  package a\n") {
		t.Errorf("the attachment is sent as %q", requests[0].Last().Content)
	}
	for i, response := range responses {
		for j, w := range response {
			call := fmt.Sprintf("%d_%d", i, j)
			text, content := toolResult(last, call), toolJSON(e, id, call)
			if !strings.Contains(text, w.text) || strings.Contains(text, f.root) || strings.HasPrefix(text, "{") {
				t.Errorf("%s %s: the model reads\n%s\nwant %q", w.tool, w.args, text, w.text)
			}
			if !strings.Contains(content, w.json) {
				t.Errorf("%s %s: the client reads %s\nwant %s", w.tool, w.args, content, w.json)
			}
		}
	}
	for i := 1; i < len(requests); i++ {
		if !bytes.HasPrefix(messagesOf(requests[i]), messagesOf(requests[i-1])) {
			t.Errorf("request %d does not begin with the one before it", i+1)
		}
	}
}
