package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const (
	resultBytes = 32 << 10 // of the text of a result that are shown
	maxParts    = 100      // of a result
	nameBytes   = 200      // of the name, the type or the address of what is not shown
)

// result returns what a model and the person read of an answer. Text is cut. Everything else is kept as a
// reference.
func (o candidate) result(ctx context.Context, answer *mcp.CallToolResult) (tools.Result, error) {
	name := o.connection.server.Name
	r := tools.ServerResult{OK: !answer.IsError, Server: name}
	space := o.connection.options.Bytes(resultBytes)
	for i, content := range answer.Content {
		if i == maxParts {
			r.Parts = append(r.Parts, tools.ServerPart{Kind: wording.Plural(len(answer.Content)-i, "more part")})
			break
		}
		part := partOf(content)
		if part.Kind == "" {
			part = bounded(ctx, part.Text, space)
			space -= len(part.Text)
		}
		r.Parts = append(r.Parts, part)
	}
	if len(answer.Content) == 0 && answer.StructuredContent != nil {
		text, err := json.Marshal(answer.StructuredContent)
		if err != nil {
			return tools.Result{}, err
		}
		r.Parts = append(r.Parts, bounded(ctx, string(text), space))
	}
	if len(r.Parts) == 0 {
		r.Parts = []tools.ServerPart{{Text: "(nothing)"}}
	}
	verb := "returned"
	if answer.IsError {
		verb = "failed with"
	}
	return r.Result(fmt.Sprintf("%s %s %s", o.full, verb, summaryOf(r.Parts)))
}

// partOf returns a part of an answer: all of its text, or what stands for something else.
func partOf(content mcp.Content) tools.ServerPart {
	switch c := content.(type) {
	case *mcp.TextContent:
		return tools.ServerPart{Text: c.Text}
	case *mcp.ImageContent:
		return tools.ServerPart{Kind: "image", Type: shorten(c.MIMEType, nameBytes), Bytes: len(c.Data)}
	case *mcp.AudioContent:
		return tools.ServerPart{Kind: "audio", Type: shorten(c.MIMEType, nameBytes), Bytes: len(c.Data)}
	case *mcp.ResourceLink:
		part := tools.ServerPart{Kind: "resource", Name: shorten(c.Name, nameBytes), Type: shorten(c.MIMEType, nameBytes),
			URI: shorten(c.URI, nameBytes)}
		if c.Size != nil {
			part.Bytes = int(*c.Size)
		}
		return part
	case *mcp.EmbeddedResource:
		return embedded(c.Resource)
	}
	return tools.ServerPart{Kind: "content of an unknown type"}
}

// embedded returns the part for a resource that is within an answer. Its text is shown.
func embedded(c *mcp.ResourceContents) tools.ServerPart {
	switch {
	case c == nil:
		return tools.ServerPart{Kind: "resource"}
	case c.Text != "":
		return tools.ServerPart{Text: shorten(c.URI, nameBytes) + ":\n" + c.Text}
	}
	return tools.ServerPart{Kind: "resource", Type: shorten(c.MIMEType, nameBytes), URI: shorten(c.URI, nameBytes),
		Bytes: len(c.Blob)}
}

// bounded returns the part of a text that fits into limit bytes, and notes the secrets in it. It cuts after
// a line or a word, and in no secret.
func bounded(ctx context.Context, text string, limit int) tools.ServerPart {
	text = strings.ToValidUTF8(text, "\ufffd")
	secrets := secretscan.Secrets(text)
	tools.NoteSecrets(ctx, secrets)
	if len(text) <= limit {
		return tools.ServerPart{Text: text}
	}
	end := max(limit, 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if line := strings.LastIndexByte(text[:end], '\n') + 1; line > end/2 {
		end = line
	} else if word := strings.LastIndexByte(text[:end], ' ') + 1; word > end/2 {
		end = word
	}
	_, end = secretscan.Narrow(text, 0, end, secrets)
	return tools.ServerPart{Text: text[:end], Omitted: len(text) - end}
}

// summaryOf says in a few words what the parts are.
func summaryOf(parts []tools.ServerPart) string {
	lines, others := 0, 0
	for _, p := range parts {
		if p.Kind != "" {
			others++
			continue
		}
		lines += strings.Count(strings.TrimSpace(p.Text), "\n") + 1
	}
	switch {
	case others == 0:
		return wording.Plural(lines, "line")
	case lines == 0:
		return wording.Plural(others, "reference")
	}
	return wording.Plural(lines, "line") + " and " + wording.Plural(others, "reference")
}
