package trials

import (
	"context"

	"ploke-lsp/internal/trial"
)

// Lay makes the files of a turn's tree read as texts say before a command runs. As for a command, a file that was laid
// before and is not named reads as the folder's. What was laid is no change of a command. It does nothing if there is
// no tree.
func (t *Trials) Lay(ctx context.Context, turn, folder string, texts []trial.Text) error {
	t.mu.Lock()
	tree := t.trees[key{turn: turn, folder: folder}]
	if tree == nil {
		t.mu.Unlock()
		return nil
	}
	tree.uses++
	t.mu.Unlock()
	defer t.release(tree)
	select {
	case <-tree.busy:
		defer func() { tree.busy <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return tree.Lay(texts)
}
