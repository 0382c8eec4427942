package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
)

// A hoverProvider returns what one topic has to say about a position, as Markdown; "" if
// nothing. It must be quick.
type hoverProvider func(ctx context.Context, p *protocol.HoverParams) (markdown string)

// hoverProviders is the table of every provider. A hover shows their texts in its order.
func (s *service) hoverProviders() []hoverProvider {
	return []hoverProvider{s.turns.Answers.Hover, s.chats.CallHover, s.chats.SymbolHover}
}

func (s *service) hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	var texts []string
	for _, provide := range s.hoverProviders() {
		if text := provide(ctx, p); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	text := &protocol.MarkupContent{Kind: s.client.HoverFormat, Value: strings.Join(texts, "\n\n---\n\n")}
	return &protocol.Hover{Contents: text}, nil
}
