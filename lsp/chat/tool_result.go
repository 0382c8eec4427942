package chat

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
)

// ToolResult returns a part of the arguments or of the result of a tool call.
func (c *Conversations) ToolResult(ctx context.Context, p *ploke.ToolResultParams) (*ploke.ToolResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	call, err := engine.Call(ctx, p.ConversationID, p.CallID)
	if err != nil {
		return nil, err
	}
	var text string
	switch which := cmp.Or(p.Text, ploke.ToolResultText); which {
	case ploke.ToolArguments:
		text = string(call.Arguments)
	case ploke.ToolResultText:
		text = string(call.Content)
	default:
		return nil, fmt.Errorf("text is %q: it must be %s or %s", which, ploke.ToolArguments, ploke.ToolResultText)
	}
	if p.Offset < 0 || p.Offset > len(text) || p.Limit < 0 {
		return nil, fmt.Errorf(
			"offset is %d and limit is %d: the text has the offsets 0 to %d, and the limit must not be negative",
			p.Offset, p.Limit, len(text))
	}
	start, end := textRange(text, p.Offset, min(cmp.Or(p.Limit, ploke.ToolResultLimit), ploke.ToolResultMaxLimit))
	result := &ploke.ToolResult{ToolCall: client.EncodeToolCall(call), Text: text[start:end], Offset: start,
		Total: len(text)}
	if end < len(text) {
		result.Next = end
	}
	return result, nil
}

// textRange returns a range of at most limit bytes that begins at offset, or at the start
// of the character there, and ends between characters. It has at least one character if
// there is one.
func textRange(text string, offset, limit int) (start, end int) {
	for start = offset; start > 0 && start < len(text) && !utf8.RuneStart(text[start]); {
		start--
	}
	end = min(start+limit, len(text))
	for end > start && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	if end == start {
		_, size := utf8.DecodeRuneInString(text[start:])
		end += size
	}
	return start, end
}
