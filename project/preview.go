package project

import (
	"context"

	"ploke-lsp/edits"
)

// Preview returns what a person is shown of a proposal: a unified diff, or the new code if the
// settings say so.
func (p *Project) Preview(ctx context.Context, proposal *edits.Proposal) (string, error) {
	if p.settings.Now().Edits.Preview == "code" {
		return p.Edits.Preview.NewCode(ctx, proposal)
	}
	return p.Edits.Preview.Diff(ctx, proposal)
}
