package protocol

// MethodDoctor checks what the server needs, and says what does not work and what to do about it. It sends a tiny request to
// the configured model, so it may take seconds.
const MethodDoctor = "ploke/doctor"

// A MarkdownDocument is a document to read. It never contains a key.
type MarkdownDocument struct {
	Markdown string `json:"markdown"`
}
