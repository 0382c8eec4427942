package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

const (
	// defaultEmbeddingBudget is in tokens: the code of a project of a few hundred files.
	defaultEmbeddingBudget = 1_000_000
	// embeddingRest is how long nothing is sent after a failure.
	embeddingRest = 5 * time.Minute
)

// vectors keeps the vectors of the index complete, where the settings name a model for
// them: one goroutine makes what is missing whenever the index has changed. A failure is
// told once, and tried again after a rest, or when the settings change.
type vectors struct {
	index    *index.Index
	engine   *session.Engine
	models   *Models
	settings func() config.Settings
	client   *client
	log      *slog.Logger
	idle     bool // none are made

	stop context.CancelFunc
	done sync.WaitGroup
	wake chan struct{}

	mu        sync.Mutex         // guards what follows
	interrupt context.CancelFunc // ends what runs; nil if nothing does
	looked    bool               // the index has been looked at for the first time
	held      bool               // by the person who cancelled the progress
	state     ploke.EmbeddingStatus

	// Only the goroutine uses these.
	used    embedded
	runs    int
	told    bool            // the last failure
	allowed map[string]bool // by space: what the person said of what exceeds the budget
	after   time.Time       // nothing is sent before
}

// embedded is what the embedder in use was made by.
type embedded struct {
	config.Embeddings
	provider config.Provider
}

func startVectors(p *project, s *Server) *vectors {
	ctx, stop := context.WithCancel(context.Background())
	v := &vectors{index: p.index, engine: p.engine, models: p.models, settings: p.models.Settings, client: s.client, log: s.log, idle: s.options.MakeNoVectors,
		stop: stop, wake: make(chan struct{}, 1), allowed: map[string]bool{}}
	v.configure()
	v.done.Go(func() { v.loop(ctx) })
	return v
}

// close stops what runs and waits for it.
func (v *vectors) close() {
	v.stop()
	v.done.Wait()
}

// indexed notes that the index has followed the disk.
func (v *vectors) indexed() {
	v.mu.Lock()
	v.looked = true
	v.mu.Unlock()
	signal(v.wake)
}

// configure takes changed settings.
func (v *vectors) configure() {
	v.mu.Lock()
	if v.interrupt != nil {
		v.interrupt()
	}
	v.mu.Unlock()
	signal(v.wake)
}

// status is how far the vectors are; nil where the settings want none.
func (v *vectors) status() *ploke.EmbeddingStatus {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.state.Model == "" {
		return nil
	}
	state := v.state
	return &state
}

// set changes the status, and tells it to a client that named the method.
func (v *vectors) set(change func(*ploke.EmbeddingStatus)) {
	v.mu.Lock()
	change(&v.state)
	v.mu.Unlock()
	if v.client.ploke.Has(ploke.MethodEvent) {
		v.client.stream(ploke.MethodEvent, &ploke.Event{Part: ploke.Part{Type: ploke.PartIndex, Index: indexStatus(v.index, v)}})
	}
}

func (v *vectors) loop(ctx context.Context) {
	rest := time.NewTimer(embeddingRest)
	defer rest.Stop()
	for {
		rest.Stop()
		if wait := time.Until(v.after); wait > 0 {
			rest.Reset(wait)
		}
		select {
		case <-v.wake:
		case <-rest.C:
		case <-ctx.Done():
			return
		}
		v.use()
		if !v.resting() {
			v.fill(ctx)
		}
	}
}

// resting reports whether nothing is to be sent now.
func (v *vectors) resting() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.idle || v.used.Provider == "" || !v.looked || v.held || time.Now().Before(v.after)
}

// use has the index use the model that the settings name now.
func (v *vectors) use() {
	settings := v.settings()
	want := embedded{settings.Index.Embeddings, settings.Providers[settings.Index.Embeddings.Provider]}
	if reflect.DeepEqual(v.used, want) {
		return
	}
	v.used, v.after, v.told = want, time.Time{}, false
	v.mu.Lock()
	v.held = false
	v.mu.Unlock()
	if want.Provider == "" {
		v.index.UseEmbedder(nil, nil)
		v.set(func(s *ploke.EmbeddingStatus) { *s = ploke.EmbeddingStatus{} })
		return
	}
	v.models.useEmbeddings(v.index, v.engine, settings)
	v.set(func(s *ploke.EmbeddingStatus) {
		*s = ploke.EmbeddingStatus{Model: want.Provider + "/" + want.Model, State: ploke.EmbeddingWaiting}
	})
}

// fill makes the vectors that are missing.
func (v *vectors) fill(ctx context.Context) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	v.mu.Lock()
	v.interrupt = cancel
	v.mu.Unlock()
	display := embeddingProgress{vectors: v, ctx: running, cancel: v.cancelled}
	err := v.index.Embed(running, index.EmbedOptions{
		Allow:    func(left index.Estimate) error { return v.allow(running, left) },
		Progress: display.report,
	})
	v.mu.Lock()
	v.interrupt = nil
	v.mu.Unlock()
	if running.Err() == nil {
		v.outcome(err)
	}
	display.end(err)
}

// outcome notes how a run has ended.
func (v *vectors) outcome(err error) {
	if err == nil {
		v.told, v.after = false, time.Time{}
		delete(v.allowed, spaceOf(v.used.Embeddings).String())
		v.set(func(s *ploke.EmbeddingStatus) { s.State, s.Error = ploke.EmbeddingReady, "" })
		return
	}
	v.set(func(s *ploke.EmbeddingStatus) { s.State, s.Error = ploke.EmbeddingFailed, err.Error() })
	if errors.Is(err, tools.ErrDenied) {
		return
	}
	v.log.Error("making vectors failed", "error", err)
	v.after = time.Now().Add(embeddingRest)
	if v.told {
		return
	}
	v.told = true
	v.client.showMessage(protocol.MessageTypeWarning,
		"ploke: the vectors for searching by meaning could not be made: %v. What was made is kept; searches go without until all are there", err)
}

// allow asks the person before more is sent than the budget allows, once for each model.
func (v *vectors) allow(ctx context.Context, left index.Estimate) error {
	v.set(func(s *ploke.EmbeddingStatus) { s.State = ploke.EmbeddingMaking })
	tokens, budget := embeddingTokens(v.used.Embeddings, left)
	if tokens <= budget {
		return nil
	}
	space := spaceOf(v.used.Embeddings).String()
	said, asked := v.allowed[space]
	if !asked {
		v.set(func(s *ploke.EmbeddingStatus) { s.State = ploke.EmbeddingAsking })
		err := v.engine.AskPermission(ctx, v.question(tokens, budget))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		said = err == nil
		v.allowed[space] = said
	}
	if !said {
		return aboveBudget(tokens, budget)
	}
	v.set(func(s *ploke.EmbeddingStatus) { s.State = ploke.EmbeddingMaking })
	return nil
}

// embeddingTokens is about how many tokens are left to be sent, and how many may be without
// asking.
func embeddingTokens(e config.Embeddings, left index.Estimate) (tokens, budget int) {
	return llm.EmbeddingTokens(left.Bytes), cmp.Or(e.Budget, defaultEmbeddingBudget)
}

// aboveBudget is the error of what was not allowed.
func aboveBudget(tokens, budget int) error {
	return fmt.Errorf("about %s tokens would be sent, and the budget is %s; raise index.embeddings.budget: %w",
		ploke.Count(tokens), ploke.Count(budget), tools.ErrDenied)
}

func (v *vectors) question(tokens, budget int) tools.Permission {
	cost := "at a price that is not known"
	if price := v.models.embedding(v.used.Embeddings).Price; price != nil {
		cost = fmt.Sprintf("for about $%.2f", price.MaxCost(tokens, 0))
	}
	return tools.Permission{
		Key:   "embed " + v.used.Provider + "/" + v.used.Model,
		Title: fmt.Sprintf("send about %s tokens of this workspace's code to %s/%s, %s, to search it by meaning", ploke.Count(tokens), v.used.Provider, v.used.Model, cost),
		Detail: fmt.Sprintf("The budget, index.embeddings.budget, is %s tokens. Files that are ignored are not sent, secrets are hidden, and the ledger lists every piece.",
			ploke.Count(budget)),
	}
}

// cancelled ends what runs for the person who cancelled its progress. It goes on when
// the person resumes the indexing or changes the model, or at the next start.
func (v *vectors) cancelled() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.held = true
	if v.interrupt != nil {
		v.interrupt()
	}
}

// resume goes on after a cancel.
func (v *vectors) resume() {
	v.mu.Lock()
	v.held = false
	v.mu.Unlock()
	signal(v.wake)
}

// embeddingProgress shows a run that sends something.
type embeddingProgress struct {
	*vectors
	ctx    context.Context
	cancel func()
	shown  *progress
}

func (p *embeddingProgress) report(done, total int) {
	p.set(func(s *ploke.EmbeddingStatus) { s.Passages, s.Total = done, total })
	if p.shown == nil {
		p.runs++
		p.shown = p.client.beginProgress(p.ctx, task{id: fmt.Sprintf("vectors/%d", p.runs), title: "ploke: making vectors", percentage: true, cancel: p.cancel})
	}
	p.shown.report(fmt.Sprintf("%s of %s passages", ploke.Count(done), ploke.Count(total)), 100*done/max(total, 1))
}

func (p *embeddingProgress) end(err error) {
	switch {
	case p.shown == nil:
	case err == nil:
		p.shown.end("done")
	case p.ctx.Err() != nil:
		p.shown.end("stopped; what was made is kept")
	default:
		p.shown.end("failed")
	}
}
