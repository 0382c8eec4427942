package llm

import "encoding/json"

// Role says whose words a message holds.
type Role string

// The roles of messages.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one message of a conversation with a model.
type Message struct {
	Role   Role
	Text   string
	Calls  []Call // an assistant's
	CallID string // the call that a tool's message answers
	Name   string // the tool that it called
	Opaque Opaque // of an assistant's message, as the answer's chunk had it
}

// Opaque is what a provider wants back with its model's message, such as signed
// thoughts: a JSON object with the protocol's name as its only key. A provider
// of another protocol leaves it out. nil if there is none.
type Opaque = json.RawMessage

// Call is a request of the model to call a tool. Arguments are as the model
// wrote them and may be invalid JSON.
type Call struct {
	ID, Name  string
	Arguments json.RawMessage
}

// ToolSpec is a tool that a model may call. Schema is the JSON Schema of its
// arguments.
type ToolSpec struct {
	Name, Description string
	Schema            json.RawMessage
}
