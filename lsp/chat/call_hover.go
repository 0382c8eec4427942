package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/session/records"
)

// maxHoverBytes is how much a hover shows of the arguments of a tool call, and of its result.
const maxHoverBytes = 4000

// CallHover shows the arguments and the result of the tool call whose line is hovered in a chat document. They
// are read from what is stored, whatever the line says.
func (ds *Documents) CallHover(ctx context.Context, p *protocol.HoverParams) string {
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return ""
	}
	line, _ := lineAt(text, p.Position)
	number, ok := chatdoc.CallAt(line)
	section, inSection := d.At(text.Offset(p.Position))
	c := ds.open.get(p.TextDocument.URI)
	if !ok || !inSection || section.Speaker != chatdoc.Ploke || c == nil {
		return ""
	}
	_, conversation, leaf, _ := c.snapshot()
	messages, err := ds.Project.Engine.History(ctx, conversation, leaf)
	if err != nil {
		return ""
	}
	answer, ok := (&branch{messages: messages}).answer(section.Number)
	if !ok || number < 1 || number > len(answer.Calls) {
		return ""
	}
	return describeCall(answer.Calls[number-1])
}

func describeCall(c records.ToolCall) string {
	outcome := display.ProseName(c.Summary)
	if c.Error != "" {
		outcome = "failed: " + display.Prose(c.Error)
	}
	return fmt.Sprintf("**%s** (%d ms) %s\n\n%s\n%s", display.ProseName(c.Tool), c.Duration.Milliseconds(), outcome,
		jsonBlock(c.Arguments), jsonBlock(c.Content))
}

// jsonBlock returns JSON, or what should be JSON, as a block of Markdown.
func jsonBlock(raw []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, raw, "", "  ") == nil {
		raw = indented.Bytes()
	}
	text := display.Escape(string(raw))
	if len(text) > maxHoverBytes {
		text = strings.ToValidUTF8(text[:maxHoverBytes], "") + "\n…"
	}
	return "````json\n" + strings.ReplaceAll(text, "````", "'```") + "\n````"
}
