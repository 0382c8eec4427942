package tools

import (
	"bytes"
	"encoding/json"
	"strings"

	"ploke-lsp/tools/wording"
)

// A result has two renderings: JSON, which is stored and which programs read, and text, which
// alone is sent to a model. The text is a function of the JSON and the workspace's roots.

// Content is what a tool returns. It is stored as JSON, and decoded again to be written as text.
type Content interface {
	// Text writes the content for a model. It must not fail: what JSON can say, text can.
	Text(w *wording.Writer)
}

// Text returns the text of a stored result, which begins with "error: " exactly if the call failed. The
// result of a tool of another program has its text even if the set lacks the tool. The result of
// an unknown tool, or one in a form that this version does not know, is returned as it
// is, in JSON, so that nothing is hidden.
func (s *Set) Text(tool string, content json.RawMessage) string {
	content, repeated := withoutNote(content)
	w := &wording.Writer{Recall: s.textOfCall}
	t, known := s.Get(tool)
	if known {
		w.Paths = t.paths
	}
	failure, failed := failureIn(content)
	switch {
	case failed:
		failure.Text(w)
	case !(known && t.text(w, content)) && !serverText(w, content):
		w.Line(string(content))
	case saysFailed(content):
		return ended(w, errorMark, repeated)
	}
	return ended(w, "", repeated)
}

// textOfCall returns the text of the result of a call. Its tool may have run another one.
func (s *Set) textOfCall(tool string, arguments, content json.RawMessage) string {
	return s.Text(s.Ran(tool, arguments), content)
}

// ended returns what was written, after a mark and with a note.
func ended(w *wording.Writer, mark, note string) string {
	w.Note(note)
	return mark + strings.TrimSuffix(w.String(), "\n")
}

// errorMark is how the text of a failed call begins.
const errorMark = "error: "

// saysFailed reports whether a result says of itself that the call failed.
func saysFailed(content json.RawMessage) bool {
	var c struct{ OK *bool }
	return json.Unmarshal(content, &c) == nil && c.OK != nil && !*c.OK
}

// contentText returns the function that decodes a content of type C and writes its text. It reports
// false, and writes nothing, if the content has fields that C does not know.
func contentText[C Content]() func(w *wording.Writer, content json.RawMessage) bool {
	return func(w *wording.Writer, content json.RawMessage) bool {
		var c C
		if !wording.DecodesAs(content, &c) {
			return false
		}
		c.Text(w)
		return true
	}
}

// RepeatedField is the field that the engine adds to a failure that the model repeats.
const RepeatedField = "repeated"

// withoutNote splits a result into what the tool returned and what the engine added.
func withoutNote(content json.RawMessage) (own json.RawMessage, repeated string) {
	var fields map[string]json.RawMessage
	if !bytes.Contains(content, []byte(`"`+RepeatedField+`"`)) || json.Unmarshal(content, &fields) != nil {
		return content, ""
	}
	if json.Unmarshal(fields[RepeatedField], &repeated) != nil {
		return content, ""
	}
	delete(fields, RepeatedField)
	own, err := wording.Encode(fields)
	if err != nil {
		return content, ""
	}
	return own, repeated
}
