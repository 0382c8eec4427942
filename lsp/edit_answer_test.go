package lsp_test

import (
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// An answer that comes with the last edit ends the turn without another request. If something
// failed, the model sees it first.
func TestAnAnswerSentWithAnEditEndsTheTurn(t *testing.T) {
	t.Parallel()
	const (
		fits    = `{"edits":[{"file":"shapes/count.go","old":"one = 1","new":"one = 2"}],"answer":"I propose two."}`
		misses  = `{"edits":[{"file":"shapes/count.go","old":"three","new":"four"}],"answer":"I propose four."}`
		breaks  = `{"edits":[{"file":"shapes/count.go","old":"one = 1","new":"one = ("}],"answer":"I propose a half."}`
		without = `{"edits":[{"file":"shapes/count.go","old":"one = 1","new":"one = 3"}],"answer":" "}`
	)
	edit := func(id, arguments string) llmtest.Call {
		return llmtest.Call{ID: id, Name: "apply_code_edit", Arguments: arguments}
	}
	const ruled = `{"edits":[{"file":"ruled/a.go","old":"one = 1","new":"one = 2"}],"answer":"I propose two."}`
	read := llmtest.Call{ID: "r", Name: "read_file", Arguments: `{"file":"no/such.go"}`}
	for _, tt := range []struct {
		name     string
		first    llmtest.Turn
		want     string
		requests int
	}{
		{"alone", llmtest.Turn{Calls: []llmtest.Call{edit("a", fits)}}, "I propose two.", 1},
		{"after words", llmtest.Turn{Text: []string{"I look."}, Calls: []llmtest.Call{edit("a", fits)}}, "I look.\n\nI propose two.", 1},
		{"two edits", llmtest.Turn{Calls: []llmtest.Call{edit("a", without), edit("b", strings.Replace(fits, "one = 1", "one = 3", 1))}}, "I propose two.", 1},
		{"an edit that failed", llmtest.Turn{Calls: []llmtest.Call{edit("a", misses)}}, "Later.", 2},
		{"a syntax error", llmtest.Turn{Calls: []llmtest.Call{edit("a", breaks)}}, "Later.", 2},
		{"another call that failed", llmtest.Turn{Calls: []llmtest.Call{read, edit("a", fits)}}, "Later.", 2},
		{"rules that the model has not read", llmtest.Turn{Calls: []llmtest.Call{edit("a", ruled)}}, "Later.", 2},
		{"a blank answer", llmtest.Turn{Calls: []llmtest.Call{edit("a", without)}}, "Later.", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.write("shapes/count.go", "package shapes\n\nvar one = 1\n")
			f.write("ruled/a.go", "package ruled\n\nvar one = 1\n")
			f.write("ruled/AGENTS.md", "Numbers stay odd.\n")
			server := f.useModel(tt.first, llmtest.Turn{Text: []string{"Later."}})
			e := f.startIndexed()
			result := e.Ask("edit")
			if result.StopReason != ploke.StopDone || result.Text != tt.want {
				t.Errorf("the turn ended %q with %q", result.StopReason, result.Text)
			}
			if n := len(server.Requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			if tt.requests > 1 {
				return
			}
			if len(result.Proposals) != 1 {
				t.Errorf("%d proposals", len(result.Proposals))
			}
			var next ploke.ChatSendResult
			e.Call(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: result.ConversationID, Text: "and now?"}, &next)
			messages := server.Requests()[1].Messages
			if answer := messages[len(messages)-2]; answer.Role != "assistant" || answer.Content != "I propose two." {
				t.Errorf("the next turn reads %+v", messages[2:])
			}
		})
	}
}
