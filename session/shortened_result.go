package session

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
)

// What stays of a result when it is shortened, in bytes, approximately.
const (
	headBytes  = 600 // of its beginning
	errorBytes = 300 // of the error of a failed call
)

// shortenedResult returns the text that replaces a call's result under a compaction, if
// the text is shorter.
func (s *requestSession) shortenedResult(m llm.Message, c compaction) (text string, ok bool) {
	if m.Role != llm.Tool {
		return "", false
	}
	whole, ok := s.frame.results[m.CallID]
	if !ok {
		return "", false
	}
	n := headBytes
	if c.NoHeads {
		n = 0
	}
	key := shortResult{m.CallID, n}
	text, known := s.frame.short[key]
	if !known {
		text = whole.shortened(m.CallID, n)
		s.frame.short[key] = text
	}
	return text, len(text) < len(m.Text)
}

// shortResult names the shortened result of a call, with so many bytes of its beginning.
type shortResult struct {
	callID string
	head   int
}

const errorMark = "error: " // how the text of a failed call begins

// wholeResult is a call's result before it is shortened. It has the text, since a turn may look at all results
// several times, and writing the text of a result takes long.
type wholeResult struct{ summary, text string }

func (r rendering) wholeResult(c ToolCall) wholeResult {
	return wholeResult{c.Summary, r.tools.Text(c.Tool, c.Content)}
}

// shortened returns the text with only its first n bytes, or with the summary alone. A failed call stays
// a failed one.
func (r wholeResult) shortened(callID string, n int) string {
	var b strings.Builder
	if message, failed := strings.CutPrefix(r.text, errorMark); failed {
		b.WriteString(errorMark + firstLines(message, max(n, errorBytes)))
	} else {
		b.WriteString(r.summary + "\n")
		if n > 0 {
			b.WriteString(firstLines(r.text, n))
		}
	}
	return strings.TrimSuffix(b.String(), "\n") + fmt.Sprintf("\n(shortened to save space; recall_tool_result returns it all for call_id %s)", callID)
}

// firstLines returns a text, or as many of its lines as fit into n bytes. It cuts no line,
// since a part of a secret would not be found.
func firstLines(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:strings.LastIndexByte(text[:n], '\n')+1] + "…"
}
