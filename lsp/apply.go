package lsp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// settleTime is how long the editor has, after it said that it applied an
// edit, to send the text that proves it.
const settleTime = 2 * time.Second

// answerTime is how long the editor has to say that it applied an edit, before the
// person gets to decide anew. It may have to ask them, so that this is long.
const answerTime = 30 * time.Second

// applier has plans carried out: by the editor where it can, else on disk.
type applier struct {
	project   *project
	client    *client
	documents *documents
}

// applier must be made before the handler releases.
func (s *Server) applier() *applier {
	return &applier{project: s.project, client: s.client, documents: s.documents}
}

func (a *applier) accept(ctx context.Context, id string, selection edits.Selection) (*ploke.ProposalDecision, error) {
	plan, err := a.project.edits.Accept(ctx, id, selection)
	return a.carryOut(ctx, "applied", plan, err)
}

// carryOut has a plan carried out, unless there is none because of err. what
// names the outcome that is wanted.
func (a *applier) carryOut(ctx context.Context, what string, plan *edits.Plan, err error) (*ploke.ProposalDecision, error) {
	if err != nil {
		return nil, err
	}
	// From here on the editor may be changing text: what became of it has to be
	// found out even if the request is cancelled.
	ctx = context.WithoutCancel(ctx)
	var outcome edits.Outcome
	var late func()
	if a.client.canApply(plan) {
		outcome, late = a.inEditor(ctx, plan)
	} else {
		outcome = a.onDisk(ctx, plan)
	}
	if outcome.Applied {
		a.project.diskChanged(pathsOf(plan))
	}
	proposal, err := a.project.edits.Settle(ctx, plan, outcome)
	if late != nil {
		a.project.followers.Go(late)
	}
	if err != nil {
		return nil, err
	}
	if !outcome.Applied {
		return nil, fmt.Errorf("the proposal was not %s: %s", what, outcome.Reason)
	}
	return a.project.decision(proposal), nil
}

// pathsOf returns the names that the plan's files have or get.
func pathsOf(plan *edits.Plan) (paths []string) {
	for _, f := range plan.Files {
		paths = append(paths, f.Path)
		if f.To != "" {
			paths = append(paths, f.To)
		}
	}
	return paths
}

// inEditor has the editor apply the plan and waits for the texts that show it. An
// editor that has not answered in time may still do so: late, if not nil, waits for
// that and takes it, once the plan is settled; it ends with the connection.
func (a *applier) inEditor(ctx context.Context, plan *edits.Plan) (outcome edits.Outcome, late func()) {
	if a.project.edits.IsInEffect(ctx, plan) {
		return edits.Outcome{Applied: true}, nil // somebody typed the same
	}
	tidy, err := a.project.edits.CreateDirs(plan) // some editors make none
	if err != nil {
		return edits.Outcome{Reason: err.Error()}, nil
	}
	edit := a.workspaceEdit(plan)
	answer := make(chan edits.Outcome, 1)
	a.project.followers.Go(func() { answer <- a.client.outcomeOf(ctx, edit) })
	select {
	case outcome = <-answer:
	case <-time.After(answerTime):
		if outcome.Applied = a.project.edits.IsInEffect(ctx, plan); !outcome.Applied {
			outcome.Reason = fmt.Sprintf("the editor has not answered for %v; see whether it waits for you, then accept again or reject", answerTime)
			return outcome, func() { a.settleLate(ctx, plan, <-answer); tidy() }
		}
	}
	if outcome.Applied {
		a.awaitTexts(ctx, plan)
	}
	tidy()
	return outcome, nil
}

// outcomeOf has the editor apply an edit, and returns what it says of it.
func (c *client) outcomeOf(ctx context.Context, edit protocol.WorkspaceEdit) edits.Outcome {
	applied, reason, err := c.applyEdit(ctx, "ploke", edit)
	switch {
	case err != nil:
		return edits.Outcome{Reason: err.Error()}
	case !applied && reason == "":
		return edits.Outcome{Reason: "the editor refused the edit"}
	case !applied:
		return edits.Outcome{Reason: "the editor refused the edit: " + reason}
	}
	return edits.Outcome{Applied: true}
}

func (a *applier) awaitTexts(ctx context.Context, plan *edits.Plan) {
	a.documents.await(ctx, settleTime, func() bool { return a.project.edits.IsInEffect(ctx, plan) })
}

// settleLate takes an answer that came after the plan was settled without it.
func (a *applier) settleLate(ctx context.Context, plan *edits.Plan, outcome edits.Outcome) {
	if !outcome.Applied {
		return
	}
	a.awaitTexts(ctx, plan)
	a.project.diskChanged(pathsOf(plan))
	if err := a.project.edits.SettleLate(ctx, plan); err != nil {
		a.project.bus.Publish(bus.Notice{Text: "what the editor has applied late could not be noted: " + err.Error()})
	}
}

// onDisk writes the plan for a client that can't. A file that is open in
// it is left alone: writing beneath an editor loses text.
func (a *applier) onDisk(ctx context.Context, plan *edits.Plan) edits.Outcome {
	var open []string
	for _, path := range pathsOf(plan) {
		if a.documents.get(uri.File(path)) != nil {
			open = append(open, a.project.workspace.Rel(path))
		}
	}
	if len(open) > 0 {
		return edits.Outcome{Reason: fmt.Sprintf("this editor can't apply such edits, and %s is open in it: close it and try again", strings.Join(open, ", "))}
	}
	if err := a.project.edits.WriteToDisk(ctx, plan); err != nil {
		return edits.Outcome{Reason: err.Error()}
	}
	return edits.Outcome{Applied: true}
}
