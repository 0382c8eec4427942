package edits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/workspace"
)

// currentFiles are the files of a workspace as they read now, next to the stored texts that changes are made against.
// They say what a change would do. They write and store nothing.
type currentFiles struct {
	ws        *workspace.Workspace
	proposals *Proposals
}

// pending returns p's change of the file with this old or new path that has open hunks, or nil.
func (r *currentFiles) pending(p *Proposal, path string) *Change {
	if i := r.pendingAt(p, path); i >= 0 {
		return p.Changes[i]
	}
	return nil
}

// pendingAt returns the index of what pending returns, or -1.
func (r *currentFiles) pendingAt(p *Proposal, path string) int {
	matches := func(c *Change) bool {
		return (r.ws.SameName(c.Path, path) || r.ws.SameName(c.To, path)) && c.pending()
	}
	if p.names == nil {
		return slices.IndexFunc(p.Changes, matches)
	}
	for _, i := range p.names.of(path) {
		if i < len(p.Changes) && matches(p.Changes[i]) {
			return i
		}
	}
	return -1
}

// pendingOf returns the changes of p that have undecided hunks, of the files with these paths.
func (r *currentFiles) pendingOf(p *Proposal, paths []string) (changes []*Change) {
	for _, path := range paths {
		if c := r.pending(p, path); c != nil {
			changes = append(changes, c)
		}
	}
	return changes
}

// readIfExists returns the file at a canonical path, or the link that has this path. It returns
// nil if nothing has it.
func (r *currentFiles) readIfExists(ctx context.Context, path string) (*workspace.File, error) {
	if link, err := r.ws.ReadLink(path); link != nil || err != nil {
		return link, err
	}
	f, err := r.ws.Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// readAfter returns the file as p would leave it. If p does not change it, or its change no longer
// fits, proposed is false.
func (r *currentFiles) readAfter(ctx context.Context, p *Proposal,
	path string) (_ *workspace.File, proposed bool, err error) {
	c := r.pending(p, path)
	if c == nil || !c.Link { // a link is known by its own name
		if path, err = r.ws.Resolve(path); err != nil {
			return nil, false, err
		}
		c = r.pending(p, path)
	}
	s := r.newOverlay()
	var stale *StaleError
	if c != nil {
		if _, err = s.apply(ctx, c); err != nil && !errors.As(err, &stale) {
			return nil, false, err
		}
	}
	if c == nil || stale != nil {
		return nil, false, nil
	}
	f, err := s.at(ctx, path)
	if err != nil {
		return nil, false, err
	}
	file, err := s.file(f, path)
	return file, true, err
}

func (r *currentFiles) stale(path string) *StaleError {
	return &StaleError{Path: path, Rel: r.ws.Rel(path)}
}

// existenceConflict returns the StaleError for a file that is gone, or for a file that should
// not exist.
func (r *currentFiles) existenceConflict(path string, gone bool) *StaleError {
	stale := r.stale(path)
	stale.Reason = "exists now"
	if gone {
		stale.Reason = "no longer exists"
	}
	return stale
}

// checkHeld refuses to change a file that is held; see [workspace.Workspace.Hold].
func (r *currentFiles) checkHeld(path string) error {
	if why := r.ws.Held(path); why != "" {
		return refuse("%s is not edited: %s", r.ws.Rel(path), why)
	}
	return nil
}

// checkPlanHeld refuses a plan that changes a file that is held.
func (r *currentFiles) checkPlanHeld(plan *Plan) error {
	for _, f := range plan.Files {
		if err := r.checkHeld(f.Path); err != nil && !f.Done {
			return err
		}
	}
	return nil
}

// plannedFor returns what c does to its file, based on the text that c was made against.
func (r *currentFiles) plannedFor(ctx context.Context, c *Change) (f PlannedFile, err error) {
	f = PlannedFile{Op: c.Op, Path: c.Path, To: c.To, Respells: r.ws.SameName(c.Path, c.To),
		Edits: editsOf(textual(c.Hunks)), Hunks: idsOf(c.Hunks)}
	if c.Op != OpCreate {
		if f.Before, err = r.proposals.text(ctx, c.BaseHash); err != nil {
			return f, err
		}
	}
	after, err := Apply(f.Before, f.Edits)
	if c.Op != OpDelete {
		f.After = after
	}
	return f, err
}

func (r *currentFiles) rooted(path string) (rooted.Path, error) {
	root, ok := r.ws.RootOf(path)
	if !ok {
		return rooted.Path{}, &workspace.OutsideError{Name: path, Path: path, Roots: r.ws.Roots()}
	}
	name, err := filepath.Rel(root, path)
	return rooted.Path{Root: root, Name: name}, err
}

// undecidedChange returns the change of the file with a path of which something is undecided.
func (r *currentFiles) undecidedChange(p *Proposal, path string) (*Change, error) {
	path, err := r.ws.Resolve(path)
	if err != nil {
		return nil, err
	}
	c := r.pending(p, path)
	if c == nil {
		return nil, fmt.Errorf("nothing is left to decide for %s: the proposal is %s", r.ws.Rel(path), p.Status())
	}
	return c, nil
}
