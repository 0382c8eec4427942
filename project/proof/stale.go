package proof

import (
	"context"
	"fmt"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/trial"
)

// Refresh makes what is known of a proposal that waits stale if the files have changed since.
func (c *Checker) Refresh(ctx context.Context, p *edits.Proposal) error {
	if status := p.Status(); status != edits.Staged && status != edits.Stale && status != edits.Failed {
		return nil
	}
	all, err := c.deps.Evidence.Of(ctx, p.ID, p.Version().Content())
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, e := range all {
		if e.State != evidence.Passed && e.State != evidence.Failed {
			continue
		}
		if _, ok := names[e.Folder]; !ok {
			texts, _, err := c.proposed(ctx, p, e.Folder)
			if err != nil {
				return fmt.Errorf("is the evidence stale: %w", err)
			}
			names[e.Folder] = nameOf(texts)
		}
		moved := names[e.Folder] != e.Base
		if !moved {
			if moved, err = trial.Moved(e.Folder, time.UnixMilli(e.Started), c.deps.Skip(e.Folder)); err != nil {
				return err
			}
		}
		if moved {
			return c.deps.Evidence.FilesChanged(ctx, p.ID)
		}
	}
	return nil
}
