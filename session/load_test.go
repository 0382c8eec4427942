package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const (
	loadTurns    = 10 // in each conversation
	loadParallel = 16 // conversations at once
	loadCalls    = 8  // in each turn
	// shortTimeout is the timeout of calls that are to run into it; the delays of
	// all others are far below.
	shortTimeout = 250 * time.Millisecond
	// loadStops bounds how many turns at once hold a worker until they are
	// stopped; the rest is for the others.
	loadStops = 4
	// loadPatience is how long a turn may take beside all others, under the race detector too.
	loadPatience = time.Minute
)

// TestLoad runs 1,000 turns (200 with -short) with 8 concurrent calls each, over HTTP and on a
// disk, with delays, failures, timeouts, crashes, errors of the provider and
// stops as a seed has them; and then a quarter of them once more, to the same
// transcript.
func TestLoad(t *testing.T) {
	before, conversations := measureResources(), testbed.Count(40, 12)
	var first, second [][]string
	t.Run("all", func(t *testing.T) { first = runLoad(t, 4, conversations) })
	t.Run("again", func(t *testing.T) { second = runLoad(t, 4, conversations/4) })
	for c := range second {
		if d := cmp.Diff(first[c], second[c]); d != "" {
			t.Fatalf("conversation %d went another way with the same seed:\n%s", c, d)
		}
	}
	before.checkLeaks(t)
}

// loadTurn is what a seed has for one turn.
type loadTurn struct {
	requests []llmtest.Turn
	stop     string // when the user stops it: "", streaming, calling, anytime
	gate     *llmtest.Gate
	after    time.Duration // of a stop at any time
}

// loadPlan is a conversation. It ends with a turn that is stopped at any time,
// of which nothing can be foretold.
func loadPlan(r *rand.Rand) (plan []loadTurn, script []llmtest.Turn) {
	for i := range loadTurns {
		var p loadTurn
		switch n := r.IntN(20); {
		case i == loadTurns-1:
			p.stop, p.after = "anytime", time.Duration(r.IntN(20_000))*time.Microsecond
		case n == 0:
			p.stop, p.gate = "streaming", llmtest.NewGate()
		case n == 1:
			p.stop = "calling"
		}
		if r.IntN(20) == 0 {
			p.requests = append(p.requests, llmtest.Turn{Status: http.StatusServiceUnavailable})
		}
		p.requests = append(p.requests, llmtest.Turn{Text: []string{"Let me ", "see."}, Calls: loadBatch(r, i, p.stop == "calling"),
			Usage: llmtest.Usage{Prompt: 10, Completion: 1}})
		if p.stop != "calling" {
			p.requests = append(p.requests, llmtest.Turn{Text: []string{"That ", "is ", "all."}, Hold: p.gate})
		}
		plan, script = append(plan, p), append(script, p.requests...)
	}
	return plan, script
}

// loadBatch is one response's calls. One of them waits for the turn's end if
// that is to be stopped.
func loadBatch(r *rand.Rand, turn int, waits bool) (batch []llmtest.Call) {
	for i := range loadCalls {
		name, do := "short", "answer"
		switch n := r.IntN(100); {
		case i == 0 && waits:
			do = "wait"
		case i == 1 && n < 10:
			name = "unknown"
		case n < 10:
			do = "fail"
		case n < 20:
			do = "refuse"
		case n < 23:
			do = "crash"
		case n < 24:
			name, do = "impatient", "wait"
		case n < 25:
			name, do = "impatient", "late"
		case n < 35:
			name = "long"
		}
		batch = append(batch, llmtest.Call{ID: fmt.Sprintf("t%dc%d", turn, i), Name: name,
			Arguments: fmt.Sprintf(`{"do":%q,"microseconds":%d,"id":"t%dc%d"}`, do, r.IntN(3000), turn, i)})
	}
	return batch
}

type loadArgs struct {
	Do           string `json:"do"`
	Microseconds int    `json:"microseconds"`
	ID           string `json:"id"`
}

// loadTool does what its arguments say.
func loadTool(ctx context.Context, _ tools.Env, a loadArgs) (tools.Result, error) {
	if err := sleep(ctx, time.Duration(a.Microseconds)*time.Microsecond); err != nil {
		return tools.Result{}, err
	}
	switch a.Do {
	case "fail":
		return tools.Result{}, errors.New("no luck with " + a.ID)
	case "refuse":
		return tools.Result{}, &wording.Failure{Message: "not " + a.ID, Code: "not_found", Hint: "try another"}
	case "crash":
		panic("crash of " + a.ID)
	case "wait":
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	case "late":
		<-ctx.Done() // and answers all the same
	}
	return tools.OK(map[string]any{"ok": true, "id": a.ID}, "did "+a.ID)
}

func loadTools() *tools.Set {
	short, long, impatient := tools.Define[asJSON]("short", "", tools.Short, loadTool), tools.Define[asJSON]("long", "", tools.Long,
		loadTool), tools.Define[asJSON]("impatient", "", tools.Short, loadTool)
	short.ReadOnly, long.ReadOnly, impatient.ReadOnly = true, true, true // all calls of a response run side by side
	impatient.Timeout = shortTimeout
	return tools.NewSet(short, long, impatient)
}

// runLoad runs a number of conversations and returns what was said in each.
func runLoad(t *testing.T, seed uint64, n int) [][]string {
	plans, scripts := make([][]loadTurn, n), make([]*llmtest.Script, n)
	mux := http.NewServeMux()
	for c := range plans {
		plan, script := loadPlan(rand.New(rand.NewPCG(seed, uint64(c))))
		plans[c], scripts[c] = plan, llmtest.NewScript(script...)
		mux.Handle(fmt.Sprintf("/%d/", c), scripts[c])
	}
	server := httptest.NewServer(mux)
	transport := &http.Transport{MaxIdleConnsPerHost: loadParallel}
	t.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	h := start(t, loadTools(), func(o *Options) {
		o.Model = func(_ context.Context, name string) (llm.Model, error) {
			return llm.Model{ID: "m", ContextTokens: 1_000_000, Provider: llm.OpenAI(llm.OpenAIConfig{Name: "test",
				BaseURL: server.URL + "/" + name + "/v1", HTTPClient: &http.Client{Transport: transport}})}, nil
		}
	})
	began := time.Now()
	ids, stops := make([]string, n), make(chan struct{}, loadStops)
	var conversations sync.WaitGroup
	places := make(chan struct{}, loadParallel)
	for c, plan := range plans {
		conversations.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			for i, p := range plan {
				ids[c] = h.runLoadTurn(t, Prompt{ConversationID: ids[c], Text: fmt.Sprint("message ", i), Model: fmt.Sprint(c)}, p, stops)
			}
		})
	}
	conversations.Wait()
	turns, ended := n*loadTurns, 0
	await(h, func(bus.TurnFinished) bool { ended++; return ended == turns })
	t.Logf("%d turns, %d calls in %v", turns, turns*loadCalls, time.Since(began))
	h.checkLoadEvents(t)
	transcripts, requests := make([][]string, n), 0
	for c, script := range scripts {
		if err := script.Err(); err != nil && !strings.HasSuffix(err.Error(), "unexpected EOF") { // of a stop at any time
			t.Error(err)
		}
		checkResults(t, script.Requests())
		requests += len(script.Requests())
		transcripts[c] = h.transcript(t, ids[c], script.Requests())
	}
	h.checkCommits(t, turns, requests)
	return transcripts
}

// checkCommits bounds how often a turn commits: once for its message and once
// for its end, which wait for the disk; and without waiting once for each
// request, each response with calls, and each group of calls that end together.
func (h *harness) checkCommits(t *testing.T, turns, requests int) {
	t.Helper()
	writes, records := h.db.Commits()
	t.Logf("commits in a turn: %.2f that wait for the disk, %.2f that don't", float64(writes)/float64(turns), float64(records)/float64(turns))
	if most := int64(2*turns + 1); writes > most { // one is of the engine's start
		t.Errorf("%d commits waited for the disk; at most %d were to", writes, most)
	}
	if most := int64(requests + turns + turns*loadCalls); records > most {
		t.Errorf("%d commits did not wait for the disk; at most %d were to be", records, most)
	}
}

// runLoadTurn runs a turn to its end and returns its conversation.
func (h *harness) runLoadTurn(t *testing.T, prompt Prompt, p loadTurn, stops chan struct{}) string {
	if p.stop == "calling" {
		stops <- struct{}{}
		defer func() { <-stops }()
	}
	sub := h.bus.Participant("load")
	defer sub.Close()
	ctx, cancel := context.WithTimeout(t.Context(), loadPatience)
	defer cancel()
	turn, err := h.Start(ctx, prompt)
	if err != nil {
		t.Error(err)
		return prompt.ConversationID
	}
	want := bus.StopCancelled
	switch p.stop {
	case "":
		want = bus.StopDone
	case "streaming":
		awaitTurn(ctx, sub, turn, 1, func(e bus.Event) bool {
			d, ok := e.(bus.MessageDelta)
			return ok && d.RequestID == turn.RequestID && strings.HasSuffix(d.Text, "all.")
		})
		turn.Stop()
	case "calling":
		awaitTurn(ctx, sub, turn, loadCalls-1, func(e bus.Event) bool {
			id, _ := terminal(e)
			return id != "" && requestOf(e) == turn.RequestID
		})
		turn.Stop()
	case "anytime":
		defer time.AfterFunc(p.after, turn.Stop).Stop()
	}
	outcome, err := turn.Wait(ctx)
	if p.stop == "anytime" && outcome.StopReason == bus.StopDone {
		want = bus.StopDone
	}
	if err != nil || outcome.StopReason != want {
		t.Errorf("turn that is to be stopped %q ended %s: %v %v", p.stop, outcome.StopReason, outcome.Err, err)
	}
	return turn.ConversationID
}

// awaitTurn reads events until n of them fit, or the turn or ctx ends.
func awaitTurn(ctx context.Context, sub *bus.Subscription, turn *Turn, n int, fits func(bus.Event) bool) {
	for n > 0 {
		e, err := sub.Next(ctx)
		if f, ok := e.(bus.TurnFinished); err != nil || ok && f.RequestID == turn.RequestID {
			return
		}
		if fits(e) {
			n--
		}
	}
}

func requestOf(e bus.Event) string {
	switch e := e.(type) {
	case bus.ToolCallCompleted:
		return e.RequestID
	case bus.ToolCallFailed:
		return e.RequestID
	}
	return ""
}

// checkLoadEvents requires that each call was requested in its place, started
// at most once and then ended exactly once, all before its turn's end.
func (h *harness) checkLoadEvents(t *testing.T) {
	t.Helper()
	const requested, started, over = 1, 2, 3
	state := map[string]int{}
	next, open := map[string]int{}, map[string]int{}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		switch e := e.(type) {
		case bus.ToolCallRequested:
			if state[e.ID] != 0 || e.Seq != next[e.RequestID] {
				t.Errorf("call %s was requested out of order", e.CallID)
			}
			state[e.ID] = requested
			next[e.RequestID]++
			open[e.RequestID]++
		case bus.ToolCallStarted:
			if state[e.ID] != requested {
				t.Errorf("call %s started in state %d", e.CallID, state[e.ID])
			}
			state[e.ID] = started
		case bus.ToolCallCompleted, bus.ToolCallFailed:
			id, _ := terminal(e)
			if state[id] != requested && state[id] != started {
				t.Errorf("call %s ended in state %d", id, state[id])
			}
			state[id] = over
			open[requestOf(e)]--
		case bus.TurnFinished:
			if open[e.RequestID] != 0 {
				t.Errorf("a turn ended before %d of its calls", open[e.RequestID])
			}
		}
	}
}

// checkResults requires that in each request the calls of each answer have
// exactly one result, in their order.
func checkResults(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i, r := range requests {
		var want, got []string
		for _, m := range r.Messages {
			for _, c := range m.ToolCalls {
				want = append(want, c.ID)
			}
			if m.Role == "tool" {
				got = append(got, m.ToolCallID)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("request %d: calls and results differ:\n%s", i+1, d)
		}
	}
}

// transcript is what was sent in a conversation and what is stored of it,
// without the last turn.
func (h *harness) transcript(t *testing.T, conversationID string, requests []llmtest.Request) (lines []string) {
	t.Helper()
	for _, r := range requests {
		if users := strings.Count(string(r.Body), `"role":"user"`); users < loadTurns {
			line, err := json.Marshal(r.Messages[max(0, len(r.Messages)-12):])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
	}
	messages := h.history(t, conversationID)
	for _, m := range messages[:len(messages)-2] {
		lines = append(lines, fmt.Sprint(m.Role, m.Status, m.StopReason, m.Text, m.Error, m.Usage))
		for _, c := range m.Calls {
			lines = append(lines, fmt.Sprint(c.CallID, c.Tool, string(c.Arguments), string(c.Content), c.Summary, c.Error, c.Code))
		}
	}
	return lines
}

// resources is what a process may leak.
type resources struct {
	goroutines, files int
	heap              uint64
}

func measureResources() (r resources) {
	runtime.GC()
	runtime.GC() // and what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.goroutines, r.heap = runtime.NumGoroutine(), m.HeapAlloc
	if open, err := os.ReadDir("/dev/fd"); err == nil { // not on Windows
		r.files = len(open)
	}
	return r
}

// checkLeaks compares, when what has been told to end has had its time.
func (before resources) checkLeaks(t *testing.T) {
	t.Helper()
	const heapSlack = 8 << 20
	var after resources
	testbed.Eventually(t, func() bool {
		after = measureResources()
		return after.goroutines <= before.goroutines && after.files <= before.files && after.heap <= before.heap+heapSlack
	}, func() string {
		stacks := make([]byte, 1<<16)
		return fmt.Sprintf("resources before %+v and after %+v\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
	})
}
