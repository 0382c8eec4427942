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
	record, ok := s.frame.records[m.CallID]
	if !ok {
		return "", false
	}
	n := headBytes
	if c.NoHeads {
		n = 0
	}
	text = s.e.render.shortened(withResult(record), n)
	return text, len(text) < len(m.Text)
}

const errorMark = "error: " // how the text of a failed call begins

// shortened returns the text of a call's result with only its first n bytes, or with the
// summary alone. A failed call stays a failed one.
func (r rendering) shortened(c ToolCall, n int) string {
	var b strings.Builder
	text := r.tools.Text(c.Tool, c.Content)
	if message, failed := strings.CutPrefix(text, errorMark); failed {
		b.WriteString(errorMark + firstLines(message, max(n, errorBytes)))
	} else {
		b.WriteString(c.Summary + "\n")
		if n > 0 {
			b.WriteString(firstLines(text, n))
		}
	}
	return strings.TrimSuffix(b.String(), "\n") + fmt.Sprintf("\n(shortened to save space; recall_tool_result returns it all for call_id %s)", c.CallID)
}

// firstLines returns a text, or as many of its lines as fit into n bytes. It cuts no line,
// since a part of a secret would not be found.
func firstLines(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:strings.LastIndexByte(text[:n], '\n')+1] + "…"
}
