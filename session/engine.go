// Package session keeps conversations and runs their turns: it sends a model
// what the user wrote, runs the tools that the model calls, and sends it their
// results, until there is an answer.
//
// Its promises:
//
//   - A user's message is stored durably before [Engine.Start] returns. An
//     assistant's message goes from pending to completed, cancelled, failed or
//     interrupted, and keeps the text that was streamed in every case.
//   - Every tool call gets exactly one terminal event and exactly one result,
//     whatever happens to the tool; the record is stored before the event is
//     published. All calls of one response run concurrently, their results go
//     to the model in the order of the calls.
//   - Within a turn the messages of each request are a prefix of the next
//     one's, and a later turn rebuilds them to the same bytes.
//   - What is sent to a provider is in the ledger before it is sent.
//   - Whatever happens is published on the bus, in the order in which it
//     happens; nothing else is called back.
//   - It knows no editor, no position, no URI: paths are absolute paths of the
//     operating system, lines are 1-based and inclusive.
package session

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// Options is what an engine works with. DB, Bus, Tools and Model are required;
// the engine closes none of them.
type Options struct {
	DB    *store.DB
	Bus   *bus.Bus
	Tools *tools.Set
	// Model finds a model by its name; "" is the configured default.
	Model    func(ctx context.Context, name string) (llm.Model, error)
	Fallback string // the model to ask when another is overloaded; "": none
	Limits   Limits
	Logger   *slog.Logger // nil discards
	// Permissions says that somebody answers [bus.PermissionAsked] with
	// [Engine.Answer]. Without it every question is a rejection at once.
	Permissions bool

	// Context finds code for a query, in the snippet format, for models that
	// don't ask for it themselves. nil: none.
	Context func(ctx context.Context, query, requestID string) (string, error)
	// Roots are the workspace's folders, absolute paths, which every model is
	// told of. nil: none.
	Roots func() []string
	// Rules are the project's own instructions. nil: none.
	Rules func(ctx context.Context) (string, error)
	// BeforeTurn brings the index up to date. nil: nothing to do.
	BeforeTurn func(ctx context.Context) error
}

// Limits bound what a turn may do. Zero means the default.
type Limits struct {
	ToolTimeout   time.Duration // of a call whose tool has none of its own: 30 s
	TurnRequests  int           // to the model in one turn: 100
	Retries       int           // of a request after an error: 2; below 0: none
	Repairs       int           // of invalid arguments or unknown tools in a turn: 4; below 0: none
	ContextTokens int           // window of a model that doesn't say: 32,768
	DailyCost     float64       // US dollars that may be spent in a day; 0: any
}

func (l Limits) withDefaults() Limits {
	set := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
		*v = max(*v, 0)
	}
	if l.ToolTimeout <= 0 {
		l.ToolTimeout = 30 * time.Second
	}
	set(&l.TurnRequests, 100)
	set(&l.Retries, 2)
	set(&l.Repairs, 4)
	set(&l.ContextTokens, 32768)
	return l
}

// Engine runs turns, one at a time in each conversation. Its methods are safe
// for concurrent use.
type Engine struct {
	opts       Options
	id         string
	started    time.Time
	ctx        context.Context // of all turns
	cancel     context.CancelCauseFunc
	dispatcher *dispatcher
	budget     budget
	messages   messageCache
	running    sync.WaitGroup // one for each turn
	sleep      func(context.Context, time.Duration) error

	mu     sync.Mutex
	closed bool
	queues map[string][]*Turn // by conversation; the first one runs, the others wait
}

// Reasons for which a turn's context ends.
var (
	errStopped = errors.New("stopped by the user")
	errClosed  = errors.New("the program is shutting down")
)

// New starts an engine, and marks the turns that a crash interrupted. A
// database may be used by engines of several processes, but by one in each.
func New(o Options) (*Engine, error) {
	o.Limits = o.Limits.withDefaults()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &Engine{opts: o, id: newID(), started: now(), ctx: ctx, cancel: cancel, sleep: sleep, queues: map[string][]*Turn{}, messages: messageCache{db: o.DB}}
	if err := e.interruptOrphans(ctx); err != nil {
		cancel(err)
		return nil, err
	}
	e.dispatcher = newDispatcher(o)
	return e, nil
}

// Stop stops the turn that runs in a conversation and those that wait behind
// it, and reports whether there is one. It doesn't wait for their end.
func (e *Engine) Stop(conversationID string) bool {
	line := e.queue(conversationID)
	for _, t := range line {
		t.Stop()
	}
	return len(line) > 0
}

// Close interrupts all turns and waits until they have ended.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.cancel(errClosed)
	e.running.Wait()
	e.dispatcher.close()
	return nil
}
