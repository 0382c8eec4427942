package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// harness is an engine with a database on disk, a model server on loopback, and all
// events so far.
type harness struct {
	*Engine
	t      testing.TB
	server *llmtest.Server
	db     *store.DB
	bus    *bus.Bus

	mu     sync.Mutex
	more   chan struct{} // closed when events grows
	events []bus.Event
	slept  []time.Duration

	patience time.Duration // how long await waits for the next event
}

type text struct {
	Text string `json:"text,omitempty" secrets:"written"`
}

// asJSON is the content of a tool that shows it to models as it is.
type asJSON struct{ json.RawMessage }

func (c asJSON) Text(w *wording.Writer) { w.Line(string(c.RawMessage)) }

// tool returns a tool that only reads and answers with the result of fn.
func tool(name string, fn func(ctx context.Context, env tools.Env, arg string) (any, error)) *tools.Tool {
	t := changing(name, fn)
	t.ReadOnly = true
	return t
}

// changing returns a tool that may change something and answers with the result of fn.
func changing(name string, fn func(ctx context.Context, env tools.Env, arg string) (any, error)) *tools.Tool {
	return tools.Define[asJSON](name, "does "+name, tools.Short, func(ctx context.Context, env tools.Env, a text) (tools.Result, error) {
		content, err := fn(ctx, env, a.Text)
		if err != nil {
			return tools.Result{}, err
		}
		return tools.OK(map[string]any{"ok": true, "said": content}, name+" said something")
	})
}

// echo answers with its argument.
func echo(name string) *tools.Tool {
	return tool(name, func(_ context.Context, _ tools.Env, arg string) (any, error) { return arg, nil })
}

func openDB(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// plan returns the steps by which SQLite answers a query.
func plan(t *testing.T, query string, args ...any) (steps []string) {
	t.Helper()
	rows, err := openDB(t, filepath.Join(t.TempDir(), "state.db")).Read().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// start runs an engine against a script. change may alter its options.
func start(t *testing.T, set *tools.Set, change func(*Options), script ...llmtest.Turn) *harness {
	t.Helper()
	h := &harness{server: llmtest.NewServer(t, script...), db: openDB(t, filepath.Join(t.TempDir(), "state.db")), bus: bus.New()}
	h.run(t, set, change)
	return h
}

func (h *harness) run(t *testing.T, set *tools.Set, change func(*Options)) {
	t.Helper()
	provider := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: h.server.URL})
	o := Options{DB: h.db, Bus: h.bus, Tools: set, Model: func(context.Context, string) (llm.Model, error) {
		return llm.Model{Provider: provider, ID: "m", ContextTokens: 100_000}, nil
	}}
	if change != nil {
		change(&o)
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	e.sleep = func(ctx context.Context, d time.Duration) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.slept = append(h.slept, d)
		return nil
	}
	h.Engine, h.t, h.more, h.patience = e, t, make(chan struct{}), testbed.Soon
	all := h.bus.Participant("test")
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			event, err := all.Next(context.Background())
			if err == io.EOF {
				return
			}
			h.mu.Lock()
			h.events = append(h.events, event)
			close(h.more)
			h.more = make(chan struct{})
			h.mu.Unlock()
		}
	})
	t.Cleanup(func() {
		testbed.Returns(t, func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}, "the engine to close")
		testbed.Returns(t, h.bus.Close, "each subscription to be read to its end or closed")
		testbed.Returns(t, reading.Wait, "the end of the events")
		h.checkTerminals(t)
	})
}

// checkTerminals runs after every test: each call has exactly one terminal event.
func (h *harness) checkTerminals(t *testing.T) {
	t.Helper()
	open := map[string]int{}
	for _, e := range h.events {
		if r, ok := e.(bus.ToolCallRequested); ok {
			open[r.ID]++
		}
		if id, _ := terminal(e); id != "" {
			open[id]--
		}
	}
	for id, n := range open {
		if n != 0 {
			t.Errorf("call %s has %d terminal events", id, 1-n)
		}
	}
}

// ask runs a turn to its end.
func (h *harness) ask(t *testing.T, p Prompt) (*Turn, Outcome) {
	t.Helper()
	turn := h.begin(t, p)
	return turn, h.wait(t, turn)
}

// wait waits for the end of a turn and for its TurnFinished event.
func (h *harness) wait(t *testing.T, turn *Turn) Outcome {
	t.Helper()
	await(h, func(e bus.TurnFinished) bool { return e.RequestID == turn.RequestID })
	ctx, cancel := context.WithTimeout(t.Context(), testbed.Soon)
	defer cancel()
	outcome, err := turn.Wait(ctx)
	if err != nil {
		t.Fatalf("the turn does not end, though its end is published: %v", err)
	}
	return outcome
}

// history returns a conversation's messages.
func (h *harness) history(t *testing.T, conversationID string) []records.Message {
	t.Helper()
	messages, err := h.History(t.Context(), conversationID, "")
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// await returns the first event of type E that fits, and waits for it if necessary. The test fails if it does not come, and
// no other event comes for a while.
func await[E bus.Event](h *harness, fits func(E) bool) E {
	h.t.Helper()
	for i := 0; ; i++ {
		if e, ok := h.event(i, reflect.TypeFor[E]()).(E); ok && (fits == nil || fits(e)) {
			return e
		}
	}
}

// event returns an event by its place, and waits for it if necessary. wanted is what it is read for.
func (h *harness) event(i int, wanted reflect.Type) bus.Event {
	h.t.Helper()
	for {
		h.mu.Lock()
		events, more := h.events, h.more
		h.mu.Unlock()
		if i < len(events) {
			return events[i]
		}
		last := bus.Event(nil)
		if i > 0 {
			last = events[i-1]
		}
		testbed.ReceiveWithin(h.t, h.patience, more, fmt.Sprintf("a %v that fits; the last of %d events is a %T", wanted, i, last))
	}
}

// reached waits until the model server has come to a gate in its answer.
func reached(t *testing.T, gate *llmtest.Gate) {
	t.Helper()
	testbed.Receive(t, gate.Reached(), "the model server to come to the gate in its answer")
}

// seen returns the events of type E so far.
func seen[E bus.Event](h *harness) []E {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []E
	for _, e := range h.events {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

// checkPrefixes requires that each request's messages begin with all of those
// of the request before it, byte for byte.
func checkPrefixes(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i := 1; i < len(requests); i++ {
		before, after := requests[i-1].Messages, requests[i].Messages
		if len(after) < len(before) {
			t.Errorf("request %d has %d messages, the one before it %d", i+1, len(after), len(before))
			continue
		}
		for j := range before {
			if string(before[j].Raw) != string(after[j].Raw) {
				t.Errorf("message %d of request %d changed:\n%s\n%s", j, i+1, before[j].Raw, after[j].Raw)
			}
		}
	}
}

func says(deltas ...string) llmtest.Turn { return llmtest.Turn{Text: deltas} }

func calls(cs ...llmtest.Call) llmtest.Turn { return llmtest.Turn{Calls: cs} }

func call(id, name, arg string) llmtest.Call {
	return llmtest.Call{ID: id, Name: name, Arguments: fmt.Sprintf(`{"text":%q}`, arg)}
}

// callRef names a call of a turn by one id for the engine and the model.
func callRef(t *Turn, id, name string) bus.CallRef {
	return bus.CallRef{TurnRef: t.TurnRef, ParentID: t.UserMessageID, ID: id, CallID: id, Name: name}
}

// requestTokens returns the number of tokens of a request with these messages and tools.
func requestTokens(c window.Counter, messages []llm.Message, specs []llm.ToolSpec) int {
	n := c.Tools(specs)
	for i := range messages {
		n += c.Message(&messages[i], messages[i].Text)
	}
	return c.Scaled(n)
}
