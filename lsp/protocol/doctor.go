package protocol

// MethodDoctor checks what the server needs, and says what does not work and what to do about it.
// It sends a tiny request to the configured model, so it may take seconds.
const MethodDoctor = "ploke/doctor"

// A DoctorResult says how everything is that the server needs. It never contains a key.
type DoctorResult struct {
	Markdown string    `json:"markdown"` // the findings as a document
	Findings []Finding `json:"findings"`
}

// A Finding says how one thing is, and what to do if it does not work.
type Finding struct {
	Level FindingLevel `json:"level"`
	What  string       `json:"what"` // one word, such as index
	Text  string       `json:"text"`
	// Command corrects it if a person runs it in a terminal, or leads on. A word in capitals, such as YOUR-KEY, has to be
	// replaced first.
	Command string `json:"command,omitempty"`
}

// FindingLevel is how serious a finding is.
type FindingLevel string

// The levels of findings.
const (
	FindingOK      FindingLevel = "ok"
	FindingWarning FindingLevel = "warning"
	FindingError   FindingLevel = "error" // something essential does not work
)

// A MarkdownDocument is a document to read. It never contains a key.
type MarkdownDocument struct {
	Markdown string `json:"markdown"`
}
