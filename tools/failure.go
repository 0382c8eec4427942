package tools

import (
	"strings"
	"unicode"
)

// Failure is an error that the model can correct. A tool returns it as its error; [Tool.Run]
// turns it into a result with "ok": false.
type Failure struct {
	Message    string `json:"error"`           // what went wrong
	Code       string `json:"code"`            // for programs: invalid_arguments, bad_value, not_found, …
	Field      string `json:"field,omitempty"` // the argument at fault, as in edits[2].file
	Hint       string `json:"hint"`            // what to try
	Candidates []any  `json:"candidates,omitempty"`
	// Faults are what is wrong, if it is more than one thing.
	Faults []*Failure `json:"faults,omitempty"`
}

const messageBytes = 1000 // it may quote the model's arguments

func (f *Failure) Error() string { return f.Message }

func (f *Failure) result() (Result, error) {
	for _, failure := range append([]*Failure{f}, f.Faults...) {
		failure.Message = inLine(failure.Message, messageBytes) // names may contain newlines
	}
	content, err := encode(struct {
		OK bool `json:"ok"`
		*Failure
	}{false, f})
	if err != nil {
		return Result{}, err
	}
	return Result{Content: content, Summary: oneLine(f.Message)}, nil
}

// badValue says that arguments fit the schema, but that the tool can't use them. Such a call is
// not an invalid one: the tool has run, and says what to do.
func badValue(field, message, hint string) *Failure {
	return &Failure{Message: cut(message, 300), Code: "bad_value", Field: field, Hint: hint}
}

// cut shortens s to at most limit bytes. It cuts between words, since a part of a secret is
// not recognized.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	end := strings.LastIndexFunc(s[:max(limit-len(mark), 0)+1], unicode.IsSpace)
	return strings.TrimSpace(s[:max(end, 0)]) + mark
}
