package project

import (
	"context"

	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

const (
	// autoContextTokens is the default of limits.autoContext.
	autoContextTokens = 400
	// contextShare is the fraction of a tool result's tokens, 1/contextShare, that the code and places sent
	// with a message may have.
	contextShare = 2
)

// contextTokens is the maximum number of tokens of the code and places that are sent with a message.
func contextTokens(s *Settings) int {
	limits := s.Now().Limits
	most := tools.ContextTokens(limits.ToolTokens) / contextShare
	if limits.AutoContext == nil {
		return min(autoContextTokens, most)
	}
	return min(*limits.AutoContext, most)
}

// retrieveContext finds the code that a message is about, at most so many tokens.
func (p *Project) retrieveContext(ctx context.Context, q tools.Question, turn tools.Call,
	most int) (code records.FoundCode, err error) {
	code.Text, code.Secrets, err = p.deps.AutoContext(ctx, turn, q, min(contextTokens(p.settings), most))
	return code, err
}
