package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ploke-lsp/session/llm/repair"
)

// anthropicMessage is a message of a request. Its content is a text, or a list of blocks and JSON that the API sent.
type anthropicMessage struct {
	Content any  `json:"content"`
	Role    Role `json:"role"`
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

// layout returns messages with the texts that this endpoint gets. For Anthropic itself, what
// follows a result is a block of its own. What a proxy makes of such a block for another model is a
// message behind the result, which strict ones refuse, so other endpoints get the order that all of
// them accept.
func (p *anthropicAPI) layout(messages []Message) []Message {
	if !p.ownEndpoint {
		return layout(messages)
	}
	out := slices.Clone(messages)
	for i := range out {
		switch m := &out[i]; {
		case m.Role == System && i == 0, m.Role == Assistant, strings.TrimSpace(m.Text) == "":
		case m.Role == System, m.Role == Project:
			m.Text = marked(m)
		default:
			m.Text = withoutMarks(m.Text)
		}
	}
	return out
}

// messages joins the messages between two of the model's into one user
// message, since the API has only two roles. Results come first in the order of the
// calls, as the API requires.
func (p *anthropicAPI) messages(origin string, messages []Message) (out []anthropicMessage) {
	var role Role
	var blocks []any
	end := func() {
		if len(blocks) > 0 { // the API rejects empty text
			out = append(out, anthropicMessage{Role: role, Content: p.content(role, blocks)})
		}
		blocks = nil
	}
	for i := range messages {
		m, own := &messages[i], ownsCalls(origin, messages, i)
		author, more := User, userBlocks(m, own)
		if m.Role == Assistant {
			author, more = Assistant, assistantBlocks(m, p.thoughtsOf(origin, m), own)
		}
		if author != role && len(more) > 0 {
			end()
			role = author
		}
		blocks = append(blocks, more...)
	}
	end()
	return out
}

// content returns the content of a message. The only text of one of the user is not a list for a
// compatible endpoint: proxies pass the list on to servers that do not take one.
func (p *anthropicAPI) content(role Role, blocks []any) any {
	if text, ok := blocks[0].(anthropicText); ok && len(blocks) == 1 && role == User && !p.ownEndpoint {
		return text.Text
	}
	return blocks
}

func textBlock(text string) anthropicText { return anthropicText{Text: text, Type: "text"} }

func userBlocks(m *Message, own bool) []any {
	switch {
	case m.Role == Tool:
		return []any{anthropicToolResult{ToolUseID: repair.ID(m.CallID, own), Content: []anthropicText{textBlock(m.Text)},
			Type: "tool_result"}}
	case strings.TrimSpace(m.Text) == "":
		return nil
	}
	return []any{textBlock(m.Text)}
}

// thoughtsOf returns the reasoning that origin wants back with a message. Anthropic itself rejects what is not signed;
// other servers require what they sent.
func (p *anthropicAPI) thoughtsOf(origin string, m *Message) (thoughts []json.RawMessage) {
	for _, block := range attachedBy(origin, m).Anthropic {
		if signed := gjson.GetBytes(block, "signature").Str+gjson.GetBytes(block, "data").Str != ""; signed ||
			!p.ownEndpoint {
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
		blocks = append(blocks,
			anthropicToolUse{ID: repair.ID(c.ID, own), Input: repair.Object(c.Arguments), Name: repair.Name(c.Name),
				Type: "tool_use"})
	}
	return blocks
}
