package review

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// Check runs the checks of a proposal again, or those of what is not committed, and returns what is known then.
func (r *Review) Check(ctx context.Context, p *ploke.ProposalCheckParams) (*ploke.ProposalCheckResult, error) {
	project := r.Project
	rpc.Release(ctx)
	if p.ID == "" {
		known, reason, err := project.Evidence.CheckUncommitted(ctx, p.Tests)
		return &ploke.ProposalCheckResult{Evidence: encoded(known), Reason: reason}, err
	}
	proposal, known, reason, err := check(ctx, project, p)
	if err != nil {
		return nil, err
	}
	return &ploke.ProposalCheckResult{Version: string(proposal.Version()), Evidence: encoded(known), Reason: reason}, nil
}

// check runs the checks of a proposal, and returns what is known then. reason says why nothing was checked.
func check(ctx context.Context, opened *project.Project, p *ploke.ProposalCheckParams) (proposal *edits.Proposal,
	known []evidence.Evidence, reason string, err error) {
	if proposal, err = opened.Edits.Load(ctx, p.ID); err != nil {
		return nil, nil, "", err
	}
	if p.Always {
		if err := opened.Evidence.AllowAlways(ctx, proposal); err != nil {
			return nil, nil, "", err
		}
	}
	run := opened.Evidence.Check(proposal, p.Tests, opened.Evidence.Standing)
	if err := run.Wait(ctx); err != nil {
		return nil, nil, "", err
	}
	known, err = opened.Evidence.Of(ctx, proposal)
	return proposal, known, run.Reason(), err
}

// CheckCommand runs the checks of a proposal, and says what is known then.
func (r *Review) CheckCommand(_ context.Context, p *ploke.ProposalCheckParams) (any, error) {
	opened := r.Project
	r.Background.Afterwards(func(ctx context.Context) error {
		all, err := opened.Edits.Proposals.Undecided(ctx)
		if err != nil {
			return err
		}
		id, err := r.chooseProposal(ctx, p.ID, "check", all)
		if err != nil || id == "" {
			return err
		}
		named := *p
		named.ID = id
		proposal, known, reason, err := check(ctx, opened, &named)
		if err != nil {
			return err
		}
		r.Client.ShowMessage(protocol.MessageTypeInfo, "ploke: %s: %s", cmp.Or(evidence.Summary(known), reason),
			quotedTitle(proposal))
		return nil
	})
	return nil, nil
}

// checkActions offer to run what has not run, or whose result is stale.
func checkActions(ctx context.Context, p *project.Project, w *inReview) (actions []client.Action) {
	again := func(e evidence.Evidence) bool { return e.State == evidence.Unknown || e.State == evidence.Stale }
	if !slices.ContainsFunc(w.evidence, again) {
		return nil
	}
	actions = append(actions, reviewAction("check "+quotedTitle(w.Proposal)+" in a sandbox", ploke.CommandProposalCheck,
		ploke.ProposalCheckParams{ID: w.ID}))
	notAllowed := func(e evidence.Evidence) bool { return p.Evidence.NotAllowed(ctx, e) }
	if slices.ContainsFunc(w.evidence, notAllowed) {
		actions = append(actions, reviewAction("always check in a sandbox what is proposed, such as "+quotedTitle(w.Proposal),
			ploke.CommandProposalCheck, ploke.ProposalCheckParams{ID: w.ID, Always: true}))
	}
	return actions
}

func encoded(known []evidence.Evidence) []ploke.Evidence {
	return append([]ploke.Evidence{}, client.EncodeEvidence(known, true)...)
}

// problemDiagnostics returns the new problems of a proposal in its files as they read now. What is stale has none.
func (d *hunkDiagnostics) problemDiagnostics(w *inReview) map[uri.URI][]protocol.Diagnostic {
	all := map[uri.URI][]protocol.Diagnostic{}
	for _, e := range w.evidence {
		if e.State != evidence.Failed {
			continue
		}
		for _, p := range e.Problems {
			place, ok := d.placeOf(w, p)
			if !ok {
				continue
			}
			one := protocol.Diagnostic{Range: place, Severity: protocol.DiagnosticSeverityError,
				Source:  document.CheckSource(e.Source),
				Message: protocol.String(p.Message + " (with what is proposed: " + quotedTitle(w.Proposal) + ")")}
			if p.Warning {
				one.Severity = protocol.DiagnosticSeverityWarning
			}
			u := d.documents.KeyOf(p.Path)
			all[u] = append(all[u], one)
		}
	}
	return all
}

// placeOf returns where a problem is shown in a file as it reads now: at its line, or at the hunk that makes its
// line. A file that is not there yet has no place.
func (d *hunkDiagnostics) placeOf(w *inReview, p evidence.Problem) (place protocol.Range, ok bool) {
	if p.Path == "" {
		return place, false
	}
	for i := range w.files {
		f := &w.files[i]
		if f.Path != p.Path && f.To != p.Path {
			continue
		}
		if f.File == nil || f.Reason != "" {
			return place, false
		}
		start, end := rangeNow(f, p.Line)
		return d.documents.Mapper(f.Path, f.File.Text, d.client.Encoding).TextRange(start, end), true
	}
	line := uint32(max(p.Line-1, 0))
	return protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line + 1}}, true
}

// rangeNow returns the bytes of the current text at which a line of the proposed text is shown.
func rangeNow(f *edits.Placed, line int) (start, end int) {
	text, now, after := f.File.Text, 0, 0 // both offsets stand for the same place
	target := lineStart(f, line)
	for _, h := range f.Hunks {
		if h.Renames || h.Stale {
			continue
		}
		kept := h.Edit.Start - now
		if target < after+kept {
			break
		}
		after += kept
		if target < after+len(h.Edit.New) {
			return shownRange(f, h)
		}
		now, after = h.Edit.End, after+len(h.Edit.New)
	}
	at := min(now+target-after, len(text))
	return document.WholeLines(text, at, at)
}

// lineStart returns the offset of a line in the proposed text.
func lineStart(f *edits.Placed, line int) (offset int) {
	var fit []edits.Edit
	for _, h := range f.Hunks {
		if !h.Renames && !h.Stale {
			fit = append(fit, h.Edit)
		}
	}
	text, err := edits.Apply(f.File.Text, fit)
	if err != nil {
		return 0 // placed hunks fit
	}
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			break
		}
		offset += next + 1
	}
	return offset
}
