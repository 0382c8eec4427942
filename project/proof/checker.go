package proof

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

// Deps are what a checker uses.
type Deps struct {
	Evidence *evidence.Store
	// Run runs a command in the sandbox.
	Run func(ctx context.Context, c trials.Command) (trials.Result, error)
	// Texts returns the unsaved and proposed texts of a folder as a turn sees them; without a turn, the unsaved ones.
	Texts func(ctx context.Context, turn edits.Turn, folder string) ([]trial.Text, error)
	// Place finds what waits of a proposal in the texts as they are now.
	Place func(ctx context.Context, p *edits.Proposal) ([]edits.Placed, error)
	// Importers returns the files that import a file, as the index knows them. Both are absolute.
	Importers func(ctx context.Context, path string) []string
	// Roots returns the folders of the workspace.
	Roots func() []string
	// Checks returns the commands of the user's settings that run on proposals.
	Checks func() []Check
	// Servers returns the language servers that the user's settings name.
	Servers func() LanguageServers
	// Skip returns what says which folders below a root are of no interest, such as ignored ones.
	Skip func(root string) func(folder string) bool
	Log  *slog.Logger
}

// Ask asks the person whether a command may run in the sandbox on copies of a folder. nil is a yes.
type Ask func(ctx context.Context, folder string, command []string) error

// Checker checks proposals. It is safe for concurrent use.
type Checker struct {
	deps Deps
	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup

	mu    sync.Mutex
	runs  map[string]*Run // by proposal
	bases map[baseKey]ran
}

// Run is the check of one version of a proposal.
type Run struct {
	version string
	tests   bool
	done    chan struct{}
	cancel  context.CancelFunc

	mu     sync.Mutex
	result []evidence.Evidence
	reason string // why nothing was checked
}

// New returns a checker. It must be closed.
func New(d Deps) *Checker {
	ctx, stop := context.WithCancel(context.Background())
	return &Checker{deps: d, ctx: ctx, stop: stop, runs: map[string]*Run{}, bases: map[baseKey]ran{}}
}

// Close stops what runs, and waits for it.
func (c *Checker) Close() {
	c.stop()
	c.all.Wait()
}

// Check checks a proposal, which waits. A check of the same version that runs is joined, and one of another version is
// stopped. It goes on if the caller does not wait for it.
func (c *Checker) Check(p *edits.Proposal, tests bool, ask Ask) *Run {
	c.mu.Lock()
	defer c.mu.Unlock()
	version := p.Version().Content()
	if r := c.runs[p.ID]; r != nil {
		if r.version == version && (r.tests || !tests) && !r.Done() {
			return r
		}
		r.cancel()
	}
	r := &Run{version: version, tests: tests, done: make(chan struct{})}
	ctx, cancel := context.WithCancel(c.ctx)
	r.cancel = cancel
	c.runs[p.ID] = r
	c.all.Go(func() {
		defer close(r.done)
		defer cancel()
		if err := c.check(ctx, p, r, ask); err != nil && ctx.Err() == nil {
			c.deps.Log.Error("a proposal was not checked", "proposal", p.ID, "error", err)
		}
	})
	return r
}

// Done reports whether the check has ended.
func (r *Run) Done() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Wait waits until the check has ended, or ctx.
func (r *Run) Wait(ctx context.Context) error {
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Result returns what was found so far, in the order of the steps, and why nothing was checked.
func (r *Run) Result() (found []evidence.Evidence, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.result, r.reason
}

// Reason says why nothing was checked; "" if something was.
func (r *Run) Reason() string {
	_, reason := r.Result()
	return reason
}

// planned is a step of a run.
type planned struct {
	Step
	folder *folder
	texts  []trial.Text
	misfit string // why it says nothing of the proposal; "" if it does
	server string // the language server that is asked; "" if a command runs
}

func (c *Checker) check(ctx context.Context, p *edits.Proposal, r *Run, ask Ask) error {
	steps, closeFolders, err := c.plan(ctx, p, r.tests)
	defer closeFolders()
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		r.mu.Lock()
		r.reason = nothingFits
		r.mu.Unlock()
	}
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Source
	}
	if err := c.deps.Evidence.Remove(ctx, p.ID, names); err != nil {
		return err
	}
	for _, s := range steps {
		var denied error
		if s.server == "" {
			denied = ask(ctx, s.folder.root, s.Command)
		}
		if err := c.checkStep(ctx, p, r, s, denied); err != nil {
			return err
		}
	}
	return nil
}

// checkStep runs a step that the person has allowed, unless denied says why not, and stores what it says.
func (c *Checker) checkStep(ctx context.Context, p *edits.Proposal, r *Run, s planned, denied error) error {
	put := func(e evidence.Evidence) error { return c.deps.Evidence.Put(ctx, p.ID, r.version, e) }
	e := s.evidence(s.folder, evidence.Running, "")
	e.Started, e.Base = time.Now().UnixMilli(), nameOf(s.texts)
	switch {
	case denied != nil:
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.State, e.Reason = evidence.Unknown, denied.Error()
	case s.misfit != "":
		e.State, e.Reason = evidence.Unknown, s.misfit
	default:
		if err := put(e); err != nil {
			return err
		}
		judged, err := c.judge(ctx, p, s)
		if err != nil {
			judged = s.evidence(s.folder, evidence.Unknown, err.Error())
		}
		judged.Started, judged.Base = e.Started, e.Base
		e = judged
	}
	if ctx.Err() != nil { // the version is not current any more, or the process ends
		return errors.Join(ctx.Err(), c.abandon(p, r, e))
	}
	r.mu.Lock()
	r.result = append(r.result, e)
	r.mu.Unlock()
	return put(e)
}

// abandon stores that a step was stopped.
func (c *Checker) abandon(p *edits.Proposal, r *Run, e evidence.Evidence) error {
	c.mu.Lock()
	current := c.runs[p.ID] == r
	c.mu.Unlock()
	if !current {
		return nil // the run that goes on says what is known
	}
	e.State, e.Reason, e.Problems, e.Tests = evidence.Unknown, "it was stopped", nil, evidence.Tests{}
	return c.deps.Evidence.Put(context.WithoutCancel(c.ctx), p.ID, r.version, e)
}

func (c *Checker) judge(ctx context.Context, p *edits.Proposal, s planned) (evidence.Evidence, error) {
	if s.server != "" {
		return c.askServer(ctx, s)
	}
	result, err := c.run(ctx, &s.Step, place{s.folder.root, p.RequestID, ""}, s.texts)
	if err != nil {
		return evidence.Evidence{}, err
	}
	return s.folder.judge(&s.Step, result, func() (ran, error) { return c.base(ctx, &s.Step, s.folder.root, p.RequestID) })
}
