package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAutoAccept sets edits.autoAccept: proposals without syntax errors are applied after
// the turn, and those with syntax errors stay staged.
func TestAutoAccept(t *testing.T) {
	t.Parallel()
	done := llmtest.Turn{Text: []string{"Done."}}
	for name, tt := range map[string]struct {
		auto   bool
		model  llmtest.Turn
		end    llmtest.Turn
		status string
	}{
		"on":  {true, createFileTurn("c", "good.go"), done, "verified"},
		"off": {false, createFileTurn("c", "good.go"), done, "staged"},
		"syntax error": {true, llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "create_file",
			Arguments: `{"file":"bad.go","content":"package bad\n\nfunc {\n"}`}}}, done, "staged"},
		"the turn fails":           {true, createFileTurn("c", "good.go"), llmtest.Turn{Status: 403}, "staged"},
		"the turn reaches a limit": {true, createFileTurn("c", "good.go"), llmtest.Turn{Text: []string{"Half"}, Finish: "length"}, "staged"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(tt.model, tt.end, createFileTurn("d", "later.go"), llmtest.Turn{Text: []string{"Done again."}})
			e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": tt.auto}}})
			e.AwaitIndex()
			id := newConversation(e)
			e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "write"})
			second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "and another"}).Proposals[0]
			if tt.auto { // then the first proposal has been handled, too
				e.Await("the second proposal to be applied", func() bool {
					return slices.ContainsFunc(e.Events(), func(ev ploke.Event) bool { return ev.ID == second && ev.Status == "verified" })
				})
			}
			var list ploke.ProposalListResult
			e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &list)
			if got := list.Proposals[len(list.Proposals)-1]; string(got.Status) != tt.status {
				t.Errorf("the proposal is %s; want %s", got.Status, tt.status)
			}
			if got := list.Proposals[0]; got.Status == "verified" != tt.auto {
				t.Errorf("the second proposal is %s; want it applied: %v", got.Status, tt.auto)
			}
		})
	}
}

// TestWhatACancelledTurnProposedWaits stops a turn that has proposed a file, in each way in which one is stopped.
func TestWhatACancelledTurnProposedWaits(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(e *lsptest.Editor, conversation string){
		"by a request": func(e *lsptest.Editor, id string) {
			e.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: id}, nil)
		},
		"by a command": func(e *lsptest.Editor, _ string) { runCommand(e, ploke.CommandChatStop) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			gate := llmtest.NewGate()
			f.useModel(createFileTurn("c", "good.go"), llmtest.Turn{Text: []string{"Done."}, Hold: gate},
				createFileTurn("d", "later.go"), llmtest.Turn{Text: []string{"Done again."}})
			e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": true}}})
			e.AwaitIndex()
			id := newConversation(e)
			first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "write"})
			testbed.Receive(t, gate.Reached(), "the request after the call")
			stop(e, id)
			if ended := testbed.Receive(t, first, "the end of the turn"); ended.StopReason != ploke.StopCancelled {
				t.Errorf("the turn ended with %s", ended.StopReason)
			}
			gate.Open()
			second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "and another"}).Proposals[0]
			e.Await("the second proposal to be applied", func() bool {
				return slices.ContainsFunc(e.Events(), func(ev ploke.Event) bool { return ev.ID == second && ev.Status == "verified" })
			})
			if all := proposals(e); len(all) != 2 || all[1].Status != "staged" || exists(f.path("good.go")) {
				t.Errorf("the proposals are %+v", all)
			}
		})
	}
}

// TestFilesThatRunByThemselvesAlwaysAsk has a model write files that run, or instruct an
// assistant, once the folder is opened or built. They wait for the person although
// edits.autoAccept is set.
func TestFilesThatRunByThemselvesAlwaysAsk(t *testing.T) {
	t.Parallel()
	files := []string{".vscode/tasks.json", ".VSCODE/Settings.json", ".helix/languages.toml", ".github/workflows/ci.yml", ".gitlab-ci.yml",
		".husky/commit", "tools/pre-commit", "Makefile", "sub/makefile", "package.json", "web/package.json", "build.rs", "conftest.py",
		".devcontainer/devcontainer.json", ".idea/workspace.xml", ".exrc", ".nvim.lua", ".dir-locals.el", "all.code-workspace", ".mcp.json", "docs/x/HEAD", "docs/x/objects.json", "AGENTS.md", "docs/agents.md"}
	turns := []llmtest.Turn{}
	for i, file := range files {
		turns = append(turns, createFileTurn(fmt.Sprint("c", i), file), llmtest.Turn{Text: []string{"Done."}})
	}
	turns = append(turns, llmtest.Turn{Calls: []llmtest.Call{{ID: "r", Name: "rename_file", Arguments: `{"file":"shapes/circle.go","to":"shapes/setup.py"}`}}},
		llmtest.Turn{Text: []string{"Done."}}, createFileTurn("last", "last.go"), llmtest.Turn{Text: []string{"Done."}})
	f := newFixture(t)
	f.useModel(turns...)
	e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": true},
		"proof": map[string]any{"compile": false}}})
	e.AwaitIndex()
	var proposals []string
	for range len(files) + 2 {
		staged := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: newConversation(e), Text: "write"}).Proposals
		if len(staged) != 1 {
			t.Fatalf("a turn made %d proposals", len(staged))
		}
		proposals = append(proposals, staged...)
	}
	last := proposals[len(proposals)-1]
	e.Await("the last proposal to be applied", func() bool { // the others were looked at before
		return slices.ContainsFunc(e.Events(), func(ev ploke.Event) bool { return ev.ID == last && ev.Status == "verified" })
	})
	var list ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{Status: "staged"}, &list)
	if len(list.Proposals) != len(files)+1 {
		var waiting []string
		for _, p := range list.Proposals {
			waiting = append(waiting, p.Title)
		}
		t.Errorf("%d of %d proposals wait for the person: %q", len(list.Proposals), len(files)+1, waiting)
	}
	e.Await("a message that says why the proposal waits", func() bool {
		return slices.ContainsFunc(e.Messages(), func(m protocol.ShowMessageParams) bool {
			return strings.Contains(m.Message, "it changes AGENTS.md, which can run or instruct")
		})
	})
}
