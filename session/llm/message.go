package llm

import "encoding/json"

// Role is the author of a message.
type Role string

// The roles of messages.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
	Project   Role = "project" // its authors, whose rules stand in files
)

// Message is one message of a conversation with a model.
type Message struct {
	Role   Role
	Text   string
	Calls  []Call // of an assistant's message
	CallID string // of a tool's message: the call that it answers
	Name   string // of a tool's message: the tool
	// Content is the JSON of a tool's message, whose rendering Text is. Only the embedded model
	// reads it: remote providers send the text alone.
	Content json.RawMessage
	Opaque  Opaque // of an assistant's message, as in [Chunk]
	// Secrets are parts of the text that must not be sent. Providers ignore them: the caller
	// has replaced them.
	Secrets []string
	// InContent are secrets that were found in Content, which the text may show in another form. Providers ignore them,
	// too.
	InContent []string
}

// Opaque is state that a provider requires back with its model's message, such as
// signed reasoning, with who gave it: a JSON object. Only the same model of the same
// provider gets it back. nil means none.
type Opaque = json.RawMessage

// Call is a model's tool call. Its name and arguments are as the model wrote them, except for what
// only one meaning can repair: servers take the name back. Arguments may be invalid JSON, which is
// sent back within an object.
type Call struct {
	ID, Name  string
	Arguments json.RawMessage
}

// ToolSpec describes a tool that a model may call. Schema is the JSON Schema of its
// arguments.
type ToolSpec struct {
	Name, Description string
	Schema            json.RawMessage
}
