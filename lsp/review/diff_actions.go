package review

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// DiffActions offers the decisions in the document of a proposal: on the block and the file
// at the place, and on everything.
func (r *Review) DiffActions(ctx context.Context, p *document.Place) (actions []client.Action) {
	doc := r.diffs.get(p.URI)
	if doc == nil {
		return nil
	}
	proposal, views, err := undecidedViews(ctx, r.Project, doc.id)
	if err != nil {
		return nil // it was deleted with its conversation
	}
	title, shown := quotedTitle(proposal), doc.version(p.Text)
	if sections, err := readProposalText(string(p.Text), views); err == nil {
		for i := range sections {
			actions = append(actions, sections[i].actions(doc.id, shown, int(p.Selection.Start.Line), len(sections))...)
		}
	}
	if len(views) > 0 {
		actions = append(actions,
			reviewAction("accept "+title, ploke.CommandProposalAccept, ploke.ProposalAcceptParams{ID: doc.id, Version: shown}),
			reviewAction("reject "+title, ploke.CommandProposalReject, ploke.ProposalRejectParams{ID: doc.id, Version: shown}))
	}
	if proposal.ChangedAny() {
		actions = append(actions,
			reviewAction("undo "+title, ploke.CommandProposalUndo, ploke.ProposalParams{ID: doc.id, Version: shown}))
	}
	return actions
}

// actions returns the decisions on the section that has a line of the document.
func (s *proposalSection) actions(id, shown string, line, sections int) (actions []client.Action) {
	if line < s.header-1 || line > s.end {
		return nil
	}
	if len(s.view.Hunks) > 1 {
		actions = append(actions, s.blockActions(id, shown, line)...)
	}
	if sections > 1 {
		hunks := hunksOf(s.view)
		actions = append(actions,
			reviewAction("accept the changes of "+s.view.Rel, ploke.CommandProposalAccept,
				ploke.ProposalAcceptParams{ID: id, Version: shown, Hunks: hunks}),
			reviewAction("reject the changes of "+s.view.Rel, ploke.CommandProposalReject,
				ploke.ProposalRejectParams{ID: id, Version: shown, Hunks: hunks}))
	}
	return actions
}

func (s *proposalSection) blockActions(id, shown string, line int) []client.Action {
	_, lines := s.block(line)
	if lines == nil {
		return nil
	}
	hunks := s.patch.HunksOf(lines)
	if len(hunks) == 0 {
		return nil
	}
	accept := reviewAction("accept this block", ploke.CommandProposalAccept,
		ploke.ProposalAcceptParams{ID: id, Version: shown, Hunks: hunks})
	reject := reviewAction("reject this block", ploke.CommandProposalReject,
		ploke.ProposalRejectParams{ID: id, Version: shown, Hunks: hunks})
	accept.Kind, reject.Kind = client.KindQuickFix, client.KindQuickFix
	return []client.Action{accept, reject}
}

func hunksOf(v *edits.FileView) (ids []string) {
	for _, h := range v.Hunks {
		ids = append(ids, h.ID)
	}
	return ids
}

// DiffLenses shows the decisions on each block above it.
func (r *Review) DiffLenses(ctx context.Context, d *document.Parsed) (lenses []client.Lens) {
	doc := r.diffs.get(d.URI)
	if doc == nil {
		return nil
	}
	_, views, err := undecidedViews(ctx, r.Project, doc.id)
	if err != nil {
		return nil
	}
	sections, err := readProposalText(string(d.Text), views)
	if err != nil {
		return nil
	}
	shown := doc.version(d.Text)
	for i := range sections {
		for _, first := range sections[i].blocks() {
			_, lines := sections[i].block(first)
			hunks := sections[i].patch.HunksOf(lines)
			if len(hunks) == 0 {
				continue
			}
			at := protocol.Position{Line: uint32(first)}
			lenses = append(lenses,
				client.Lens{At: protocol.Range{Start: at, End: at}, Title: "accept", Command: ploke.CommandProposalAccept,
					Argument: ploke.ProposalAcceptParams{ID: doc.id, Version: shown, Hunks: hunks}},
				client.Lens{At: protocol.Range{Start: at, End: at}, Title: "reject", Command: ploke.CommandProposalReject,
					Argument: ploke.ProposalRejectParams{ID: doc.id, Version: shown, Hunks: hunks}})
		}
	}
	return lenses
}
