package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/wake"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

const (
	// defaultEmbeddingBudget is in tokens: the code of a project of a few hundred files.
	defaultEmbeddingBudget = 1_000_000
	// embeddingBackoff is how long nothing is sent after a failure.
	embeddingBackoff = 5 * time.Minute
)

// vectors keeps the vectors of the index complete, if the settings name a model for
// them: one goroutine makes the missing ones whenever the index has changed. A failure
// is reported once, and retried after a pause or when the settings change.
type vectors struct {
	index    *index.Index
	engine   *session.Engine
	models   *Models
	settings func() config.Settings
	bus      *bus.Bus
	frontEnd FrontEnd
	log      *slog.Logger
	keep     bool // none are made

	lifetime context.Context // ends with stop
	stop     context.CancelFunc
	done     sync.WaitGroup
	wake     chan struct{}

	mu sync.Mutex // guards vectorsState
	vectorsState

	vectorsPolicy // only the goroutine uses it
}

// vectorsState is how far the vectors are.
type vectorsState struct {
	interrupt context.CancelFunc // ends the run; nil if there is none
	scanned   bool               // the index is ready for the first time
	paused    bool               // the person has cancelled the progress
	state     EmbeddingStatus
}

// vectorsPolicy says with which model vectors are made, and when.
type vectorsPolicy struct {
	used     embedderSource
	reported bool            // the last failure was
	allowed  map[string]bool // by space: the person's answer about exceeding the budget
	after    time.Time       // nothing is sent before
}

// EmbeddingStatus says how far the vectors of the index are: Passages of Total, of
// those that were missing when the run began.
type EmbeddingStatus struct {
	Model           string // PROVIDER/MODEL
	State           EmbeddingState
	Passages, Total int
	Error           string
}

// EmbeddingState is what happens to the vectors.
type EmbeddingState string

// The states.
const (
	EmbeddingWaiting EmbeddingState = "waiting" // for the index
	EmbeddingAsking  EmbeddingState = "asking"  // the person, since the budget is not enough
	EmbeddingMaking  EmbeddingState = "making"
	EmbeddingReady   EmbeddingState = "ready"
	EmbeddingFailed  EmbeddingState = "failed" // Error says why; finished vectors are kept
)

// String is one line for people: "vectors of home/nomic-embed-text: making, 640 of 3,210 passages".
func (s *EmbeddingStatus) String() string {
	line := fmt.Sprintf("vectors of %s: %s", s.Model, s.State)
	switch {
	case s.Error != "":
		line += ", " + s.Error
	case s.State == EmbeddingMaking:
		line += fmt.Sprintf(", %s of %s passages", display.Count(s.Passages), display.Count(s.Total))
	}
	return line
}

// embedderSource is the settings that the embedder in use was made from.
type embedderSource struct {
	config.Embeddings
	provider config.Provider
}

func newVectors(p *Project, keep bool) *vectors {
	lifetime, stop := context.WithCancel(context.Background())
	return &vectors{index: p.Index, settings: p.settings.Now, bus: p.bus, frontEnd: p.frontEnd, log: p.log,
		keep: keep, lifetime: lifetime, stop: stop, wake: make(chan struct{}, 1),
		vectorsPolicy: vectorsPolicy{allowed: map[string]bool{}}}
}

// start starts the goroutine. Its events make others read the status, so the project must
// hold v already.
func (v *vectors) start(engine *session.Engine, models *Models) {
	v.engine, v.models = engine, models
	v.configure()
	v.done.Go(func() { v.loop(v.lifetime) })
}

// close stops what runs and waits for it.
func (v *vectors) close() {
	v.stop()
	v.done.Wait()
}

// indexChanged notes that the index is up to date with the disk.
func (v *vectors) indexChanged() {
	v.mu.Lock()
	v.scanned = true
	v.mu.Unlock()
	wake.Up(v.wake)
}

// configure applies changed settings.
func (v *vectors) configure() {
	v.mu.Lock()
	if v.interrupt != nil {
		v.interrupt()
	}
	v.mu.Unlock()
	wake.Up(v.wake)
}

// status returns how far the vectors are, nil if the settings want none.
func (v *vectors) status() *EmbeddingStatus {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.state.Model == "" {
		return nil
	}
	state := v.state
	return &state
}

// set changes the status and publishes it.
func (v *vectors) set(change func(*EmbeddingStatus)) {
	v.mu.Lock()
	change(&v.state)
	state := v.state
	v.mu.Unlock()
	v.bus.Publish(bus.EmbeddingProgress{Model: state.Model, State: string(state.State), Passages: state.Passages,
		TotalPassages: state.Total})
}

func (v *vectors) loop(ctx context.Context) {
	backoff := time.NewTimer(embeddingBackoff)
	defer backoff.Stop()
	for {
		backoff.Stop()
		if wait := time.Until(v.after); wait > 0 {
			backoff.Reset(wait)
		}
		select {
		case <-v.wake:
		case <-backoff.C:
		case <-ctx.Done():
			return
		}
		v.updateEmbedder()
		if v.mayMake() {
			v.makeMissing(ctx)
		}
	}
}

// mayMake reports whether vectors may be made now.
func (v *vectors) mayMake() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.keep && v.used.Provider != "" && v.scanned && !v.paused && !time.Now().Before(v.after)
}

// updateEmbedder has the index use the model that the settings name now.
func (v *vectors) updateEmbedder() {
	settings := v.settings()
	want := embedderSource{settings.Index.Embeddings, settings.Providers[settings.Index.Embeddings.Provider]}
	if reflect.DeepEqual(v.used, want) {
		return
	}
	v.used, v.after, v.reported = want, time.Time{}, false
	v.mu.Lock()
	v.paused = false
	v.mu.Unlock()
	if want.Provider == "" {
		v.index.UseEmbedder(nil, nil)
		v.set(func(s *EmbeddingStatus) { *s = EmbeddingStatus{} })
		return
	}
	v.models.useEmbeddings(v.index, v.engine, settings)
	v.set(func(s *EmbeddingStatus) {
		*s = EmbeddingStatus{Model: want.Provider + "/" + want.Model, State: EmbeddingWaiting}
	})
}

func (v *vectors) makeMissing(ctx context.Context) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	v.mu.Lock()
	v.interrupt = cancel
	v.mu.Unlock()
	display := embeddingDisplay{vectors: v, ctx: running, cancel: v.cancelled}
	err := v.index.Embed(running, index.EmbedOptions{
		Allow:    func(left index.Estimate) error { return v.allow(running, left) },
		Progress: display.report,
	})
	v.mu.Lock()
	v.interrupt = nil
	v.mu.Unlock()
	if running.Err() == nil {
		v.finished(err)
	}
	display.end(err)
}

// finished records how a run has ended.
func (v *vectors) finished(err error) {
	if err == nil {
		v.reported, v.after = false, time.Time{}
		delete(v.allowed, spaceOf(v.used.Embeddings).String())
		v.set(func(s *EmbeddingStatus) { s.State, s.Error = EmbeddingReady, "" })
		return
	}
	v.set(func(s *EmbeddingStatus) { s.State, s.Error = EmbeddingFailed, err.Error() })
	if errors.Is(err, tools.ErrDenied) {
		return
	}
	v.log.Error("making vectors failed", "error", err)
	v.after = time.Now().Add(embeddingBackoff)
	if v.reported {
		return
	}
	v.reported = true
	v.frontEnd.ShowMessage(Warning, fmt.Sprintf(
		"the vectors for searching by meaning could not be made: %v. Finished vectors are kept; searches do without until "+
			"all are made", err))
}

// allow asks the person before a run sends more than the budget allows, once for each model.
func (v *vectors) allow(ctx context.Context, left index.Estimate) error {
	v.set(func(s *EmbeddingStatus) { s.State = EmbeddingMaking })
	tokens, budget := embeddingTokens(v.used.Embeddings, left)
	if tokens <= budget {
		return nil
	}
	space := spaceOf(v.used.Embeddings).String()
	allowed, asked := v.allowed[space]
	if !asked {
		v.set(func(s *EmbeddingStatus) { s.State = EmbeddingAsking })
		err := v.engine.AskPermission(ctx, v.permission(tokens, budget))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		allowed = err == nil
		v.allowed[space] = allowed
	}
	if !allowed {
		return aboveBudget(tokens, budget)
	}
	v.set(func(s *EmbeddingStatus) { s.State = EmbeddingMaking })
	return nil
}

// embeddingTokens estimates how many tokens are left to be sent, and returns how many may
// be sent without asking.
func embeddingTokens(e config.Embeddings, left index.Estimate) (tokens, budget int) {
	return llm.EmbeddingTokens(left.Bytes), cmp.Or(e.Budget, defaultEmbeddingBudget)
}

// aboveBudget is the error of a run that was not allowed.
func aboveBudget(tokens, budget int) error {
	return fmt.Errorf("about %s tokens would be sent, and the budget is %s; raise index.embeddings.budget: %w",
		display.Count(tokens), display.Count(budget), tools.ErrDenied)
}

// permission describes a run that exceeds the budget.
func (v *vectors) permission(tokens, budget int) tools.Permission {
	cost := "at an unknown price"
	if price := v.models.embedding(v.used.Embeddings).Price; price != nil {
		cost = fmt.Sprintf("for about $%.2f", price.MaxCost(tokens, 0))
	}
	return tools.Permission{
		Key: "embed " + v.used.Provider + "/" + v.used.Model,
		Title: fmt.Sprintf("send about %s tokens of this workspace's code to %s/%s, %s, to search it by meaning",
			display.Count(tokens), v.used.Provider, v.used.Model, cost),
		Detail: fmt.Sprintf("The budget, index.embeddings.budget, is %s tokens. Ignored files are not sent, secrets are "+
			"hidden, and the ledger lists every piece.",
			display.Count(budget)),
	}
}

// cancelled ends the run for the person who cancelled its progress. It resumes when
// the person resumes the indexing or changes the model, or at the next start.
func (v *vectors) cancelled() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.paused = true
	if v.interrupt != nil {
		v.interrupt()
	}
}

// resume resumes after a cancel.
func (v *vectors) resume() {
	v.mu.Lock()
	v.paused = false
	v.mu.Unlock()
	wake.Up(v.wake)
}

// embeddingDisplay shows a run that sends something.
type embeddingDisplay struct {
	*vectors
	ctx    context.Context
	cancel func()
	shown  Progress
}

func (p *embeddingDisplay) report(done, total int) {
	p.set(func(s *EmbeddingStatus) { s.Passages, s.Total = done, total })
	if p.shown == nil {
		p.shown = p.frontEnd.BeginProgress(p.ctx, Task{Title: "ploke: making vectors", Cancel: p.cancel})
	}
	p.shown.Report(fmt.Sprintf("%s of %s passages", display.Count(done), display.Count(total)), 100*done/max(total, 1))
}

func (p *embeddingDisplay) end(err error) {
	switch {
	case p.shown == nil:
	case err == nil:
		p.shown.End("done")
	case p.ctx.Err() != nil:
		p.shown.End("stopped; finished vectors are kept")
	default:
		p.shown.End("failed")
	}
}
