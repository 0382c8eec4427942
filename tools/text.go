package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// A result has two renderings: JSON, which is stored and which programs read, and text, which
// alone is sent to a model. The text is a function of the JSON and the workspace's roots.

// Content is what a tool returns. It is stored as JSON, and decoded again to be written as text.
type Content interface {
	// Text writes the content for a model. It must not fail: what JSON can say, text can.
	Text(w *TextWriter)
}

// Paths converts paths between the forms that results and models use. A workspace implements it.
type Paths interface {
	// Roots returns the absolute paths of the workspace's folders.
	Roots() []string
	// Rel returns the form in which a model reads an absolute path.
	Rel(path string) string
	// Resolve returns the absolute path for any form.
	Resolve(name string) (string, error)
}

// Text returns the text of a stored result, which begins with "error: " exactly if the call failed. The
// result of a tool of another program has its text even if the set lacks the tool. The result of
// an unknown tool, or one in a form that this version does not know, is returned as it
// is, in JSON, so that nothing is hidden.
func (s *Set) Text(tool string, content json.RawMessage) string {
	content, repeated := withoutNote(content)
	w := &TextWriter{set: s}
	t, known := s.Get(tool)
	if known {
		w.paths = t.paths
	}
	failure, failed := failureIn(content)
	switch {
	case failed:
		failure.Text(w)
	case !(known && t.text(w, content)) && !serverText(w, content):
		w.Line(string(content))
	case saysFailed(content):
		return w.end(errorMark, repeated)
	}
	return w.end("", repeated)
}

// end returns the text, after a mark and with a note.
func (w *TextWriter) end(mark, note string) string {
	w.Note(note)
	return mark + strings.TrimSuffix(w.out.String(), "\n")
}

// errorMark is how the text of a failed call begins.
const errorMark = "error: "

// saysFailed reports whether a result says of itself that the call failed.
func saysFailed(content json.RawMessage) bool {
	var c struct{ OK *bool }
	return json.Unmarshal(content, &c) == nil && c.OK != nil && !*c.OK
}

// textOf returns the function that decodes a content of type C and writes its text. It reports
// false, and writes nothing, if the content has fields that C does not know.
func textOf[C Content]() func(w *TextWriter, content json.RawMessage) bool {
	return func(w *TextWriter, content json.RawMessage) bool {
		var c C
		if !decodesAs(content, &c) {
			return false
		}
		c.Text(w)
		return true
	}
}

// decodesAs decodes JSON into v, and reports whether v has all of it.
func decodesAs(content json.RawMessage, v any) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v) == nil
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
	own, err := encode(fields)
	if err != nil {
		return content, ""
	}
	return own, repeated
}

// TextWriter writes the text of a result.
type TextWriter struct {
	out   strings.Builder
	paths Paths // nil: paths stay as they are
	set   *Set
	sink  func(text string) // gets what Line writes, instead of out, if it is set
	// numbered has what Snippet writes for the snippets that Shown has parsed, if it is set.
	numbered map[string]string
}

// Line writes a line. The text may have several lines itself.
func (w *TextWriter) Line(text string) {
	if w.sink != nil {
		w.sink(endLine(text))
		return
	}
	w.out.WriteString(endLine(text))
}

// Linef formats a line.
func (w *TextWriter) Linef(format string, args ...any) {
	w.Line(fmt.Sprintf(format, args...))
}

// Note writes a line if there is something to say.
func (w *TextWriter) Note(text string) {
	if text != "" {
		w.Line(text)
	}
}

// Path returns a path as a model reads it: relative to the root. Each tool takes this form. A
// path that is not one plain line is a JSON string.
func (w *TextWriter) Path(path string) string {
	if w.paths != nil {
		path = w.paths.Rel(path)
	}
	if strings.HasPrefix(path, "file:") {
		path = "./" + path // it is no URI
	}
	if strings.ContainsFunc(path, isDeceptive) || strings.TrimSpace(path) != path {
		return jsonOf(path)
	}
	return path
}

// Place returns a path with lines, in the form of [placeID], as a model reads it.
func (w *TextWriter) Place(id string) string {
	if at := strings.LastIndexByte(id, '#'); at > 0 {
		return w.Path(id[:at]) + id[at:]
	}
	return w.Path(id)
}

// Snippet writes code of a file with its line numbers. first is the number of the first line.
func (w *TextWriter) Snippet(path string, first int, code string) {
	w.Line(w.numberedSnippet(path, first, code))
}

func (w *TextWriter) numberedSnippet(path string, first int, code string) string {
	if w.paths != nil {
		path = w.paths.Rel(path)
	}
	return NumberedSnippet(path, first, code)
}

// Shown writes the snippet that a JSON string has, with line numbers.
func (w *TextWriter) Shown(snippet string) {
	text, known := w.numbered[snippet]
	if !known {
		text = snippet
		if code, ok := snippetIn(snippet); ok {
			text = endLine(w.numberedSnippet(code.Path, code.StartLine, code.Text))
		}
		if w.numbered != nil {
			w.numbered[snippet] = text
		}
	}
	w.Line(text)
}

// lineRangeText returns a range of lines, 1-based and inclusive.
func lineRangeText(first, last int) string {
	if last <= first {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// listOfLines returns ranges of lines in words, such as line 20, or lines 8-10, 14.
func listOfLines(ranges ...string) string {
	list := strings.Join(ranges, ", ")
	if strings.ContainsAny(list, "-,") {
		return "lines " + list
	}
	return "line " + list
}

// notSaved is what a model reads of a text that comes from a proposal.
const notSaved = "proposed, not saved"

// marked returns a heading of a file's text, with a mark if the text comes from a proposal.
func marked(heading, proposal string) string {
	switch {
	case proposal == "":
		return heading
	case heading == "":
		return notSaved
	}
	return heading + " (" + notSaved + ")"
}

var fullHash = lazyregexp.New(`\b[0-9a-f]{64}\b`)

// hashDigits is how many digits of a hash a model reads.
const hashDigits = 12

// Hash returns the digits of a hash that a model reads.
func (w *TextWriter) Hash(hash string) string { return hash[:min(len(hash), hashDigits)] }

// Message returns a sentence of a result with its paths and hashes as a model reads them.
func (w *TextWriter) Message(text string) string {
	text = fullHash.ReplaceAllStringFunc(text, w.Hash)
	if w.paths == nil {
		return text
	}
	roots := slices.Clone(w.paths.Roots())
	slices.SortFunc(roots, func(a, b string) int { return len(b) - len(a) }) // inner ones first
	for _, root := range roots {
		for _, separator := range []string{"/", `\`} {
			label := strings.TrimPrefix(w.paths.Rel(root)+"/", "./")
			text = replacePaths(text, root+separator, label)
		}
	}
	return text
}

// replacePaths replaces the beginning of paths in a text. It leaves paths that only contain it.
func replacePaths(text, beginning, replacement string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, beginning)
		if at < 0 {
			return b.String() + text
		}
		b.WriteString(text[:at])
		if before := b.String(); before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n\"'`(<[:=,") {
			b.WriteString(replacement)
		} else {
			b.WriteString(beginning)
		}
		text = text[at+len(beginning):]
	}
}
