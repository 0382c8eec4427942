package project

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/index/history"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/proof"
	"ploke-lsp/project/trials"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
	"ploke-lsp/tools/current"
)

const (
	// proofTime is the usual patience.
	proofTime = 20 * time.Second
	// lookAfter is how long after a change of the files evidence becomes stale; meanwhile more may change.
	lookAfter = time.Second
)

// Evidence is what is known of proposals besides their changes, and the trials in which commands run on them.
type Evidence struct {
	store   *evidence.Store
	checker *proof.Checker
	trials  *trials.Trials
	p       *Project
	// sandbox returns the sandbox in which commands run, or why there is none.
	sandbox func() (sandbox.Protection, error)
	// patience is how long the end of a turn waits for its checks, and for the person's permission.
	patience time.Duration
	refused  sync.Map      // ids of conversations in which the person has not allowed commands
	wake     chan struct{} // files have changed
	stop     func()
}

// newEvidence prepares checks of proposals, and removes what killed processes have left of their trials.
func newEvidence(p *Project) *Evidence {
	ctx, stop := context.WithCancel(context.Background())
	dir := trialsFolder(p.stateDir)
	e := &Evidence{p: p, wake: make(chan struct{}, 1), stop: stop, patience: proofTime}
	e.trials = trials.New(dir, uuid.NewString(), func(ctx context.Context, turn string) bool {
		waiting, err := p.Edits.Staging.Waiting(ctx, edits.Turn{ID: turn})
		return err != nil || len(waiting) > 0
	})
	e.trials.Megabytes = func() int { return p.settings.Now().Trial.Megabytes }
	e.store = evidence.NewStore(p.db, uuid.NewString(), e.changed)
	e.checker = proof.New(proof.Deps{
		Evidence: e.store, Run: e.trials.Run, Texts: e.texts, Place: p.Edits.Preview.Place, Importers: e.importers,
		Roots: p.Workspace.Roots, Servers: func() proof.LanguageServers { return p.languages },
		Checks: func() []proof.Check { return proposalChecks(p.settings.Now()) }, Skip: e.skipped, Log: p.log})
	e.sandbox = sync.OnceValues(func() (sandbox.Protection, error) {
		found, err := trials.Probe(context.Background(), dir)
		return found.Protection, err
	})
	p.background.Go(func() { e.followFiles(ctx) })
	p.background.Go(func() { sweepTrials(dir, p.log) })
	return e
}

// sweepTrials removes the trials of earlier processes.
func sweepTrials(dir string, log *slog.Logger) {
	if err := trials.Sweep(dir); err != nil {
		log.Warn("a trial of an earlier process stays on disk", "error", err)
	}
}

// close stops what runs and waits for it, then removes the trials.
func (e *Evidence) close() {
	if e == nil {
		return
	}
	e.stop()
	e.checker.Close()
	if err := e.trials.Close(); err != nil {
		e.p.log.Warn("a trial stays on disk", "error", err)
	}
}

// run runs a command in a sandbox on a folder as a turn would leave it.
func (e *Evidence) run(ctx context.Context, t tools.Trial) (tools.TrialResult, error) {
	result, err := e.trials.Run(ctx, trials.Command(t))
	return tools.TrialResult(result), err
}

// followFiles makes evidence stale when texts or files change, until ctx ends.
func (e *Evidence) followFiles(ctx context.Context) {
	for {
		select {
		case <-e.wake:
		case <-e.p.texts.Next():
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(lookAfter):
		case <-ctx.Done():
			return
		}
		if err := e.refreshAll(ctx); err != nil && ctx.Err() == nil {
			e.p.log.Warn("evidence was not compared with the files", "error", err)
		}
	}
}

func (e *Evidence) refreshAll(ctx context.Context) error {
	waiting, err := e.p.Edits.Proposals.Undecided(ctx)
	if err != nil {
		return err
	}
	for _, p := range waiting {
		if err := e.checker.Refresh(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// changed publishes that what is known of a proposal has changed.
func (e *Evidence) changed(id string) {
	proposal, err := e.p.Edits.Proposals.Get(context.Background(), id)
	if err != nil {
		return // it was deleted meanwhile
	}
	e.p.bus.Publish(bus.ProposalChecked{ProposalID: id, Version: string(proposal.Version()),
		TurnRef: bus.TurnRef{ConversationID: proposal.ConversationID, RequestID: proposal.RequestID}})
}

// Of returns what is known of a proposal, by source.
func (e *Evidence) Of(ctx context.Context, p *edits.Proposal) ([]evidence.Evidence, error) {
	all, err := e.store.Of(ctx, p.ID, p.Version().Content())
	if broken := syntaxOf(p); len(broken.Problems) > 0 {
		all = append(all, broken)
	}
	return e.withNames(all), err
}

// syntaxOf returns what the parser says of the changes that wait.
func syntaxOf(p *edits.Proposal) evidence.Evidence {
	found := evidence.Evidence{Source: "syntax", Kind: evidence.Syntax, State: evidence.Failed}
	for _, c := range p.Changes {
		if !c.Waits() {
			continue
		}
		for _, problem := range c.Problems {
			found.Problems = append(found.Problems,
				evidence.Problem{Path: cmp.Or(c.To, c.Path), Line: problem.Line, Message: problem.Message})
		}
	}
	found.Bound()
	return found
}

// withNames fills in the names of files.
func (e *Evidence) withNames(all []evidence.Evidence) []evidence.Evidence {
	for i := range all {
		for j := range all[i].Problems {
			problem := &all[i].Problems[j]
			if problem.Path != "" {
				problem.Rel = e.p.Workspace.Rel(problem.Path)
			}
		}
	}
	return all
}

// Refreshed is Of, after a look at the files: what has changed below a proposal that waits makes its evidence stale.
func (e *Evidence) Refreshed(ctx context.Context, p *edits.Proposal) ([]evidence.Evidence, error) {
	if err := e.checker.Refresh(ctx, p); err != nil {
		return nil, err
	}
	return e.Of(ctx, p)
}

// Check checks a proposal in the background.
func (e *Evidence) Check(p *edits.Proposal, tests bool, ask Ask) *proof.Run {
	return e.checker.Check(p, tests, e.asking(ask))
}

// uncommitted returns the paths of the files of a root that differ from the last commit, relative to it and with
// slashes, and what the commit has of them, unless that is too large.
func (e *Evidence) uncommitted(ctx context.Context, root string) (changed []string, committed []trial.Text, err error) {
	changes, err := history.Uncommitted(ctx, root, e.p.Workspace.Unsaved(ctx, root))
	if err != nil {
		return nil, nil, err
	}
	contents, err := history.ReadContents(ctx, root, changes)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range changes {
		changed = append(changed, c.Path)
		if before := contents[i].Before; !contents[i].Unread || before != nil {
			committed = append(committed, trial.Text{Path: c.Path, Data: before, Gone: before == nil})
		}
	}
	return changed, committed, nil
}

// CheckWithin checks a proposal where commands are allowed already, and returns what is known after so long at most.
func (e *Evidence) CheckWithin(ctx context.Context, p *edits.Proposal,
	limit time.Duration) ([]evidence.Evidence, error) {
	settings := e.p.settings.Now().Proof
	if settings.Compile != nil && !*settings.Compile {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if e.Check(p, settings.Test, e.Allowed).Wait(limited) != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return e.Of(ctx, p)
}

// CheckUncommitted checks the files of the workspace that differ from the last commit. reason says why nothing was
// checked.
func (e *Evidence) CheckUncommitted(ctx context.Context,
	tests bool) (all []evidence.Evidence, reason string, err error) {
	for _, root := range e.p.Workspace.Roots() {
		changed, committed, err := e.uncommitted(ctx, root)
		if errors.Is(err, history.ErrNoRepository) {
			reason = e.p.Workspace.Rel(root) + " is not in a repository of git"
			continue
		}
		if err != nil {
			return nil, "", err
		}
		found, why, err := e.checker.CheckFolder(ctx, root, changed, committed, tests, e.asking(e.Standing))
		if err != nil {
			return nil, "", err
		}
		all, reason = append(all, found...), cmp.Or(reason, why)
	}
	return e.withNames(all), reason, nil
}

// prove checks what a turn has proposed before it ends.
func (e *Evidence) prove(ctx context.Context, turn tools.Call,
	ask func(context.Context, tools.Permission) error) (session.Proof, error) {
	settings := e.p.settings.Now().Proof
	if settings.Compile != nil && !*settings.Compile {
		return session.Proof{}, nil
	}
	waiting, err := e.p.Edits.Staging.Waiting(ctx, edits.Turn{ID: turn.RequestID})
	if err != nil || len(waiting) == 0 {
		return session.Proof{}, err
	}
	if !e.p.frontEnd.ShowsQuestions() {
		ask = e.Allowed
	}
	run := e.Check(waiting[0], settings.Test, e.askingOnce(turn.ConversationID, ask))
	limited, cancel := context.WithTimeout(ctx, e.patience)
	defer cancel()
	if run.Wait(limited) != nil && ctx.Err() != nil {
		return session.Proof{}, ctx.Err()
	}
	// The result of an edit has told the model what the parser says.
	known, err := e.store.Of(ctx, waiting[0].ID, waiting[0].Version().Content())
	if err != nil {
		return session.Proof{}, err
	}
	known = e.withNames(known)
	rounds := 2
	if settings.Rounds != nil {
		rounds = max(*settings.Rounds, 0)
	}
	return session.Proof{Summary: evidence.Summary(known), Problems: evidence.ForModel(known), Rounds: rounds}, nil
}

// proposalChecks are the user's checks that run on each proposal.
func proposalChecks(settings config.Settings) (checks []proof.Check) {
	for _, name := range slices.Sorted(maps.Keys(settings.Checks)) {
		if c := settings.Checks[name]; onProposal(c) {
			checks = append(checks, proof.Check{Name: name, Command: c.Command, Files: c.Files, Env: c.Env,
				Timeout: seconds(c.Timeout)})
		}
	}
	return checks
}

// texts returns the unsaved and proposed texts of a folder as a turn sees them.
func (e *Evidence) texts(ctx context.Context, turn edits.Turn, folder string) ([]trial.Text, error) {
	return current.New(e.p.Workspace, e.p.Index, e.p.Edits, turn).Texts(ctx, folder)
}

// importers returns the files that import a file, as far as the index knows.
func (e *Evidence) importers(ctx context.Context, file string) (paths []string) {
	found, err := e.p.Index.Overlay(nil).Importers(ctx, file, true)
	if err != nil {
		e.p.log.Warn("the importers of a file are not known", "file", file, "error", err)
	}
	for _, i := range found {
		paths = append(paths, i.Path)
	}
	return paths
}

// skipped returns what says which folders below a root hold nothing that a person has written.
func (e *Evidence) skipped(root string) func(folder string) bool {
	return func(folder string) bool {
		return path.Base(folder) == ".git" ||
			e.p.Workspace.Skipped(filepath.Join(root, filepath.FromSlash(folder))) == workspace.Ignored
	}
}
