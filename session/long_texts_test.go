package session

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// TestLongTextsAreStoredCompressed stores a long result and a long attachment in little room. They are
// what they were in the history, in later requests, and after a restart.
func TestLongTextsAreStoredCompressed(t *testing.T) {
	var long strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&long, "line %d of a file\n", i)
	}
	set := tools.NewSet(echo("echo"))
	h := start(t, set, nil, calls(call("a", "echo", long.String())), says("one"), says("two"), says("three"))
	turn, _ := h.ask(t, Prompt{Text: "go", Attachments: []records.Attachment{{Path: "/a.txt", StartLine: 1, EndLine: 1000, Text: long.String()}}})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "on"})
	h.Close()
	h.run(t, set, nil)
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and on"})

	checkPrefixes(t, h.server.Requests())
	for what, query := range map[string]string{
		"the result":    `SELECT length(content) FROM tool_calls WHERE typeof(content) = 'blob'`,
		"the arguments": `SELECT length(arguments) FROM tool_calls WHERE typeof(arguments) = 'blob'`,
		"the message":   `SELECT length(extra) + length(long_extra) FROM messages WHERE typeof(long_extra) = 'blob'`,
	} {
		if n := h.query(t, query); n > long.Len()/4 {
			t.Errorf("%s takes %d bytes", what, n)
		}
	}
	messages := h.history(t, turn.ConversationID)
	if got := messages[0].Attachments; len(got) != 1 || got[0].Text != long.String() {
		t.Errorf("%d attachments", len(got))
	}
	if got := string(messages[1].Calls[0].Content); !strings.Contains(got, records.Marshal(long.String())) {
		t.Errorf("the result is %.100s… of %d bytes", got, len(got))
	}
}
