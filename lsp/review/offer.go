package review

import (
	"context"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// maxOffered is how many plans are remembered that code actions have offered. Each holds the text
// of its file.
const maxOffered = 16

// offer puts the edit into an action that accepts hunks of the place's document, for a client
// that does not apply edits on request, or asks about them. It leaves the command in place where an edit of this
// document would not do: then the files are written, if they are not open.
func (r *Review) offer(ctx context.Context, p *document.Place, a client.Action,
	params ploke.ProposalAcceptParams) client.Action {
	plan, err := r.Project.Edits.Offer(ctx,
		edits.Decision{ID: params.ID, Shown: edits.Version(params.Version),
			Selection: selectionOf(params.Files, params.Hunks)})
	switch {
	case err != nil:
		a.Disabled = err.Error()
		return a
	case len(plan.Files) != 1 || plan.Files[0].Op != edits.OpEdit || plan.Files[0].Path != p.Path || plan.NeedsDisk():
		return a
	}
	edit := r.Applier.WorkspaceEdit(plan.Files)
	a.Command, a.Argument, a.Edit = "", nil, &edit
	r.queue.offer(plan)
	return a
}

// offer remembers a plan, in place of an earlier one for the same hunks.
func (r *Queue) offer(plan *edits.Plan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = slices.DeleteFunc(r.offered,
		func(o *edits.Plan) bool { return slices.Equal(o.Files[0].Hunks, plan.Files[0].Hunks) })
	r.offered = append(r.offered, plan)
	r.offered = slices.Clone(r.offered[max(0, len(r.offered)-maxOffered):])
}

// recordOffered records the offered plans that the texts of these files show to be made.
func (r *Queue) recordOffered(ctx context.Context, p *project.Project, paths map[string]bool) {
	r.mu.Lock()
	offered := r.offered
	r.mu.Unlock()
	for _, plan := range offered {
		if !paths[plan.Files[0].Path] {
			continue
		}
		made, err := p.Edits.SettleOffered(ctx, plan)
		if err != nil && ctx.Err() == nil {
			r.log.Error("an edit that the editor has applied could not be recorded", "error", err)
		}
		if made || err != nil {
			r.mu.Lock()
			if made {
				r.news.made = append(r.news.made, plan.ProposalID)
			}
			r.offered = slices.DeleteFunc(slices.Clone(r.offered), func(o *edits.Plan) bool { return o == plan })
			r.mu.Unlock()
		}
	}
}
