package review

import (
	"context"
	"path/filepath"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// Actions offers the decisions on what waits in a file, and to undo the latest change of
// it. What changes no file that exists, such as a new file, is offered everywhere.
func (r *Review) Actions(ctx context.Context, p *document.Place) (actions []client.Action) {
	if r.diffs.get(p.URI) != nil {
		return nil // it has actions of its own
	}
	if err := r.queue.refreshNoted(ctx, r.Project, p.Path); err != nil {
		return nil // the next refresh reports it
	}
	waiting, applied := r.queue.now()
	for _, w := range waiting {
		if r.Project.Edits.Preview.Touches(w.Proposal, p.Path) || w.createsOnly() {
			actions = append(actions, r.decisions(ctx, p, w)...)
		}
	}
	for _, proposal := range applied {
		if r.Project.Edits.Preview.ChangedFile(proposal, p.Path) {
			return append(actions,
				reviewAction("undo "+quotedTitle(proposal), ploke.CommandProposalUndo,
					ploke.ProposalParams{ID: proposal.ID, Version: string(proposal.Version())}))
		}
	}
	return actions
}

// createsOnly reports whether the proposal changes no file that exists.
func (w *inReview) createsOnly() bool {
	for _, f := range w.files {
		if f.Op != edits.OpCreate {
			return false
		}
	}
	return true
}

// fileActions returns the actions on all that a proposal changes in the file at the place.
func fileActions(ctx context.Context, r *Review, p *document.Place, w *inReview, f *edits.Placed) []client.Action {
	name := filepath.Base(p.Path) + " of " + quotedTitle(w.Proposal)
	shown, hunks := string(w.Version()), hunkIDs(f.Hunks)
	return []client.Action{
		r.acceptAction(ctx, p, "accept the changes of "+name,
			ploke.ProposalAcceptParams{ID: w.ID, Version: shown, Hunks: hunks}),
		reviewAction("reject the changes of "+name, ploke.CommandProposalReject,
			ploke.ProposalRejectParams{ID: w.ID, Version: shown, Hunks: hunks}),
	}
}

// decisions returns the actions on one proposal, those on the hunks at the place first.
func (r *Review) decisions(ctx context.Context, p *document.Place, w *inReview) (actions []client.Action) {
	shown := string(w.Version())
	for _, f := range r.placedIn(ctx, p, w) {
		if w.hunks() > 1 {
			actions = append(actions, r.hunkActions(ctx, p, w, &f)...)
		}
		if len(w.files) > 1 {
			actions = append(actions, fileActions(ctx, r, p, w, &f)...)
		}
	}
	actions = append(actions,
		r.acceptAction(ctx, p, "accept "+quotedTitle(w.Proposal)+" ("+w.extent()+")",
			ploke.ProposalAcceptParams{ID: w.ID, Version: shown}),
		reviewAction("show the diff of "+quotedTitle(w.Proposal), ploke.CommandProposalShow, ploke.ProposalParams{ID: w.ID}),
		reviewAction("reject "+quotedTitle(w.Proposal), ploke.CommandProposalReject,
			ploke.ProposalRejectParams{ID: w.ID, Version: shown}))
	return append(actions, checkActions(ctx, r.Project, w)...)
}

// hunkActions returns the actions on the hunks that are on the selected lines.
func (r *Review) hunkActions(ctx context.Context, p *document.Place, w *inReview,
	f *edits.Placed) (actions []client.Action) {
	if f.File == nil {
		return nil
	}
	m, shown := r.Documents.Mapper(f.Path, f.File.Text, r.Client.Encoding), string(w.Version())
	for _, h := range f.Hunks {
		at := m.TextRange(shownRange(f, h))
		if at.End.Line < p.Selection.Start.Line || p.Selection.End.Line < at.Start.Line {
			continue
		}
		what := "this hunk: " + display.Clip(summary(f, h), maxQuoted)
		one := []string{h.ID}
		accept := r.acceptAction(ctx, p, "accept "+what, ploke.ProposalAcceptParams{ID: w.ID, Version: shown, Hunks: one})
		reject := reviewAction("reject "+what, ploke.CommandProposalReject,
			ploke.ProposalRejectParams{ID: w.ID, Version: shown, Hunks: one})
		accept.Kind, reject.Kind = client.KindQuickFix, client.KindQuickFix
		accept.Preferred = !r.Client.ShowsProposals() && !h.Stale && f.Reason == ""
		actions = append(actions, accept, reject)
	}
	return actions
}

// placedIn returns the parts of a proposal that concern the file of a place, in its current text.
func (r *Review) placedIn(ctx context.Context, p *document.Place, w *inReview) (found []edits.Placed) {
	current := w
	for _, f := range w.files {
		if f.Path == p.Path && f.File != nil && f.File.Hash != workspace.Hash(p.Text) {
			if again, err := placed(ctx, r.Project, w.Proposal); err == nil {
				current = again // the person has typed since
			}
		}
	}
	for _, f := range current.files {
		if f.Path == p.Path || f.To == p.Path {
			found = append(found, f)
		}
	}
	return found
}

func (w *inReview) hunks() (n int) {
	for _, f := range w.files {
		n += len(f.Hunks)
	}
	return n
}

func hunkIDs(hunks []edits.PlacedHunk) (ids []string) {
	for _, h := range hunks {
		ids = append(ids, h.ID)
	}
	return ids
}

// reviewAction returns an action that runs a command.
func reviewAction(what, command string, argument any) client.Action {
	return client.Action{Title: "ploke: " + what, Kind: client.KindRewrite, Command: command, Argument: argument}
}

// acceptAction returns an action that accepts a part of a proposal.
func (r *Review) acceptAction(ctx context.Context, p *document.Place, what string,
	params ploke.ProposalAcceptParams) client.Action {
	accept := reviewAction(what, ploke.CommandProposalAccept, params)
	if r.Client.TakesEditsInActions() {
		return r.offer(ctx, p, accept, params)
	}
	return accept
}

// Lenses shows the same decisions above the hunks of a file, in a client that does not show them itself.
func (r *Review) Lenses(ctx context.Context, d *document.Parsed) (lenses []client.Lens) {
	if r.Client.ShowsProposals() {
		return nil
	}
	waiting, _ := r.queue.now()
	p := &document.Place{Parsed: d}
	for _, w := range waiting {
		for _, f := range r.placedIn(ctx, p, w) {
			if f.File == nil {
				continue
			}
			m, shown := r.Documents.Mapper(f.Path, f.File.Text, r.Client.Encoding), string(w.Version())
			for _, h := range f.Hunks {
				at := m.TextRange(shownRange(&f, h))
				at.End = at.Start
				one := []string{h.ID}
				lenses = append(lenses,
					client.Lens{At: at, Title: "ploke: accept", Command: ploke.CommandProposalAccept,
						Argument: ploke.ProposalAcceptParams{ID: w.ID, Version: shown, Hunks: one}},
					client.Lens{At: at, Title: "reject", Command: ploke.CommandProposalReject,
						Argument: ploke.ProposalRejectParams{ID: w.ID, Version: shown, Hunks: one}},
					client.Lens{At: at, Title: "show the diff of " + quotedTitle(w.Proposal), Command: ploke.CommandProposalShow,
						Argument: ploke.ProposalParams{ID: w.ID}})
			}
		}
	}
	return lenses
}
