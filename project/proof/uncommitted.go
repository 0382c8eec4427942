package proof

import (
	"context"
	"time"

	"github.com/google/uuid"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/trial"
)

// CheckFolder checks the files of a folder that have changed, with its unsaved texts. before has their texts as they
// were: a problem that is there with them is not new. reason says why nothing was checked.
func (c *Checker) CheckFolder(ctx context.Context, root string, changed []string, before []trial.Text, tests bool,
	ask Ask) (all []evidence.Evidence, reason string, err error) {
	texts, err := c.deps.Texts(ctx, edits.Turn{}, root)
	if err != nil {
		return nil, "", err
	}
	f, err := c.open(ctx, root, texts, changed)
	if err != nil {
		return nil, "", err
	}
	defer f.close()
	steps := f.steps(c.deps.Checks(), tests)
	if len(steps) == 0 {
		return nil, nothingFits, nil
	}
	if err := ask(ctx, root, steps[0].Command); err != nil {
		return nil, err.Error(), ctx.Err()
	}
	id := uuid.NewString() // its trees go with the next one
	for i := range steps {
		s, started := &steps[i], time.Now()
		result, err := c.run(ctx, s, place{root, id, ""}, texts)
		if err != nil {
			return nil, "", err
		}
		e, err := f.judge(s, result, func() (ran, error) { return c.run(ctx, s, place{root, id, "base"}, before) })
		if err != nil {
			return nil, "", err
		}
		e.Started = started.UnixMilli()
		e.Bound()
		all = append(all, e)
	}
	return all, "", nil
}
