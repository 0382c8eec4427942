package session

import (
	"bytes"
	"encoding/json"
	"strings"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// What stays of a result when it is shortened, in bytes, approximately.
const (
	headBytes  = 600 // of its beginning
	errorBytes = 300 // of the error of a failed call
)

// shortenedResult returns the text that replaces a call's result under a compaction, if
// the text is shorter.
func (f *promptFrame) shortenedResult(m llm.Message, c compaction) (text string, ok bool) {
	if m.Role != llm.Tool {
		return "", false
	}
	record, ok := f.records[m.CallID]
	if !ok {
		return "", false
	}
	n := headBytes
	if c.NoHeads {
		n = 0
	}
	text = shortened(record, n)
	return text, len(text) < len(m.Text)
}

// shortened returns a call's result with only the first n bytes of its content. A failed
// call stays a failed one.
func shortened(c ToolCall, n int) string {
	type result struct {
		OK      bool            `json:"ok"`
		Code    bus.Code        `json:"code,omitempty"`
		Error   string          `json:"error,omitempty"`
		Summary string          `json:"summary,omitempty"`
		Head    json.RawMessage `json:"head,omitempty"`
		CallID  string          `json:"call_id"`
		Note    string          `json:"note"`
	}
	return marshal(result{OK: succeeded(c), Code: c.Code, Error: firstLines(c.Error, errorBytes), Summary: c.Summary, Head: jsonHead(c.Content, n), CallID: c.CallID,
		Note: "shortened to save space; recall_tool_result returns it all"})
}

// succeeded reports whether a call did what it was to do. Some tools report a failure,
// such as a check that found errors, in a result of their own.
func succeeded(c ToolCall) bool {
	var content struct{ OK *bool }
	if json.Unmarshal(c.Content, &content) == nil && content.OK != nil && !*content.OK {
		return false
	}
	return c.Code == ""
}

// jsonHead returns the beginning of a JSON value, in about n bytes, as a JSON value. It
// returns nil if n is 0 or the value is not valid.
func jsonHead(value json.RawMessage, n int) json.RawMessage {
	if n == 0 || !json.Valid(value) {
		return nil
	}
	h := headCopier{in: json.NewDecoder(bytes.NewReader(value)), n: n}
	h.in.UseNumber()
	h.value()
	return h.out.Bytes()
}

// headCopier copies the beginning of a valid JSON value.
type headCopier struct {
	in  *json.Decoder
	out bytes.Buffer
	n   int // maximum length of out in bytes, apart from what closes open values
}

// value copies a value. It reports whether there is space for more.
func (h *headCopier) value() (more bool) {
	token, _ := h.in.Token()
	open, composite := token.(json.Delim)
	if !composite {
		return h.scalar(token)
	}
	h.out.WriteString(open.String())
	more = true
	for first := true; more && h.in.More(); first = false {
		if !first {
			h.out.WriteByte(',')
		}
		if open == '{' {
			key, _ := h.in.Token()
			h.out.WriteString(marshal(key) + ":")
		}
		more = h.value()
	}
	if more {
		h.in.Token() // the closing bracket
	}
	h.out.WriteByte(map[json.Delim]byte{'{': '}', '[': ']'}[open])
	return more
}

// scalar copies a string, number or literal.
func (h *headCopier) scalar(token json.Token) (more bool) {
	if text, ok := token.(string); ok {
		token = firstLines(text, max(h.n-h.out.Len(), 0))
	}
	h.out.WriteString(marshal(token))
	return h.out.Len() < h.n
}

// firstLines returns a text, or as many of its lines as fit into n bytes. It cuts no line,
// since a part of a secret would not be found.
func firstLines(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:strings.LastIndexByte(text[:n], '\n')+1] + "…"
}
