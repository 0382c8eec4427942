package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// gauge counts concurrent entries.
type gauge struct{ now, peak atomic.Int32 }

func (g *gauge) enter() {
	n := g.now.Add(1)
	for p := g.peak.Load(); n > p && !g.peak.CompareAndSwap(p, n); p = g.peak.Load() {
	}
}

// TestWorkers fills all workers of each class: further calls wait, and long calls
// don't delay short ones. Enough staging calls run at once to be stored together.
func TestWorkers(t *testing.T) {
	entered, release := make(chan string, 100), make(chan struct{})
	block := func(name string, g *gauge) func(context.Context, tools.Env, text) (tools.Result, error) {
		return func(context.Context, tools.Env, text) (tools.Result, error) {
			g.enter()
			defer g.now.Add(-1)
			entered <- name
			<-release
			return tools.OK(map[string]bool{"ok": true}, "done")
		}
	}
	var short, long, staging gauge
	set := tools.NewSet(tools.Define[asJSON]("short", "", tools.Short, block("short", &short)),
		tools.Define[asJSON]("long", "", tools.Long, block("long", &long)),
		tools.Define[asJSON]("staging", "", tools.Staging, block("staging", &staging)))
	h := start(t, set, nil, says("hello"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	const extra = 5
	request := func(n int, name string) {
		for i := range n {
			h.bus.Publish(bus.ToolCallRequested{CallRef: callRef(turn, fmt.Sprint(name, i), name), Seq: i, Arguments: json.RawMessage(`{}`)})
		}
	}
	request(longWorkers+extra, "long")
	request(stagingWorkers+extra, "staging")
	request(shortWorkers+extra, "short")
	for began := map[string]int{}; began["long"] < longWorkers || began["short"] < shortWorkers || began["staging"] < stagingWorkers; {
		began[testbed.Receive(t, entered, "a call to take each worker")]++
	}
	close(release)
	ended := 0
	await(h, func(e bus.ToolCallCompleted) bool {
		ended++
		return ended == longWorkers+shortWorkers+stagingWorkers+3*extra
	})
	if s, l, e := short.peak.Load(), long.peak.Load(), staging.peak.Load(); s != shortWorkers || l != longWorkers || e != stagingWorkers {
		t.Errorf("%d short, %d long and %d staging calls ran at once; want %d, %d and %d", s, l, e, shortWorkers, longWorkers, stagingWorkers)
	}
}

// TestPausedCallsGiveTheirWorkersBack has calls wait for the user while other calls
// take all workers, and then wait for a worker. After each kind of end the next turn
// has all workers.
func TestPausedCallsGiveTheirWorkersBack(t *testing.T) {
	for name, end := range map[string]struct {
		answer  Answer
		stop    bool
		timeout time.Duration // of an answer
	}{
		"allowed": {answer: AllowOnce}, "rejected": {answer: RejectOnce}, "nobody answers": {timeout: time.Millisecond},
		"stopped while the user is asked": {stop: true}, "stopped while they wait for a worker": {answer: AllowOnce, stop: true},
	} {
		t.Run(name, func(t *testing.T) {
			var inside gauge
			entered, release := make(chan struct{}, 100), map[string]chan struct{}{"first": make(chan struct{}), "next": make(chan struct{})}
			block := tool("block", func(ctx context.Context, _ tools.Env, turn string) (any, error) {
				inside.enter()
				defer inside.now.Add(-1)
				entered <- struct{}{}
				select {
				case <-release[turn]:
				case <-ctx.Done():
				}
				return "", ctx.Err()
			})
			enter := func() {
				for range shortWorkers {
					testbed.Receive(t, entered, "a call to take a worker")
				}
			}
			var asking []llmtest.Call
			for i := range shortWorkers {
				asking = append(asking, call(fmt.Sprint("ask", i), "ask", fmt.Sprint(i)))
			}
			script := []llmtest.Turn{calls(asking...), says("done"), calls(blocking("next", shortWorkers+1)...), says("done")}
			if end.stop {
				script = slices.Delete(script, 1, 2)
			}
			h := start(t, tools.NewSet(asks("ask"), block), permitted, script...)
			if end.timeout > 0 {
				h.dispatcher.permissions.timeout = end.timeout
			}
			turn := h.begin(t, Prompt{Text: "go"})
			n := 0
			await(h, func(bus.PermissionAsked) bool { n++; return n == shortWorkers })
			// Only now: calls start in any order, and a call needs a worker to ask. They belong
			// to another turn, so the session of this one does not wait for them.
			for i := range shortWorkers {
				ref := callRef(turn, fmt.Sprint("first", i), "block")
				ref.RequestID = newID()
				h.bus.Publish(bus.ToolCallRequested{CallRef: ref, Arguments: json.RawMessage(`{"text":"first"}`)})
			}
			enter()
			if end.answer != "" {
				for _, e := range seen[bus.PermissionAsked](h) {
					if err := h.Answer(t.Context(), e.ID, end.answer); err != nil {
						t.Error(err)
					}
				}
			}
			if end.stop {
				turn.Stop()
				h.wait(t, turn)
			}
			close(release["first"])
			h.wait(t, turn)
			ended := 0
			await(h, func(e bus.ToolCallCompleted) bool {
				if e.Name == "block" {
					ended++
				}
				return ended == shortWorkers
			})
			testbed.Returns(t, h.dispatcher.life.invoked.Wait, "all tools to return")
			if n := len(h.dispatcher.workers[tools.Short]); n != 0 {
				t.Fatalf("%d workers are still taken", n)
			}
			next := h.begin(t, Prompt{ConversationID: turn.ConversationID, Text: "again"})
			enter()
			close(release["next"])
			h.wait(t, next)
			if n := inside.peak.Load(); n != shortWorkers {
				t.Errorf("%d calls ran at once, want %d", n, shortWorkers)
			}
		})
	}
}

// blocking returns n calls of the tool block in a turn.
func blocking(turn string, n int) (list []llmtest.Call) {
	for i := range n {
		list = append(list, call(fmt.Sprint(turn, i), "block", turn))
	}
	return list
}

// TestGroupCommit blocks the writer: calls that end meanwhile are stored in one
// commit, and none of their terminal events is published before.
func TestGroupCommit(t *testing.T) {
	var ended sync.WaitGroup
	ended.Add(shortWorkers)
	done := tool("done", func(context.Context, tools.Env, string) (any, error) { ended.Done(); return "", nil })
	h := start(t, tools.NewSet(done), nil, says("hello"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	_, before := h.db.Commits()
	err := h.db.Write(t.Context(), func(*sql.Tx) error {
		for i := range shortWorkers {
			h.bus.Publish(bus.ToolCallRequested{CallRef: callRef(turn, fmt.Sprint(i), "done"), Seq: i, Arguments: json.RawMessage(`{}`)})
		}
		testbed.Returns(t, ended.Wait, "all calls to run")
		testbed.Returns(t, h.dispatcher.life.invoked.Wait, "all tools to return") // nothing that follows can be cancelled
		h.dispatcher.life.cancel(errClosed)
		testbed.Returns(t, h.dispatcher.life.calls.Wait, "the recorder to have all calls")
		if n := len(seen[bus.ToolCallCompleted](h)); n != 0 {
			t.Errorf("%d calls have ended before they were stored", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	await(h, func(bus.ToolCallCompleted) bool { n++; return n == shortWorkers })
	if _, after := h.db.Commits(); after-before > 2 { // who came first, and all others
		t.Errorf("%d commits for calls that ended together", after-before)
	}
}

// TestRecall looks up the records of earlier calls from inside of a tool.
func TestRecall(t *testing.T) {
	recall := tool("recall", func(ctx context.Context, env tools.Env, id string) (any, error) {
		r, err := env.Record(ctx, id)
		if errors.Is(err, tools.ErrNoRecord) {
			return "no record", nil
		}
		return fmt.Sprint(r.Tool, string(r.Arguments), string(r.Content), r.Summary, r.Error), err
	})
	h := start(t, tools.NewSet(echo("echo"), recall), nil,
		calls(call("a", "echo", "x")), calls(call("b", "recall", "a"), call("c", "recall", "nonesuch"), call("d", "recall", "b")), says("ok"),
		calls(call("e", "recall", "a")), says("ok"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"})
	want := `echo{"text":"x"}{"ok":true,"said":"x"}echo said something`
	var got []string
	for _, e := range seen[bus.ToolCallCompleted](h) {
		if e.Name == "recall" {
			var c struct{ Said string }
			if err := json.Unmarshal(e.Content, &c); err != nil {
				t.Error(err)
			}
			got = append(got, c.Said)
		}
	}
	if len(got) != 4 || got[3] != want || strings.Count(strings.Join(got[:3], "\n"), want) != 1 {
		t.Errorf("recalled %q", got)
	}
}

func TestProposalsOfATurn(t *testing.T) {
	dir := t.TempDir()
	space, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var manager *edits.Manager
	stage := changing("stage", func(ctx context.Context, env tools.Env, name string) (any, error) {
		p, err := manager.Staging.Stage(ctx,
			edits.Batch{ConversationID: env.Call().ConversationID, RequestID: env.Call().RequestID, CallID: env.Call().CallID,
				Title: "new", Operations: []edits.Operation{{Op: edits.OpCreate, Path: filepath.Join(space.Roots()[0], name), Text: "x\n"}}})
		if err != nil {
			return nil, err
		}
		return p.ID, nil
	})
	h := start(t, tools.NewSet(stage), nil, calls(call("a", "stage", "a.txt")), says("ok"), says("nothing"))
	manager = edits.New(h.db, space, edits.Options{})
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	_, next := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"})
	messages := h.history(t, turn.ConversationID)
	if len(outcome.Proposals) != 1 || len(next.Proposals) != 0 || len(messages[3].Proposals) != 0 ||
		!slices.Equal(messages[1].Proposals, outcome.Proposals) {
		t.Errorf("%v %v %v %v", outcome.Proposals, next.Proposals, messages[1].Proposals, messages[3].Proposals)
	}
}

func TestLateCompletionIsDropped(t *testing.T) {
	release := make(chan struct{})
	h := start(t, tools.NewSet(stubborn("stubborn", release)), func(o *Options) { o.Limits.ToolTimeout = time.Millisecond },
		calls(call("a", "stubborn", "")), says("ok"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	close(release)
	testbed.Returns(t, h.dispatcher.life.invoked.Wait, "all tools to return")
	record := h.history(t, turn.ConversationID)[1].Calls[0]
	if record.Code != bus.CodeTimeout || len(seen[bus.ToolCallCompleted](h)) != 0 {
		t.Errorf("%+v", record)
	}
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := sleep(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("slept %v, %v", time.Since(began), err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errStopped) })
		if err := sleep(ctx, time.Hour); err != errStopped {
			t.Errorf("err = %v", err)
		}
	})
}

func TestTheLeaseIsRenewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{opts: Options{DB: openDB(t, path)}}
		e.leases = leases{db: e.opts.DB, self: lease.New(newID(), time.Minute), length: time.Minute}
		m := &records.Message{ID: "m", ConversationID: "c", RequestID: "r", Role: llm.Assistant, Status: records.Pending, CreatedAt: now(),
			UpdatedAt: now()}
		err := e.opts.DB.Write(t.Context(), func(tx *sql.Tx) error {
			if err := insertConversation(t.Context(), tx, Conversation{ID: "c", CreatedAt: now(), UpdatedAt: now()}); err != nil {
				return err
			}
			return records.InsertMessage(t.Context(), tx, m, e.leases.owned(records.Extra{}))
		})
		if err != nil {
			t.Fatal(err)
		}
		leased := func() bool {
			messages, err := records.Branch(t.Context(), e.opts.DB.Read(), "c", "m")
			if err != nil {
				t.Fatal(err)
			}
			messages[0].Owner.Host = "elsewhere" // so that only the time counts
			return !messages[0].Owner.Dead(newID(), time.Now())
		}
		stop := e.leases.renewLease(&Turn{TurnRef: bus.TurnRef{RequestID: "r"}})
		for range 20 {
			sleep(t.Context(), e.leases.length/2)
			if !leased() {
				t.Error("the lease was not renewed")
			}
		}
		stop()
		sleep(t.Context(), 2*e.leases.length)
		if leased() {
			t.Error("the lease outlasts the turn")
		}
	})
}
