package tools

import (
	"encoding/json"
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
}

// codeHashRequired is the code of a Failure that a symbol's hash resolves.
const codeHashRequired = "hash_required"

const messageBytes = 1000 // it may quote the model's arguments

func (f *Failure) Error() string { return f.Message }

func (f *Failure) result() (Result, error) {
	f.Message = inLine(f.Message, messageBytes) // names may contain newlines
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

// failureIn returns the failure that a result consists of.
func failureIn(content json.RawMessage) (f failureText, failed bool) {
	failed = json.Unmarshal(content, &f) == nil && !f.OK && f.Error != ""
	return f, failed
}

// failureText is a failure as it was stored.
type failureText struct {
	OK         bool              `json:"ok"`
	Error      string            `json:"error"`
	Field      string            `json:"field"`
	Hint       string            `json:"hint"`
	Code       string            `json:"code"`
	Candidates []json.RawMessage `json:"candidates"`
}

// Text writes what went wrong, what to try, and a line for each candidate.
func (f failureText) Text(w *TextWriter) {
	w.Line(errorMark + w.Message(f.Error))
	switch {
	case f.Field != "" && f.Hint != "":
		w.Linef("%s: %s", f.Field, w.Message(f.Hint))
	case f.Field != "":
		w.Linef("in %s", f.Field)
	default:
		w.Note(w.Message(f.Hint))
	}
	if len(f.Candidates) > 0 {
		w.Line("candidates:")
	}
	for _, c := range f.Candidates {
		w.candidate(c, f.Code == codeStale || f.Code == codeHashRequired)
	}
}

// candidate writes one of the things that a call may have meant: a path or a name, a symbol, a
// line or lines of a file, or a check. withHash says whether a symbol's hash is needed.
func (w *TextWriter) candidate(raw json.RawMessage, withHash bool) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		w.Line(w.Path(name))
		return
	}
	var c struct {
		symbolCandidate
		lineOfCode
		Snippet string `json:"snippet"`
		Name    string `json:"name"`
		Command string `json:"command"`
	}
	switch {
	case !decodesAs(raw, &c):
		w.Line(w.Message(string(raw)))
	case c.Snippet != "":
		w.Shown(c.Snippet)
	case c.ID != "":
		words := []string{w.Place(c.ID), string(c.Kind), c.Canon}
		if c.Signature != "" {
			words = append(words, oneLine(c.Signature))
		}
		if withHash {
			words = append(words, "hash "+w.Hash(c.Hash))
		}
		w.Line(strings.Join(words, " "))
	case c.File != "":
		w.Linef("%s:%d: %s", w.Path(c.File), c.Line, c.lineOfCode.Text)
	default:
		w.Linef("%s: %s", c.Name, c.Command)
	}
}
