package session

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// Options configures an engine. DB, Bus, Tools and Model are required. The engine
// closes none of them.
type Options struct {
	DB    *store.DB
	Bus   *bus.Bus
	Tools *tools.Set
	// Model returns the model with a name; "" is the configured default. An [*llm.Error] says what
	// kind of error it is.
	Model    func(ctx context.Context, name string) (llm.Model, error)
	Fallback string // the model to use when another one is overloaded; "": none
	Limits   Limits
	Logger   *slog.Logger // nil discards all records
	// Permissions says that a front end answers [bus.PermissionAsked] with
	// [Engine.Answer]. Without it every question is rejected at once.
	Permissions bool
	// Lease is how long processes of another host take a turn for alive after its
	// process has stopped to renew it. Zero means a minute. On the same host they see
	// whether the process lives.
	Lease time.Duration

	Workspace Workspace
}

// Workspace is what an engine asks of the workspace and of the owner of the engine. Each function may be nil.
type Workspace struct {
	// Context finds code for a message, of at most so many tokens, for models that don't search by themselves. The call
	// has the ids of the turn and its conversation. nil: none.
	Context func(ctx context.Context, q tools.Question, turn tools.Call, tokens int) (records.FoundCode, error)
	// ServerTools returns the tools of other programs that a conversation has besides Tools, and what
	// the person should know of these programs. Requests describe these tools with at most so many tokens. It is called
	// once in a turn, if a model outside of this process answers that calls tools. nil: none.
	ServerTools func(ctx context.Context, conversationID string, tokens int) (more []*tools.Tool, notices []string)
	// Waiting returns the id of the newest proposal of the turns that waits for a decision,
	// "" if there is none. nil: there never is one.
	Waiting func(ctx context.Context, requestIDs []string) (proposalID string, err error)
	// Roots returns the absolute paths of the workspace's folders for the system
	// message. nil: none.
	Roots func() []string
	// Paths gives paths the form that a model reads. nil: they stay absolute.
	Paths wording.Paths
	// Rules returns the project's own instructions, in all at most limit bytes. nil: none.
	Rules func(ctx context.Context, limit int) ([]records.Rules, error)
	// NestedRules returns the rules of the folders between files and the workspace's folders, outer
	// folders first, in all at most limit bytes. It leaves out what known reports; a file that does
	// not exist has the hash "". Names that do not name files of the workspace are ignored. nil: none.
	NestedRules func(ctx context.Context, files []string, limit int,
		known func(path, hash string) bool) ([]records.Rules, error)
	// CurrentFile returns the absolute path of the file that the user is in; "" if there is none.
	// It may be nil.
	CurrentFile func(ctx context.Context) string
	// FileStates returns the current states of files, by their names in any form, as the calls of a turn
	// see them. It leaves out what is not a readable file. nil: none.
	FileStates func(ctx context.Context, turn tools.Call, files []string) []records.FileState
	// FileChanges returns those files that are no longer in their state, in the given order. nil: none
	// are compared.
	FileChanges func(ctx context.Context, since []records.FileState) ([]FileChange, error)
	// Proof checks what a turn has proposed and says what is known of it, within a bounded time, whether the user
	// answers its questions or not. It is called before the turn ends. nil: nothing is checked.
	Proof func(ctx context.Context, turn tools.Call, ask func(context.Context, tools.Permission) error) (Proof, error)
	// BeforeTurn brings the index up to date. nil does nothing.
	BeforeTurn func(ctx context.Context) error
	// BeforeCall is called before a tool runs, within its time limit, with the arguments that it
	// gets. nil does nothing.
	BeforeCall func(ctx context.Context, call tools.Call, arguments json.RawMessage)
}

// Limits bounds a turn. Zero means the default.
type Limits struct {
	ToolTimeout   time.Duration // of a call whose tool sets none; default 30 s
	TurnRequests  int           // to the model in one turn; default 100
	Retries       int           // of a request after an error; default 2; below 0: none
	Repairs       int           // consecutive responses with only invalid calls; default 4; below 0: none
	ContextTokens int           // window of a model whose window is unknown; default: [llm.LikelyContextTokens]
	DailyCost     float64       // US dollars a day; 0: no limit
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
	set(&l.ContextTokens, 0)
	return l
}

// Engine runs turns, one at a time in each conversation. Its methods are safe for
// concurrent use.
type Engine struct {
	opts       Options
	leases     leases
	started    time.Time
	ctx        context.Context // parent of all turns' contexts
	cancel     context.CancelCauseFunc
	dispatcher *dispatcher
	streamed   *records.StreamedText
	budget     budget
	kept       keptForTurns
	turns      turnQueues
	sleep      func(context.Context, time.Duration) error

	mu sync.Mutex // guards what Configure sets in opts
}

// keptForTurns is what an engine keeps from turn to turn, and what its turns share.
type keptForTurns struct {
	messages window.Cache
	hidden   hiddenCache
	known    knownSecrets
	windows  learnedWindows
	render   window.Rendering
}

// Causes of a turn's context.
var (
	errStopped = errors.New("stopped by the user")
	errClosed  = errors.New("the program is shutting down")
)

// New starts an engine and marks the turns that a crash interrupted. Engines of
// several processes may share a database; each process must have only one.
func New(o Options) (*Engine, error) {
	o.Limits = o.Limits.withDefaults()
	if o.Lease <= 0 {
		o.Lease = time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &Engine{opts: o, started: now(), ctx: ctx, cancel: cancel, sleep: sleep,
		leases: leases{db: o.DB, log: o.Logger, self: lease.New(newID(), o.Lease), length: o.Lease},
		turns:  turnQueues{bus: o.Bus, byConversation: map[string][]*Turn{}}}
	e.kept.render = window.Rendering{Tools: o.Tools, Paths: o.Workspace.Paths, Results: new(window.RenderedResults)}
	e.kept.messages = window.Cache{DB: o.DB, Render: e.kept.render, Roots: e.roots}
	if err := e.leases.interruptOrphans(ctx); err != nil {
		cancel(err)
		return nil, err
	}
	e.dispatcher = newDispatcher(o, &e.kept.known)
	e.streamed = records.NewStreamedText(o.DB, o.Logger, e.leases.self.ID, sleep)
	return e, nil
}

// Stop cancels the running turn of a conversation and the turns queued behind it. It
// reports whether there was a turn, and does not wait for the end of the turns.
func (e *Engine) Stop(conversationID string) bool {
	line := e.turns.of(conversationID)
	for _, t := range line {
		t.Stop()
	}
	return len(line) > 0
}

// Close interrupts all turns and waits until they have ended.
func (e *Engine) Close() error {
	e.turns.close()
	e.cancel(errClosed)
	e.turns.running.Wait()
	e.streamed.Close()
	e.dispatcher.close()
	return nil
}

// Configure sets the limits and the fallback model for turns that begin from now on.
// The fallback model replaces a model that is overloaded; "" means none.
func (e *Engine) Configure(limits Limits, fallback string) {
	limits = limits.withDefaults()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.Limits, e.opts.Fallback = limits, fallback
	e.dispatcher.timeout.Store(int64(limits.ToolTimeout))
}

// configured returns the values that [Engine.Configure] set last.
func (e *Engine) configured() (limits Limits, fallback string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.opts.Limits, e.opts.Fallback
}
