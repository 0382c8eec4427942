package window

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// What stays of a result when it is shortened, in bytes, approximately.
const (
	headBytes  = 600 // of its beginning
	errorBytes = 300 // of the error of a failed call
)

// ErrorMark is how the text of a failed call begins.
const ErrorMark = "error: "

// Result is a call's result before it is shortened. It keeps the shortened texts, since each turn sends them again.
// One goroutine uses it.
type Result struct {
	CallID, Summary string
	Text            string // "" once it was trimmed
	Size            int    // of the text, in bytes
	head, bare      string // shortened texts, with the beginning and without; "" until they are asked for
	Uncut           string // the text before it was cut, of a call of the running turn
}

// NewResult returns the result in a message that is sent whole; summary is one line for people.
func NewResult(m *llm.Message, summary string) *Result {
	return &Result{CallID: m.CallID, Summary: summary, Text: m.Text, Size: len(m.Text)}
}

// TextUnder returns the text that replaces the result under a compaction that shortens it, if that
// is shorter, else text.
func (r *Result) TextUnder(c records.Compaction, text string) string {
	if short := r.shortened(!c.NoHeads); len(short) < r.Size {
		return short
	}
	return text
}

// shortened returns the text with only its beginning, or with the summary alone.
func (r *Result) shortened(head bool) string {
	if head {
		if r.head == "" {
			r.head = r.shorten(headBytes)
		}
		return r.head
	}
	if r.bare == "" {
		r.bare = r.shorten(0)
	}
	return r.bare
}

// shorten returns the text with only its first n bytes, or with the summary alone. A failed call stays
// a failed one.
func (r *Result) shorten(n int) string {
	var b strings.Builder
	if message, failed := strings.CutPrefix(r.Text, ErrorMark); failed {
		b.WriteString(ErrorMark + FirstLines(message, max(n, errorBytes)))
	} else {
		b.WriteString(r.Summary + "\n")
		if n > 0 {
			b.WriteString(FirstLines(r.Text, n))
		}
	}
	return strings.TrimSuffix(b.String(), "\n") +
		fmt.Sprintf("\n(shortened to save space; recall_tool_result returns it all for call_id %s)", r.CallID)
}

// trim lets go of the text, and keeps what any compaction that shortens it sends. It reports whether it did: not if the
// shortened texts are no shorter.
func (r *Result) trim() bool {
	if r == nil || len(r.shortened(false)) >= r.Size || len(r.shortened(true)) >= r.Size {
		return false
	}
	r.Text = ""
	return true
}

// FirstLines returns a text, or as many of its lines as fit into n bytes. It cuts no line,
// since a part of a secret would not be found.
func FirstLines(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:strings.LastIndexByte(text[:n], '\n')+1] + "…"
}
