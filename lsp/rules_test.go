package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestRulesOfTheProjectAreBounded sends an AGENTS.md of 140 KB: its first 10 KB, a tenth of the window, reach the
// model, in the user's role, and the person is told once.
func TestRulesOfTheProjectAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("AGENTS.md", "The first rule.\n"+strings.Repeat("Rules upon rules.\n", 140<<10/18)+"The last rule.\n")
	model := f.useModel(llmtest.Turn{Text: []string{"one"}}, llmtest.Turn{Text: []string{"two"}})
	e := f.startIndexed()
	for _, question := range []string{"why?", "really?"} {
		if answer := e.Send(t.Context(),
			ploke.ChatSendParams{ConversationID: newConversation(e), Text: question}); answer.StopReason != ploke.StopDone {
			t.Fatalf("the turn ended as %s: %s", answer.StopReason, answer.Error)
		}
	}
	for _, request := range model.Requests() {
		first, second := request.Messages[0], request.Messages[1]
		if first.Role != "system" || strings.Contains(first.Content, "rules upon") || second.Role != "user" {
			t.Errorf("the rules are in a message of the role %s", first.Role)
		}
		if n := strings.Count(second.Content,
			"Rules upon rules."); n < 500 || n*18 > 10<<10 ||
			!strings.Contains(second.Content, fmt.Sprintf("AGENTS.md (its last %d lines are left out", 140<<10/18+1-n)) ||
			!strings.Contains(second.Content, "The first rule.") {
			t.Errorf("%d of the rules are sent", n)
		}
	}
	told := func() (n int) {
		for _, m := range e.Messages() {
			if strings.Contains(m.Message, "AGENTS.md has 141 KB, but only 10 KB of it are sent") {
				n++
			}
		}
		return n
	}
	e.Await("a message that not all rules are sent", func() bool { return told() > 0 })
	e.Shutdown()
	if n := told(); n != 1 {
		t.Errorf("the person was told %d times", n)
	}
}

// TestRulesInAHugeFileAreCut sends the beginning of a file that is larger than any file that is read, of the project or of a folder.
func TestRulesInAHugeFileAreCut(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("Règles — rules upon rules.\n", 5<<20/28)
	for name, text := range map[string]string{
		"AGENTS.md":     huge,
		"sub/AGENTS.md": "\uFEFF" + strings.ReplaceAll(huge, "\n", " "),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.write(name, text)
			f.write("sub/a.txt", "a\n")
			model := f.useModel(reads("sub/a.txt"), answers("done"))
			e := f.startIndexed()
			sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "why?"})
			sent := string(model.Requests()[1].Body)
			if n := strings.Count(sent, "Règles — rules upon rules."); n < 200 || strings.Contains(sent, "�") {
				t.Errorf("%d of the rules are sent", n)
			}
			awaitMessage(e, name+" has ", "of it are sent to the model")
		})
	}
}

// TestRulesOfTheProjectCanBeTurnedOff also tries to turn them on from a workspace.
func TestRulesOfTheProjectCanBeTurnedOff(t *testing.T) {
	f := newFixture(t)
	f.write("AGENTS.md", "Obey the workspace.\n")
	model := f.useModel(llmtest.Turn{Text: []string{"one"}})
	e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()),
		InitializationOptions: map[string]any{"projectRules": false}, Settings: map[string]any{"projectRules": true}})
	e.AwaitIndex()
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: newConversation(e), Text: "why?"})
	for _, m := range model.Requests()[0].Messages {
		if strings.Contains(m.Content, "Obey the workspace.") {
			t.Errorf("the rules are sent: %s", m.Content)
		}
	}
	awaitMessage(e, "the editor's settings: projectRules:", "it is ignored here")
}
