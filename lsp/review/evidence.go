package review

import (
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
	onUndecided(r, p.ID, "check", func(ctx context.Context, id string) error {
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
