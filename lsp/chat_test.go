package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func fileURI(path string) uri.URI { return uri.File(path) }

// checkCitations checks that every citation is a range of lines of a file.
func checkCitations(t *testing.T, citations []ploke.Citation) {
	t.Helper()
	for _, c := range citations {
		text, err := os.ReadFile(c.URI.FsPath())
		if err != nil {
			t.Errorf("the cited file: %v", err)
			continue
		}
		if lines := strings.Count(string(text), "\n") + 1; int(c.Range.End.Line) >= lines || c.Range.Start.Line > c.Range.End.Line {
			t.Errorf("the citation is %v of %s, which has %d lines", c.Range, c.URI, lines)
		}
	}
}

func TestAnswerStreamsAndCites(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	result := e.Ask("how is the area of a circle computed")

	if result.StopReason != ploke.StopDone || result.TurnID == "" || result.AssistantMessageID == "" {
		t.Errorf("result = %+v", result)
	}
	if !strings.Contains(result.Text, "math.Pi * square(c.Radius)") || !strings.Contains(result.Text, "```go\n") {
		t.Errorf("the answer does not quote the method as Markdown:\n%s", result.Text)
	}
	if strings.Contains(result.Text, "<code=") {
		t.Errorf("the answer contains the snippet format of models:\n%s", result.Text)
	}
	if len(result.Citations) == 0 {
		t.Error("the answer has no citations")
	}
	checkCitations(t, result.Citations)

	var streamed strings.Builder
	var messages, citations int
	var calls []ploke.ToolCallState
	last := 0
	for _, p := range e.Parts() {
		if p.Seq <= last {
			t.Errorf("part %d came after part %d", p.Seq, last)
		}
		last = p.Seq
		switch p.Type {
		case ploke.PartMessage:
			messages++
			streamed.WriteString(p.Text)
		case ploke.PartCitation:
			citations++
		case ploke.PartToolCall:
			calls = append(calls, p.State)
		}
	}
	if streamed.String() != result.Text {
		t.Errorf("the streamed text differs from the answer:\n%s\n---\n%s", streamed.String(), result.Text)
	}
	if citations != len(result.Citations) {
		t.Errorf("%d citations streamed, %d in the result", citations, len(result.Citations))
	}
	if len(calls) < 2 || calls[0] != ploke.ToolCallStarted || calls[len(calls)-1] != ploke.ToolCallFinished {
		t.Errorf("tool calls streamed as %v", calls)
	}
}

// useModel configures a scripted server as the model.
func (f *fixture) useModel(turns ...llmtest.Turn) *llmtest.Server {
	server := llmtest.NewServer(f.t, turns...)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "scripted/model", "providers": {"scripted": {"type": "openai", "baseUrl": %q}}}`, server.URL))}
	return server
}

func TestScriptedModelCallsToolsTogether(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{
			{ID: "call_lookup", Name: "code_item_lookup", Arguments: `{"name":"Circle"}`},
			{ID: "call_missing", Name: "read_file", Arguments: `{"file":"no/such/file.go"}`},
		}},
		llmtest.Turn{
			Text: []string{"A circle is ", "in circle.go.\n<code=\"" + f.path("shapes/circle.go") + "\" #7:9>\ntype Circle struct {\n", "\tRadius float64\n}\n</code>\nThat is all."},
			Check: func(req *llmtest.Request) error {
				n := len(req.Messages)
				for i, want := range []string{"call_lookup", "call_missing"} {
					m := req.Messages[indexOfTool(req, 0)+i]
					if m.Role != "tool" || m.ToolCallID != want {
						t.Errorf("message %d of %d answers %q as %s, want %q: results must be in the order of the calls", i, n, m.ToolCallID, m.Role, want)
					}
				}
				return nil
			},
		},
	)
	e := f.startIndexed()
	result := e.Ask("what is a Circle?")
	if result.StopReason != ploke.StopDone || !strings.Contains(result.Text, "That is all.") {
		t.Errorf("result = %+v", result)
	}
	if len(result.Citations) != 1 || result.Citations[0].Canon != "Circle" {
		t.Errorf("citations = %+v", result.Citations)
	}
	checkCitations(t, result.Citations)
	if got := len(server.Requests()); got != 2 {
		t.Errorf("%d requests, want 2", got)
	}
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: result.ConversationID}, &history)
	if len(history.Messages) != 2 || history.Messages[1].Text != result.Text || len(history.Messages[1].ToolCalls) != 2 {
		t.Errorf("history = %+v", history)
	}
}

// indexOfTool returns the index of the first tool result at or after from.
func indexOfTool(req *llmtest.Request, from int) int {
	for i, m := range req.Messages[from:] {
		if m.Role == "tool" {
			return from + i
		}
	}
	return 0
}

func TestSnippetOfAPlaceThatDoesNotExistIsNotCited(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{
		"<code=\"" + f.path("shapes/circle.go") + "\" #900:900>\nnothing\n</code>\n",
		"<code=\"/etc/passwd\" #1:1>\nroot\n</code>\n",
	}})
	e := f.startIndexed()
	result := e.Ask("make something up")
	if len(result.Citations) != 0 || strings.Contains(result.Text, "file://") {
		t.Errorf("cited %v in:\n%s", result.Citations, result.Text)
	}
	if !strings.Contains(result.Text, "nothing\n") {
		t.Errorf("the text was lost:\n%s", result.Text)
	}
}

func TestAnswerThatBrokeOffIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Text: []string{"Half an ans"}, Cut: true},
		llmtest.Turn{Text: []string{"A whole ", "answer."}},
	)
	e := f.startIndexed()
	result := e.Ask("talk")
	if result.StopReason != ploke.StopDone || result.Text != "A whole answer." {
		t.Errorf("result = %+v", result)
	}
	streamed := ""
	for _, p := range e.Parts() {
		if p.Type == ploke.PartMessage {
			if p.Replace {
				streamed = ""
			}
			streamed += p.Text
		}
	}
	if streamed != result.Text {
		t.Errorf("the streamed text adds up to %q, want %q", streamed, result.Text)
	}
}

func TestSendRightAfterCancel(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	defer gate.Open()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"two"}})
	e := f.startIndexed()
	id := newConversation(e)
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	e.Notify(protocol.MethodCancelRequest, map[string]int64{"id": e.LastID()})
	second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b"})
	if r := <-first; r.StopReason != ploke.StopCancelled {
		t.Errorf("the first turn ended as %+v", r)
	}
	if second.Text != "two" {
		t.Errorf("the second turn ended as %+v", second)
	}
}

func TestConversationSurvivesARestart(t *testing.T) {
	f := newFixture(t)
	var answered *ploke.ChatSendResult
	t.Run("ask", func(t *testing.T) {
		f.t = t
		answered = f.startIndexed().Ask("rename square to squared")
	})
	f.t = t
	e := f.startIndexed()
	var list ploke.ChatListResult
	e.Call(ploke.MethodChatList, nil, &list)
	if len(list.Conversations) != 1 || list.Conversations[0].ID != answered.ConversationID {
		t.Fatalf("conversations = %+v", list)
	}
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: answered.ConversationID}, &history)
	if n := len(history.Messages); n != 2 || history.Messages[1].Text != answered.Text || history.Messages[1].Status != "completed" {
		t.Errorf("history = %+v", history)
	}
	var proposals ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{Status: "staged"}, &proposals)
	if len(proposals.Proposals) != 1 || proposals.Proposals[0].ID != answered.Proposals[0] {
		t.Errorf("proposals = %+v, want %v", proposals, answered.Proposals)
	}
}

// TestAttachedLinesOfAKeyAreHidden attaches some lines of an unsaved key. Nothing in them
// says that they are of a private one.
func TestAttachedLinesOfAKeyAreHidden(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"ok"}})
	e := f.startIndexed()
	line := strings.Repeat("q8Zr0xT4mB", 6)
	e.OpenText(f.path("shapes/rect.go"), "package shapes\n\nconst key = `-----BEGIN PRIVATE "+"KEY-----\n"+strings.Repeat(line+"\n", 9)+"`\n")
	selection := ploke.Attachment{URI: fileURI(f.path("shapes/rect.go")),
		Range: &protocol.Range{Start: protocol.Position{Line: 5}, End: protocol.Position{Line: 5, Character: 9}}}
	e.Send(t.Context(), ploke.ChatSendParams{Text: "look at this", Attachments: []ploke.Attachment{selection}})
	if last := server.Requests()[0].Last(); strings.Contains(last.Content, line) || !strings.Contains(last.Content, "PLOKE_SECRET_") {
		t.Errorf("the last message is %q", last.Content)
	}
	account := "{\"type\": \"service_account\", \"private_key\": \"x\"}\n"
	e.OpenText(f.path("account.json"), account)
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "x", Attachments: []ploke.Attachment{{URI: fileURI(f.path("account.json"))}}})
	if !strings.Contains(err.Message, "holds secrets") {
		t.Errorf("an account's key as an attachment: %v", err)
	}
}

func TestAttachmentsHaveUnsavedText(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"ok"}})
	e := f.startIndexed()
	e.OpenText(f.path("shapes/rect.go"), "package shapes\n\n// unsaved words\n")
	e.Send(t.Context(), ploke.ChatSendParams{Text: "look at this", Attachments: []ploke.Attachment{{URI: fileURI(f.path("shapes/rect.go"))}}})
	if last := server.Requests()[0].Last(); !strings.Contains(last.Content, "unsaved words") {
		t.Errorf("the last message is %q", last.Content)
	}
	if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "x", Attachments: []ploke.Attachment{{URI: "file:///etc/passwd"}}}); !strings.Contains(err.Message, "outside") {
		t.Errorf("an attachment outside the workspace: %v", err)
	}
}
