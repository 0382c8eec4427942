package project

import (
	"context"
	"path/filepath"

	"github.com/google/uuid"

	"ploke-lsp/edits"
	"ploke-lsp/project/trials"
	"ploke-lsp/tools"
)

// openTrials prepares trials, and removes what killed processes have left of theirs.
func (p *Project) openTrials() {
	dir := filepath.Join(p.stateDir, "trials")
	p.trials = trials.New(dir, uuid.NewString(), func(ctx context.Context, turn string) bool {
		waiting, err := p.Edits.Staging.Waiting(ctx, edits.Turn{ID: turn})
		return err != nil || len(waiting) > 0
	})
	p.background.Go(func() {
		if err := trials.Sweep(dir); err != nil {
			p.log.Warn("a trial of an earlier process stays on disk", "error", err)
		}
	})
}

// closeTrials removes the trials, none of which runs.
func (p *Project) closeTrials() {
	if p.trials == nil {
		return
	}
	if err := p.trials.Close(); err != nil {
		p.log.Warn("a trial stays on disk", "error", err)
	}
}

// runTrial runs a command in a sandbox on a folder as a turn would leave it.
func (p *Project) runTrial(ctx context.Context, t tools.Trial) (status int, err error) {
	return p.trials.Run(ctx, trials.Command(t))
}
