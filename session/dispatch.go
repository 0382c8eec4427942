package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
	"ploke-lsp/tools"
)

const (
	vendor       = "ploke"
	shortWorkers = 8
	longWorkers  = 2
	// stagingWorkers is also how many calls can wait to be stored together, so that many edits
	// of a response become few versions of their proposal.
	stagingWorkers = 64
	// closeGrace is how long close waits for cancelled tools.
	closeGrace = 5 * time.Second
)

var errTimeout = errors.New("the tool took too long")

// dispatcher runs tool calls. It subscribes to ToolCallRequested. Only its recorder
// publishes terminal events: exactly one for each call, after the call's record is
// stored. The first end of a call wins; a later result of its tool is logged and
// dropped.
type dispatcher struct {
	db      *store.DB
	bus     *bus.Bus
	tools   *tools.Set
	known   *knownSecrets
	records *recorder
	before  func(context.Context, tools.Call, json.RawMessage) // called before a tool runs; may be nil
	timeout atomic.Int64                                       // a time.Duration, of calls whose tool sets none
	log     *slog.Logger

	permissions *permissions

	workers map[tools.Class]chan struct{}
	life    dispatcherLife

	mu    sync.Mutex
	turns map[string]callBatch // by request id
}

// dispatcherLife ends a dispatcher, and what it has begun.
type dispatcherLife struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	sub     *bus.Subscription
	calls   sync.WaitGroup // counts the loop, and each call until the recorder has it
	invoked sync.WaitGroup // counts tools that have not returned
}

func newDispatcher(o Options, known *knownSecrets) *dispatcher {
	d := &dispatcher{db: o.DB, bus: o.Bus, tools: o.Tools, known: known, log: o.Logger, permissions: newPermissions(o),
		records: newRecorder(o), before: o.Workspace.BeforeCall, turns: map[string]callBatch{},
		workers: map[tools.Class]chan struct{}{
			tools.Short:   make(chan struct{}, shortWorkers),
			tools.Long:    make(chan struct{}, longWorkers),
			tools.Staging: make(chan struct{}, stagingWorkers),
		}}
	d.timeout.Store(int64(o.Limits.ToolTimeout))
	d.life.sub = o.Bus.ParticipantOf("dispatcher", bus.Is[bus.ToolCallRequested])
	d.life.ctx, d.life.cancel = context.WithCancelCause(context.Background())
	d.life.calls.Go(d.loop)
	return d
}

func (d *dispatcher) loop() {
	for {
		e, err := d.life.sub.Next(d.life.ctx)
		if err != nil {
			return
		}
		r := e.(bus.ToolCallRequested)
		d.life.calls.Go(func() { d.serve(r) })
	}
}

// close cancels the running calls and waits for them.
func (d *dispatcher) close() {
	d.life.cancel(errClosed)
	d.life.calls.Wait()
	d.records.close()
	d.life.sub.Close()
	returned := make(chan struct{})
	go func() { d.life.invoked.Wait(); close(returned) }()
	select {
	case <-returned:
	case <-time.After(closeGrace):
		d.log.Error("a cancelled tool did not return")
	}
}

// callBatch holds the values that the calls of one response share.
type callBatch struct {
	ctx         context.Context
	tools       *tools.Set
	message     string // the user's message that the turn answers
	order       callOrder
	failures    failureCounts      // earlier in the turn; not modified while the calls run
	vault       *redact.Vault      // restores placeholders; may be nil
	earlier     string             // the proposal that waited on the branch when the turn began, by id
	stored      *records.EndedTurn // gets the rows of the calls; may be nil
	resultBytes int                // that the results may have; 0: unknown
}

// bindBatch sets the batch of a turn's calls until unbindBatch is called.
func (d *dispatcher) bindBatch(requestID string, t callBatch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turns[requestID] = t
}

func (d *dispatcher) unbindBatch(requestID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.turns, requestID)
}

// batchOf returns the batch of a turn's calls. Calls of an unknown turn get the
// dispatcher's own context.
func (d *dispatcher) batchOf(requestID string) callBatch {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t, ok := d.turns[requestID]; ok {
		return t
	}
	return callBatch{ctx: d.life.ctx, tools: d.tools}
}

// serve runs a call and passes its record to the recorder.
func (d *dispatcher) serve(r bus.ToolCallRequested) {
	began := time.Now()
	turn := d.batchOf(r.RequestID)
	var c records.ToolCall
	tool, arguments, known := turn.tools.Meant(r.Name, r.Arguments)
	if known {
		meant := r
		meant.Arguments = arguments
		c = d.work(turn, tool, meant, &began)
		nameTool(&c, tool, r.Name)
	} else {
		c = unknownTool(turn.tools, r)
	}
	c.StartedAt, c.Duration = began, cmp.Or(c.Duration, time.Since(began))
	turn.failures.addWarning(r, &c)
	d.records.ended <- endedCall{ToolCallRequested: r, ToolCall: c, known: known, stored: turn.stored}
}

// work waits for the call's place in its response and for a worker of the tool's class,
// starts the call's clock and runs the tool. The duration of the call is the time on its clock, which stands still
// while a person is asked.
func (d *dispatcher) work(turn callBatch, tool *tools.Tool, r bus.ToolCallRequested,
	began *time.Time) records.ToolCall {
	place := turn.order[r.ID]
	defer place.end()
	if !place.wait(turn.ctx) {
		return cutShort(turn.ctx)
	}
	used, refused := turn.restoreSecrets(tool, &r)
	if refused != nil {
		return *refused
	}
	d.known.add(used...)
	select {
	case d.workers[tool.Class] <- struct{}{}:
	case <-turn.ctx.Done():
		return cutShort(turn.ctx)
	}
	*began = time.Now()
	d.bus.Publish(bus.ToolCallStarted{CallRef: r.CallRef})
	timeout := tool.Timeout
	if timeout == 0 {
		timeout = time.Duration(d.timeout.Load())
	}
	ctx, clock, cancel := withDeadline(turn.ctx, d.workers[tool.Class], timeout,
		fmt.Errorf("%w: more than %v", errTimeout, timeout))
	defer cancel()
	c := d.invoke(ctx, tool, d.newEnv(clock, turn, tool, r), r)
	c.Secrets, c.Duration = append(c.Secrets, used...), clock.spent()
	return c
}

// invoke runs the tool until it returns or ctx ends.
func (d *dispatcher) invoke(ctx context.Context, tool *tools.Tool, e *toolEnv,
	r bus.ToolCallRequested) records.ToolCall {
	result := make(chan records.ToolCall)
	over := make(chan struct{})
	defer close(over)
	d.life.invoked.Go(func() {
		c := d.run(ctx, tool, e, r)
		select {
		case result <- c:
		case <-over:
			d.log.Warn("a tool returned after its call had ended", "call", r.ID, "tool", r.Name, "summary", c.Summary, "error",
				c.Error)
		}
	})
	select {
	case c := <-result:
		return c
	case <-ctx.Done():
		return cutShort(ctx)
	}
}

// run calls the tool and returns a record of its result, error or panic.
func (d *dispatcher) run(ctx context.Context, tool *tools.Tool, e *toolEnv,
	r bus.ToolCallRequested) (c records.ToolCall) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("a tool panicked", "call", r.ID, "tool", r.Name, "panic", p, "stack", string(debug.Stack()))
			c = records.Failure(bus.CodePanic, fmt.Sprintf("the tool crashed: %v", p))
		}
	}()
	if d.before != nil {
		d.before(ctx, e.Call(), r.Arguments)
	}
	result, err := tool.Run(ctx, e, r.Arguments)
	switch {
	case err != nil && ctx.Err() != nil:
		return cutShort(ctx)
	case errors.Is(err, tools.ErrDenied):
		return records.Failure(bus.CodeDenied, err.Error())
	case err != nil:
		return records.Failure(bus.CodeError, err.Error())
	case !result.OK && invalidArguments(result.Content):
		return records.ToolCall{Content: result.Content, Summary: result.Summary, Error: result.Summary,
			Code: bus.CodeInvalid}
	default:
		return records.ToolCall{Content: result.Content, Summary: result.Summary, Answer: result.Answer,
			Secrets: result.Secrets}
	}
}

// invalidArguments reports whether a result says that the arguments did not fit the
// tool's schema.
func invalidArguments(content json.RawMessage) bool {
	var c struct{ Code string }
	return json.Unmarshal(content, &c) == nil && c.Code == "invalid_arguments"
}

// cutShort returns the record of a call whose context ended first.
func cutShort(ctx context.Context) records.ToolCall {
	cause := context.Cause(ctx)
	if errors.Is(cause, errTimeout) {
		return records.Failure(bus.CodeTimeout, cause.Error())
	}
	return records.Failure(bus.CodeCancelled, "the call was cancelled: "+cause.Error())
}

// unknownTool returns the record of a call of a tool that does not exist.
func unknownTool(set *tools.Set, r bus.ToolCallRequested) records.ToolCall {
	hint, names := set.Instead(r.Name)
	c := records.Failure(bus.CodeInvalid, fmt.Sprintf("there is no tool %q", r.Name))
	c.Content = json.RawMessage(records.Marshal(records.FailureContent{Error: c.Error, Code: "unknown_tool", Hint: hint,
		Candidates: names}))
	return c
}

// nameTool tells people which tool ran if the model called it by another name.
func nameTool(c *records.ToolCall, t *tools.Tool, called string) {
	if t.Name == called {
		return
	}
	for _, line := range []*string{&c.Summary, &c.Error} {
		if *line != "" {
			*line = t.Name + ": " + *line
		}
	}
}
