package llm

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// anthropicMessage is a message of a request. Its content are blocks, and JSON that the API sent.
type anthropicMessage struct {
	Content []any `json:"content"`
	Role    Role  `json:"role"`
}

type anthropicText struct {
	Text         string          `json:"text"`
	CacheControl *anthropicCache `json:"cache_control,omitempty"`
	Type         string          `json:"type"`
}

type anthropicToolUse struct {
	ID    string          `json:"id"`
	Input json.RawMessage `json:"input"`
	Name  string          `json:"name"`
	Type  string          `json:"type"`
}

type anthropicToolResult struct {
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   []anthropicText `json:"content"`
	Type      string          `json:"type"`
}

// messages joins the messages between two of the model's into one user
// message, since the API has only two roles. Results come first in the order of the
// calls, as the API requires. A message of the system or the project becomes marked text.
func (p *anthropicAPI) messages(origin string, messages []Message) []anthropicMessage {
	var out []anthropicMessage
	for i := range messages {
		m, own := &messages[i], ownsCalls(origin, messages, i)
		role, blocks := User, userBlocks(m, own)
		if m.Role == Assistant {
			role, blocks = Assistant, assistantBlocks(m, p.thoughtsOf(origin, m), own)
		}
		if len(blocks) == 0 { // the API rejects empty text
			continue
		}
		if n := len(out); n > 0 && out[n-1].Role == role {
			out[n-1].Content = append(out[n-1].Content, blocks...)
			continue
		}
		out = append(out, anthropicMessage{Role: role, Content: blocks})
	}
	return out
}

func textBlock(text string) anthropicText { return anthropicText{Text: text, Type: "text"} }

func userBlocks(m *Message, own bool) []any {
	switch {
	case m.Role == Tool:
		return []any{anthropicToolResult{ToolUseID: wireID(m.CallID, own), Content: []anthropicText{textBlock(withoutMarks(m.Text))}, Type: "tool_result"}}
	case strings.TrimSpace(m.Text) == "":
		return nil
	case m.Role == User:
		return []any{textBlock(withoutMarks(m.Text))}
	default:
		return []any{textBlock(marked(m))}
	}
}

// thoughtsOf returns the reasoning that origin wants back with a message. Anthropic itself rejects what is not signed;
// other servers require what they sent.
func (p *anthropicAPI) thoughtsOf(origin string, m *Message) (thoughts []json.RawMessage) {
	for _, block := range attachedBy(origin, m).Anthropic {
		if signed := gjson.GetBytes(block, "signature").Str+gjson.GetBytes(block, "data").Str != ""; signed || !p.ownEndpoint {
			thoughts = append(thoughts, block)
		}
	}
	return thoughts
}

func assistantBlocks(m *Message, thoughts []json.RawMessage, own bool) (blocks []any) {
	for _, block := range thoughts {
		blocks = append(blocks, block)
	}
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, textBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, anthropicToolUse{ID: wireID(c.ID, own), Input: objectOf(c.Arguments), Name: wireName(c.Name), Type: "tool_use"})
	}
	return blocks
}
