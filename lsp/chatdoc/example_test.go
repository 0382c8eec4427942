package chatdoc_test

import (
	"fmt"

	"ploke-lsp/lsp/chatdoc"
)

// A conversation is rendered, a person writes below its last heading, and what they wrote is the draft.
func Example() {
	text := chatdoc.Render(chatdoc.Conversation{ID: "c1", Leaf: "m1", Title: "What does Serve do?",
		Turns: []chatdoc.Turn{{Question: "What does Serve do?", Model: "embedded", Answer: "It serves one client."}}})
	text += "\nAnd who closes it?\n"

	draft, _ := chatdoc.Parse(text).Draft()
	fmt.Print(text)
	fmt.Printf("draft %d: %s\n", draft.Number, chatdoc.Parse(text).Text(draft))
	// Output:
	// <!-- ploke chat c1 m1 -->
	// # What does Serve do?
	//
	// ## You 1
	//
	// What does Serve do?
	//
	// ## ploke 1 · embedded
	//
	// It serves one client.
	//
	// ## You 2
	//
	// And who closes it?
	// draft 2: And who closes it?
}
