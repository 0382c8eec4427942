package review

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project"
)

// refreshAll brings the review up to date with what is stored. What the person has just decided may not be noted yet.
func (r *Queue) refreshAll(ctx context.Context, p *project.Project) error {
	r.mu.Lock()
	r.changes.proposals = true
	r.mu.Unlock()
	return r.refresh(ctx, p)
}

// refreshNoted brings the review up to date if the person has typed in a file or a proposal has changed since the
// last refresh: their editor may ask before the next one. It waits for a refresh that has begun.
func (r *Queue) refreshNoted(ctx context.Context, p *project.Project, path string) error {
	r.refreshing.Lock()
	r.mu.Lock()
	noted := r.changes.texts[path] || r.changes.proposals
	r.mu.Unlock()
	r.refreshing.Unlock()
	if !noted {
		return nil
	}
	return r.refresh(ctx, p)
}

// refresh brings the review up to date with all that was noted before. If it fails, the next one makes up for it.
func (r *Queue) refresh(ctx context.Context, p *project.Project) (err error) {
	r.refreshing.Lock()
	defer r.refreshing.Unlock()
	r.mu.Lock()
	changes, waiting, applied := r.changes, r.waiting, r.applied
	r.changes = queueChanges{}
	if roots := p.Workspace.Roots(); !slices.Equal(roots, r.roots) {
		r.roots, changes.proposals = roots, true
	}
	r.mu.Unlock()
	defer func() {
		if err != nil {
			r.mu.Lock()
			r.changes.proposals, r.changes.turns = true, append(changes.turns, r.changes.turns...)
			r.mu.Unlock()
		}
	}()
	r.recordOffered(ctx, p, changes.texts)
	for path := range changes.texts {
		changed, err := p.Edits.ConfirmFile(ctx, path)
		if err != nil {
			return err
		}
		changes.proposals = changes.proposals || changed
	}
	if changes.proposals {
		if waiting, applied, err = r.list(ctx, p, changes.turns); err != nil {
			return err
		}
	}
	var ready []*inReview
	next := make([]*inReview, 0, len(waiting))
	for _, w := range waiting {
		if changes.proposals || w.touchesAny(p, changes.texts) {
			if w, err = placed(ctx, p, w.Proposal); err != nil {
				return err
			}
		}
		next = append(next, w)
		if slices.Contains(changes.turns, w.RequestID) {
			ready = append(ready, w)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.ready = append(r.news.ready, ready...)
	r.news.changed = r.news.changed || !reflect.DeepEqual(next, r.waiting)
	r.waiting, r.applied = next, applied
	return nil
}

// list reads the proposals that are in the review, and those that can be undone. All that wait at the first refresh
// are in it, except those of turns that are already running then.
func (r *Queue) list(
	ctx context.Context, p *project.Project, ended []string,
) (waiting []*inReview, applied []*edits.Proposal, err error) {
	undecided, err := p.Edits.Proposals.Undecided(ctx)
	if err != nil {
		return nil, nil, err
	}
	if applied, err = p.Edits.Proposals.Applied(ctx); err != nil {
		return nil, nil, err
	}
	elsewhere := func(proposal *edits.Proposal) bool { return !concerns(p.Workspace, proposal) }
	applied = slices.DeleteFunc(applied, elsewhere)
	first := r.ready == nil
	if first {
		r.ready = map[string]bool{}
	}
	for _, proposal := range undecided {
		if first && !p.Engine.Running(proposal.RequestID) || slices.Contains(ended, proposal.RequestID) {
			r.ready[proposal.ID] = true
		}
		if r.ready[proposal.ID] && !elsewhere(proposal) {
			waiting = append(waiting, &inReview{Proposal: proposal})
		}
	}
	return waiting, applied, nil
}

// concerns reports whether a proposal changes a file in the folders that are open. Others share what is stored.
func concerns(ws *workspace.Workspace, proposal *edits.Proposal) bool {
	return slices.ContainsFunc(proposal.Changes, func(c *edits.Change) bool { return !filepath.IsAbs(ws.Rel(c.Path)) })
}

// placed finds the places of a proposal's hunks.
func placed(ctx context.Context, p *project.Project, proposal *edits.Proposal) (*inReview, error) {
	files, err := p.Edits.Preview.Place(ctx, proposal)
	if err != nil {
		return nil, fmt.Errorf("proposal %s: %w", proposal.ID, err)
	}
	known, err := p.Evidence.Of(ctx, proposal)
	if err != nil {
		return nil, err
	}
	return &inReview{proposal, files, known}, nil
}

func (w *inReview) touchesAny(p *project.Project, paths map[string]bool) bool {
	for path := range paths {
		if p.Edits.Preview.Touches(w.Proposal, path) {
			return true
		}
	}
	return false
}
