package lsp_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

var liveMessage = regexp.MustCompile(`!\[|\](\(|:)|<[a-z/!?]`)

// TestNothingOfAModelIsLiveInAMessage has a model put a picture, an element and links into a reason, which is the title of its proposal,
// and looks at the messages and questions of a client that shows messages, and of one that is asked.
func TestNothingOfAModelIsLiveInAMessage(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"![x](http://e/p) it", "<img src=x> it", "[it](command:x)", "<command:x> it", "[it][r] [r]: command:x"} {
		for _, name := range []string{"coc.nvim", "another"} {
			t.Run(name+" "+words, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t)
				f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "apply_code_edit", Arguments: fmt.Sprintf(
					`{"reason":%q,"edits":[{"file":"shapes/circle.go","old":"Radius float64","new":"Radius float64 // in meters"}]}`, words)}}},
					llmtest.Turn{Text: []string{"Proposed."}})
				asked := make(chan string, 2)
				e := f.start(lsptest.Options{Capabilities: plain(nil), OnInitialize: as(name, "0.0.82"),
					OnPermission: func(_ context.Context, question string) string { asked <- question; return "Accept" }})
				e.AwaitProgressEnd(indexingTitle)
				e.Open(f.path("shapes/circle.go"))
				runCommand(e, "ploke.ask", `"go"`)
				var shown []string
				if name == "coc.nvim" {
					shown = append(shown, testbed.Receive(t, asked, "the question"))
					awaitMessage(e, "ploke: accepted")
				} else {
					awaitMessage(e, "ploke: a proposal waits")
				}
				for _, m := range e.Messages() {
					shown = append(shown, m.Message)
				}
				all := strings.Join(shown, "\n")
				if live := liveMessage.FindString(all); live != "" || !strings.Contains(all, "e/p) it") && !strings.Contains(all, "it]") &&
					!strings.Contains(all, "> it") && !strings.Contains(all, "< command:x> it") {
					t.Errorf("%q is live in %s", live, all)
				}
			})
		}
	}
}
