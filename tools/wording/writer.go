package wording

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Paths converts paths between the forms that results and models use. A workspace implements it.
type Paths interface {
	// Roots returns the absolute paths of the workspace's folders.
	Roots() []string
	// Rel returns the form in which a model reads an absolute path.
	Rel(path string) string
	// Resolve returns the absolute path for any form.
	Resolve(name string) (string, error)
}

// Writer writes the text of a result.
type Writer struct {
	// Paths says how a model reads a path. Without it paths stay as they are.
	Paths Paths
	// Sink gets what Line writes, instead of the text, if it is set.
	Sink func(text string)
	// Numbered has what Snippet writes for the snippets that Shown has parsed, if it is set.
	Numbered map[string]string
	// Recall returns the text of the result of an earlier call.
	Recall func(tool string, arguments, content json.RawMessage) string

	Out strings.Builder
}

// String returns what was written.
func (w *Writer) String() string { return w.Out.String() }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return w.Out.Len() }

// Line writes a line. The text may have several lines itself.
func (w *Writer) Line(text string) {
	if w.Sink != nil {
		w.Sink(EndLine(text))
		return
	}
	w.Out.WriteString(EndLine(text))
}

// Linef formats a line.
func (w *Writer) Linef(format string, args ...any) {
	w.Line(fmt.Sprintf(format, args...))
}

// Note writes a line if there is something to say.
func (w *Writer) Note(text string) {
	if text != "" {
		w.Line(text)
	}
}

// Path returns a path as a model reads it: relative to the root. Each tool takes this form. A
// path that is not one plain line is a JSON string.
func (w *Writer) Path(path string) string {
	if w.Paths != nil {
		path = w.Paths.Rel(path)
	}
	if strings.HasPrefix(path, "file:") {
		path = "./" + path // it is not a URI
	}
	if strings.ContainsFunc(path, IsDeceptive) || strings.TrimSpace(path) != path {
		return JSON(path)
	}
	return path
}

// Place returns a path with lines, in the form of [PlaceID], as a model reads it.
func (w *Writer) Place(id string) string {
	if at := strings.LastIndexByte(id, '#'); at > 0 {
		return w.Path(id[:at]) + id[at:]
	}
	return w.Path(id)
}

// Snippet writes code of a file with its line numbers. first is the number of the first line.
func (w *Writer) Snippet(path string, first int, code string) {
	w.Line(w.numberedSnippet(path, first, code))
}

func (w *Writer) numberedSnippet(path string, first int, code string) string {
	if w.Paths != nil {
		path = w.Paths.Rel(path)
	}
	return NumberedSnippet(path, first, code)
}

// Shown writes the snippet that a JSON string has, with line numbers.
func (w *Writer) Shown(snippet string) {
	text, known := w.Numbered[snippet]
	if !known {
		text = snippet
		if code, ok := SnippetIn(snippet); ok {
			text = EndLine(w.numberedSnippet(code.Path, code.StartLine, code.Text))
		}
		if w.Numbered != nil {
			w.Numbered[snippet] = text
		}
	}
	w.Line(text)
}

// LineRange returns a range of lines, 1-based and inclusive.
func LineRange(first, last int) string {
	if last <= first {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// notSaved is what a model reads of a text that comes from a proposal.
const notSaved = "proposed, not saved"

// Marked returns a heading of a file's text, with a mark if the text comes from a proposal.
func Marked(heading, proposal string) string {
	switch {
	case proposal == "":
		return heading
	case heading == "":
		return notSaved
	}
	return heading + " (" + notSaved + ")"
}

var fullHash = lazyregexp.New(`\b[0-9a-f]{64}\b`)

// Message returns a sentence of a result with its paths and hashes as a model reads them.
func (w *Writer) Message(text string) string {
	text = fullHash.ReplaceAllStringFunc(text, w.Hash)
	if w.Paths == nil {
		return text
	}
	roots := slices.Clone(w.Paths.Roots())
	slices.SortFunc(roots, func(a, b string) int { return len(b) - len(a) }) // inner ones first
	for _, root := range roots {
		for _, separator := range []string{"/", `\`} {
			label := strings.TrimPrefix(w.Paths.Rel(root)+"/", "./")
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

// Hash returns the digits of a hash that a model reads.
func (w *Writer) Hash(hash string) string { return hash[:min(len(hash), hashDigits)] }

// ListOfLines returns ranges of lines in words, such as line 20, or lines 8-10, 14.
func ListOfLines(ranges ...string) string {
	list := strings.Join(ranges, ", ")
	if strings.ContainsAny(list, "-,") {
		return "lines " + list
	}
	return "line " + list
}
