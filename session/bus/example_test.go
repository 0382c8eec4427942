package bus_test

import (
	"context"
	"fmt"

	"ploke-lsp/session/bus"
)

// A participant reads all that is published, and deltas of one message that it has not read yet as one.
func Example() {
	b := bus.New()
	view := b.Participant("view")

	turn := bus.TurnRef{ConversationID: "c1", RequestID: "r1"}
	b.Publish(
		bus.TurnStarted{TurnRef: turn, ParentID: "m1", Title: "What does Serve do?"},
		bus.MessageDelta{TurnRef: turn, Text: "It serves "},
		bus.MessageDelta{TurnRef: turn, Text: "one client."},
		bus.TurnFinished{TurnRef: turn, StopReason: bus.StopDone},
	)

	for range 3 {
		switch e, _ := view.Next(context.Background()); e := e.(type) {
		case bus.TurnStarted:
			fmt.Println("started:", e.Title)
		case bus.MessageDelta:
			fmt.Println("text:", e.Text)
		case bus.TurnFinished:
			fmt.Println("finished:", e.StopReason)
		}
	}
	view.Close()
	b.Close()
	// Output:
	// started: What does Serve do?
	// text: It serves one client.
	// finished: done
}
