package client

import (
	"strings"

	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// EncodeMessage returns a stored message. The answer is how a person saw it, if it is an assistant's.
func (c *Client) EncodeMessage(m *records.Message, answer project.StoredAnswer) ploke.Message {
	out := ploke.Message{
		ID: m.ID, TurnID: m.RequestID, ParentID: m.ParentID, Role: ploke.MessageRole(m.Role), Text: m.Text,
		Status: ploke.MessageStatus(m.Status),
		Error:  m.Error, ErrorKind: ploke.ErrorKind(m.ErrorKind), Proposals: m.Proposals, CreatedAt: m.CreatedAt.UnixMilli(),
	}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, c.encodeAttachment(a))
	}
	if m.Role != llm.Assistant {
		return out
	}
	out.Text, out.Model = answer.Text, m.Model
	out.StopReason, out.Context = ploke.StopReason(m.StopReason), encodeContextUse(m.Context)
	for _, part := range answer.Parts {
		out.Parts = append(out.Parts, c.EncodePart(part))
	}
	for _, call := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, EncodeToolCall(call))
	}
	if m.Usage != (llm.Usage{}) {
		usage := EncodeUsage(m.Usage)
		out.Usage = &usage
	}
	return out
}

// encodeAttachment returns an attachment that can be sent again.
func (c *Client) encodeAttachment(a records.Attachment) ploke.Attachment {
	out := ploke.Attachment{URI: uri.File(a.Path)}
	if a.Cells != nil {
		if out.Cell = a.Cells.Cell; a.Cells.FirstLine > 0 {
			lines := c.lines(a.Cells.FirstLine, a.Cells.LastLine, "")
			out.Range = &lines
		}
		return out
	}
	if !a.Whole {
		text := strings.TrimSuffix(a.Text, "\n")
		lines := c.lines(a.StartLine, a.EndLine, text[strings.LastIndexByte(text, '\n')+1:])
		out.Range = &lines
	}
	return out
}

// EncodeToolCall returns a stored tool call in its wire form.
func EncodeToolCall(c records.ToolCall) ploke.ToolCall {
	return ploke.ToolCall{CallID: c.CallID, Tool: c.Tool, Summary: c.Summary, Error: c.Error,
		DurationMS: c.Duration.Milliseconds()}
}
