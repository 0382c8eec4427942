package session

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// TestExport writes a conversation with attachments, calls that went well and not,
// an answer that was cut off and one that failed; and a branch of it.
func TestExport(t *testing.T) {
	h := start(t, tools.NewSet(echo("echo")), nil,
		llmtest.Turn{Text: []string{"Let me see."}, Calls: []llmtest.Call{call("a", "echo", "x"), call("b", "nonesuch", "")}}, says("So it is."),
		llmtest.Turn{Text: []string{"Half of"}, Finish: "length"}, llmtest.Turn{Status: 401})
	first, _ := h.ask(t, Prompt{Text: "Is it so?\n", Attachments: []records.Attachment{{Path: "/w/a.go", StartLine: 3, EndLine: 4, Text: "x\ny\n"}}})
	id := first.ConversationID
	h.ask(t, Prompt{ConversationID: id, Text: "Why?"})
	h.ask(t, Prompt{ConversationID: id, Text: "Go on."})
	const begin = `# Is it so?

## You · TIME

Is it so?

- with /w/a.go, lines 3 to 4

## test/m · TIME

- echo: echo said something
- nonesuch: there is no tool "nonesuch"

LET ME SEE.

SO IT IS.
`
	const rest = `
## You · TIME

Why?

## test/m · TIME

HALF OF

*completed: the answer was cut off at the model's token limit; tell it to continue*

## You · TIME

Go on.

## test/m · TIME

*failed: test: scripted error (HTTP 401): check the API key of this provider and its permissions*
`
	at := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`)
	for leaf, want := range map[string]string{"": begin + rest, first.AssistantMessageID: begin} {
		text, err := h.Export(t.Context(), id, leaf, strings.ToUpper)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, at.ReplaceAllString(text, "TIME")); d != "" {
			t.Error(d)
		}
	}
}
