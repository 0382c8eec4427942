package tools

import (
	"encoding/json"

	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

const messageBytes = 1000 // it may quote the model's arguments

// failedResult returns the result of a call that failed.
func failedResult(f *wording.Failure) (Result, error) {
	for _, failure := range append([]*wording.Failure{f}, f.Faults...) {
		failure.Message = wording.InLine(failure.Message, messageBytes) // names may contain newlines
	}
	content, err := wording.Encode(struct {
		OK bool `json:"ok"`
		*wording.Failure
	}{false, f})
	if err != nil {
		return Result{}, err
	}
	return Result{Content: content, Summary: wording.OneLine(f.Message)}, nil
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
	Faults     []failureText     `json:"faults"`
}

// Text writes what went wrong, what to try, and a line for each candidate.
func (f failureText) Text(w *wording.Writer) {
	w.Line(errorMark + w.Message(f.Error))
	f.explain(w)
	for _, fault := range f.Faults {
		w.Line(w.Message(fault.Error))
		fault.explain(w)
	}
}

// explain writes what to try, and the candidates.
func (f failureText) explain(w *wording.Writer) {
	switch {
	case f.Field != "" && f.Hint != "":
		w.Linef("%s: %s", f.Field, w.Message(f.Hint))
	case f.Field != "":
		w.Linef("in %s", f.Field)
	default:
		w.Note(w.Message(f.Hint))
	}
	if len(f.Candidates) > 0 && !placing.WriteNearMiss(w, f.Candidates[0]) && !placing.WriteLinesOfCode(w, f.Candidates) {
		w.Line("candidates:")
		f.list(w)
	}
}

// list writes a line for each candidate.
func (f failureText) list(w *wording.Writer) {
	for _, c := range f.Candidates {
		placing.WriteCandidate(w, c, f.Code == codeStale || f.Code == wording.CodeHashRequired)
	}
}
