package llm

import (
	"bytes"
	"encoding/json"
	"strings"

	"ploke-lsp/internal/lazyregexp"
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

// anthropicMessages joins the messages between two of the model's into one user
// message, since the API has only two roles. Results come first in the order of the
// calls, as the API requires. A system message becomes marked text.
func anthropicMessages(messages []Message) []anthropicMessage {
	var out []anthropicMessage
	for _, m := range messages {
		role, blocks := User, userBlocks(m)
		if m.Role == Assistant {
			role, blocks = Assistant, assistantBlocks(m)
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

func userBlocks(m Message) []any {
	switch {
	case m.Role == Tool:
		return []any{anthropicToolResult{ToolUseID: anthropicID(m.CallID), Content: []anthropicText{textBlock(m.Text)}, Type: "tool_result"}}
	case strings.TrimSpace(m.Text) == "":
		return nil
	case m.Role == System:
		return []any{textBlock("<system-notice>\n" + m.Text + "\n</system-notice>")}
	default:
		return []any{textBlock(m.Text)}
	}
}

func assistantBlocks(m Message) (blocks []any) {
	for _, block := range opaqueOf(m.Opaque).Anthropic {
		blocks = append(blocks, block)
	}
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, textBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, anthropicToolUse{ID: anthropicID(c.ID), Input: objectOf(c.Arguments), Name: c.Name, Type: "tool_use"})
	}
	return blocks
}

// invalidIDChars matches characters that the API rejects in ids; other providers' ids
// may contain them.
var invalidIDChars = lazyregexp.New(`[^a-zA-Z0-9_-]`)

func anthropicID(id string) string { return invalidIDChars.ReplaceAllString(id, "_") }

// objectOf returns a call's arguments for an API that accepts only an object. Other
// arguments are shown to the model as text within an object.
func objectOf(args json.RawMessage) json.RawMessage {
	if json.Valid(args) && bytes.HasPrefix(bytes.TrimLeft(args, " \t\r\n"), []byte("{")) {
		return args
	}
	b, err := json.Marshal(map[string]string{"invalid_arguments": string(args)})
	if err != nil {
		panic(err) // a map of strings
	}
	return b
}
