package wording

// Failure is an error that the model can correct. A tool returns it as its error, and its
// call becomes a result with "ok": false.
type Failure struct {
	Message    string `json:"error"`           // what went wrong
	Code       string `json:"code"`            // for programs: invalid_arguments, bad_value, not_found, …
	Field      string `json:"field,omitempty"` // the argument at fault, as in edits[2].file
	Hint       string `json:"hint"`            // what to try
	Candidates []any  `json:"candidates,omitempty"`
	// Faults are what is wrong, if it is more than one thing.
	Faults []*Failure `json:"faults,omitempty"`
}

// CodeHashRequired is the code of a Failure that a symbol's hash resolves.
const CodeHashRequired = "hash_required"

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// BadValue says that arguments fit the schema, but that the tool can't use them. Such a call is
// not an invalid one: the tool has run, and says what to do.
func BadValue(field, message, hint string) *Failure {
	return &Failure{Message: Cut(message, 300), Code: "bad_value", Field: field, Hint: hint}
}

// MaxFaults bounds how many faults a failure has.
const MaxFaults = 20
