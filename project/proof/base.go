package proof

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/trial"
)

// baseKey is a step without a proposal.
type baseKey struct{ root, dir, command, texts string }

// base runs a step without the proposal, unless it has run on the same files before.
func (c *Checker) base(ctx context.Context, s *Step, root, turn string) (ran, error) {
	texts, err := c.deps.Texts(ctx, edits.Turn{}, root)
	if err != nil {
		return ran{}, err
	}
	key := baseKey{root, s.Dir, strings.Join(s.Command, "\x00"), nameOf(texts)}
	c.mu.Lock()
	known, ok := c.bases[key]
	c.mu.Unlock()
	if ok {
		moved, err := trial.Moved(root, known.started, c.deps.Skip(root))
		if err != nil || !moved {
			return known, err
		}
	}
	started := time.Now()
	result, err := c.run(ctx, s, place{root, turn, "base"}, texts)
	if err != nil {
		return ran{}, err
	}
	result.started = started
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.bases) >= maxBases {
		clear(c.bases)
	}
	c.bases[key] = result
	return result, nil
}

// nothingFits is the reason where no check is for what has changed.
const nothingFits = "nothing says how to check these files"

// maxBases is how many results without a proposal are kept.
const maxBases = 32

// plan returns the steps that check a proposal. closeFolders must be called in any case.
func (c *Checker) plan(ctx context.Context, p *edits.Proposal,
	tests bool) (steps []planned, closeFolders func(), err error) {
	var open []*folder
	closeFolders = func() {
		for _, f := range open {
			f.close()
		}
	}
	for _, root := range c.deps.Roots() {
		changed := ChangedIn(root, p)
		if len(changed) == 0 {
			continue
		}
		texts, misfit, err := c.proposed(ctx, p, root)
		if err != nil {
			return nil, closeFolders, err
		}
		f, err := c.open(ctx, root, texts, changed)
		if err != nil {
			return nil, closeFolders, err
		}
		open = append(open, f)
		steps = append(steps, c.servers(f, texts, misfit)...)
		for _, s := range f.steps(c.deps.Checks(), tests) {
			steps = append(steps, planned{s, f, texts, misfit, ""})
		}
	}
	return steps, closeFolders, nil
}

func (c *Checker) open(ctx context.Context, root string, texts []trial.Text, changed []string) (*folder, error) {
	f, err := newFolder(root, texts, changed)
	if err == nil {
		f.importers = func(file string) []string { return c.importers(ctx, root, file) }
	}
	return f, err
}

func (c *Checker) importers(ctx context.Context, root, file string) (relative []string) {
	for _, importer := range c.deps.Importers(ctx, filepath.Join(root, filepath.FromSlash(file))) {
		if rel, err := filepath.Rel(root, importer); err == nil && filepath.IsLocal(rel) {
			relative = append(relative, filepath.ToSlash(rel))
		}
	}
	return relative
}

// ChangedIn returns the files below a root that what waits of a proposal changes, makes or removes.
func ChangedIn(root string, p *edits.Proposal) (changed []string) {
	for _, change := range p.Changes {
		if !change.Waits() {
			continue
		}
		for _, file := range []string{change.Path, change.To} {
			if rel, err := filepath.Rel(root, file); file != "" && err == nil && filepath.IsLocal(rel) {
				changed = append(changed, filepath.ToSlash(rel))
			}
		}
	}
	return changed
}
