package chat

import (
	"context"

	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
)

// defaultSentLimit is how many sent messages are listed if the request names no limit.
const defaultSentLimit = 100

// Sent lists what the person has sent before.
func (c *Conversations) Sent(ctx context.Context, p *ploke.ChatSentParams) (*ploke.ChatSentResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	limit := p.Limit
	if limit <= 0 {
		limit = defaultSentLimit
	}
	texts, err := engine.Sent(ctx, p.ConversationID, limit)
	if err != nil {
		return nil, err
	}
	return &ploke.ChatSentResult{Texts: append([]string{}, texts...)}, nil
}
