package lsp_test

import (
	"testing"

	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

// TestAChatDocumentDecidesOnWhatItShowed accepts and rejects, by code actions in a chat document, what its answer has proposed, after
// the next message has amended that, and after another look.
func TestAChatDocumentDecidesOnWhatItShowed(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"accept", "reject"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(
				llmtest.Turn{Calls: []llmtest.Call{{ID: "create_1", Name: "create_file",
					Arguments: `{"reason":"A side","file":"shapes/side.go","content":"package shapes\n"}`}}},
				llmtest.Turn{Text: []string{"Proposed."}},
				llmtest.Turn{Calls: []llmtest.Call{{ID: "edit_1", Name: "apply_code_edit",
					Arguments: `{"edits":[{"file":"shapes/side.go","old":"package shapes","new":"package evil"}]}`}}},
				llmtest.Turn{Text: []string{"Amended."}})
			e := f.start(lsptest.Options{Capabilities: plain(nil)})
			e.AwaitProgressEnd(indexingTitle)
			path := f.openChat(e)
			write(e, path, "\nMake a side.\n")
			sendChat(t, e, path, 0)
			awaitChat(e, path, 1)
			title := `ploke: ` + verb + ` "A side"`
			awaitBeginning(t, e, path, "# ", title)
			yes := commandOf(t, e, codeAction(t, e, path, "# ", title).Command)
			write(e, path, "\nMore.\n")
			sendChat(t, e, path, 0)
			awaitChat(e, path, 2)
			if err := yes(); err != nil {
				t.Fatal(err)
			}
			awaitMessage(e, changedSince)
			if exists(f.path("shapes/side.go")) || proposals(e)[0].Status != "staged" {
				t.Errorf("it was decided: %+v", proposals(e))
			}
			run(t, e, path, "# ", title)
			e.Await("the decision", func() bool { return said(e, "ploke: "+verb+"ed: ") == 1 })
			awaitSettled(t, e)
			if exists(f.path("shapes/side.go")) != (verb == "accept") {
				t.Errorf("after another look it is %+v", proposals(e))
			}
		})
	}
}
