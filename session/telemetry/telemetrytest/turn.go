// Package telemetrytest has events for the tests of telemetry.
package telemetrytest

import "ploke-lsp/session/bus"

// Secret stands for all that must not leave.
const Secret = "my secret code"

// Turn returns what the bus says of a turn with two requests, three calls and an error.
func Turn() []bus.Event {
	inTurn := bus.TurnRef{RequestID: "turn"}
	started := bus.TurnRef{ConversationID: "conversation", RequestID: "turn"}
	tokens := bus.Tokens{In: 10, Out: 5, Cached: 4, Cost: 0.5}
	call := func(id, name string) bus.CallRef { return bus.CallRef{TurnRef: inTurn, ID: id, Name: name} }
	requested := func(id, name string) bus.Event {
		ref := bus.CallRef{TurnRef: inTurn, ParentID: "message", ID: id, CallID: "call_" + id, Name: name}
		return bus.ToolCallRequested{CallRef: ref, Arguments: []byte(Secret)}
	}
	return []bus.Event{
		bus.TurnStarted{TurnRef: started, ParentID: "message", Title: Secret},
		bus.PromptConstructed{TurnRef: inTurn, Model: "provider/model", Messages: 2},
		bus.RequestStarted{TurnRef: inTurn, ParentID: "message", ID: "first", Model: "provider/model"},
		bus.MessageDelta{TurnRef: inTurn, Text: Secret},
		bus.RequestFinished{TurnRef: inTurn, ID: "first", Model: "provider/model", Tokens: tokens},
		requested("a", "read"), requested("b", "read"), requested("c", Secret),
		bus.ToolCallStarted{CallRef: call("a", "read")},
		bus.ToolCallStarted{CallRef: call("b", "read")},
		bus.ToolCallFailed{CallRef: call("c", Secret), Code: bus.CodeInvalid, Error: Secret},
		bus.ToolCallCompleted{CallRef: call("a", "read"), Content: []byte(Secret), Summary: Secret},
		bus.ToolCallFailed{CallRef: call("b", "read"), Code: bus.CodeTimeout, Error: Secret},
		bus.RequestStarted{TurnRef: inTurn, ParentID: "message", ID: "second", Model: "provider/model"},
		bus.RequestFinished{TurnRef: inTurn, ID: "second", Model: "provider/model", Error: Secret},
		bus.TurnFinished{TurnRef: inTurn, StopReason: bus.StopError, Error: Secret, Usage: bus.Tokens{In: 10}},
	}
}
