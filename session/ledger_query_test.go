package session

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// priced changes a harness's options so that its model has a price and the day
// a budget, in US dollars.
func priced(p *llm.Price, daily float64) func(*Options) {
	return func(o *Options) {
		find := o.Model
		o.Limits.DailyCost = daily
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			m, err := find(ctx, name)
			m.Price = p
			return m, err
		}
	}
}

func TestCostOfARequest(t *testing.T) {
	answer := says("hello")
	answer.Usage = llmtest.Usage{Prompt: 1_000_000, Completion: 100_000, Cached: 400_000}
	h := start(t, tools.NewSet(), priced(&llm.Price{In: 2, Out: 10, CachedIn: 0.5}, 0), answer)
	turn, outcome := h.ask(t, Prompt{Text: "hi"})
	const want = 0.6*2 + 0.4*0.5 + 0.1*10
	if outcome.Usage.Cost != want {
		t.Errorf("the turn's cost is %v; want %v", outcome.Usage.Cost, want)
	}
	finished := await(h, func(e bus.TurnFinished) bool { return e.RequestID == turn.RequestID })
	if finished.Usage.Cost != want {
		t.Errorf("the event's cost is %v; want %v", finished.Usage.Cost, want)
	}
	spent, limit, err := h.Spent(t.Context())
	if err != nil || spent != want || limit != 0 {
		t.Errorf("Spent = %v, %v, %v; want %v, 0", spent, limit, err, want)
	}
}

func TestBudgetEndsATurnBeforeItIsExceeded(t *testing.T) {
	first := calls(call("a", "echo", "x"))
	first.Usage = llmtest.Usage{Prompt: 1_000_000}
	// The second request may cost an answer of a quarter of the window, $0.25.
	h := start(t, tools.NewSet(echo("echo")), priced(&llm.Price{In: 1, Out: 10}, 1.2), first)
	_, outcome := h.ask(t, Prompt{Text: "hi"})
	if outcome.StopReason != bus.StopLimit {
		t.Fatalf("the turn ended with %q: %v", outcome.StopReason, outcome.Err)
	}
	for _, part := range []string{"$1.20", "$1.00 is spent", "$0.25", "limits.dailyCost"} {
		if !strings.Contains(outcome.Err.Error(), part) {
			t.Errorf("the message %q lacks %q", outcome.Err, part)
		}
	}
	if n := len(h.server.Requests()); n != 1 {
		t.Errorf("%d requests were sent; want 1", n)
	}
}

// TestBudgetOfTurnsSideBySide starts more turns at once than the budget allows.
func TestBudgetOfTurnsSideBySide(t *testing.T) {
	const affordable, all = 3, 8
	gates := make([]*llmtest.Gate, affordable)
	script := make([]llmtest.Turn, affordable)
	for i := range script {
		gates[i] = llmtest.NewGate()
		script[i] = says("hello")
		script[i].Hold = gates[i]
	}
	h := start(t, tools.NewSet(), priced(&llm.Price{Out: 10}, 0.25*affordable), script...)
	var mu sync.Mutex
	var refused int
	var ends sync.WaitGroup
	some := make(chan struct{}, all)
	for range all {
		turn, err := h.Start(t.Context(), Prompt{Text: "hi"})
		if err != nil {
			t.Fatal(err)
		}
		ends.Go(func() {
			outcome, _ := turn.Wait(context.Background())
			mu.Lock()
			defer mu.Unlock()
			var limit *limitError
			if errors.As(outcome.Err, &limit) {
				refused++
				some <- struct{}{}
			}
		})
	}
	for range all - affordable {
		<-some
	}
	for _, g := range gates {
		g.Open()
	}
	ends.Wait()
	if refused != all-affordable {
		t.Errorf("%d turns were refused; want %d", refused, all-affordable)
	}
}

// TestBudgetForgetsWhatATurnReserved has a turn end: what it has cost counts once.
func TestBudgetForgetsWhatATurnReserved(t *testing.T) {
	first := says("one")
	first.Usage = llmtest.Usage{Prompt: 1_000_000}
	h := start(t, tools.NewSet(), priced(&llm.Price{In: 1, Out: 10}, 2), first, says("two")) // $1, and at most $0.25
	h.ask(t, Prompt{Text: "hi"})
	if _, outcome := h.ask(t, Prompt{Text: "hi"}); outcome.Text != "two" {
		t.Errorf("%+v", outcome)
	}
}

// TestBudgetCountsACostOnce has a turn go on while its first request is in the
// ledger already.
func TestBudgetCountsACostOnce(t *testing.T) {
	goOn := make(chan struct{})
	waits := tool("waits", func(context.Context, tools.Env, string) (any, error) { <-goOn; return "", nil })
	first := calls(call("a", "waits", ""))
	first.Usage = llmtest.Usage{Prompt: 1_000_000}
	h := start(t, tools.NewSet(waits), priced(&llm.Price{In: 1, Out: 10}, 2), first, says("two"), says("done")) // $1, and at most $0.25
	turn := h.begin(t, Prompt{Text: "hi"})
	await[bus.ToolCallStarted](h, nil)
	_, outcome := h.ask(t, Prompt{Text: "hi"})
	close(goOn)
	if h.wait(t, turn); outcome.Text != "two" {
		t.Errorf("%+v", outcome)
	}
}

// TestBudgetWithoutAPrice can't be kept, which the user is told once a turn; the
// embedded model costs nothing.
func TestBudgetWithoutAPrice(t *testing.T) {
	first := calls(call("a", "echo", "x"))
	first.Usage = llmtest.Usage{Prompt: 10}
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		priced(nil, 1)(o)
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			if name == "embedded" {
				return llm.Embedded(), nil
			}
			return find(ctx, name)
		}
	}, first, says("done"))
	h.ask(t, Prompt{Text: "hi"})
	if n := seen[bus.Notice](h); len(n) != 1 || !strings.Contains(n[0].Text, "the price of test/m is not known") {
		t.Errorf("notices: %+v", n)
	}
	h.ask(t, Prompt{Text: "write a poem", Model: "embedded"})
	if n := seen[bus.Notice](h); len(n) != 1 {
		t.Errorf("notices: %+v", n)
	}
}

// TestLedger asks twice in one turn, after a call that shows code.
func TestLedger(t *testing.T) {
	read := tool("read", func(context.Context, tools.Env, string) (any, error) {
		return tools.Snippet("/w/b.go", 3, "x <- \"<code>\"\ny\n"), nil
	})
	h := start(t, tools.NewSet(read), nil, calls(call("a", "read", "b.go")), says("done"), says("again"))
	first, _ := h.ask(t, Prompt{Text: "hi", Attachments: []Attachment{{Path: "/w/a.go", StartLine: 1, EndLine: 1, Text: "package a\n"}}})
	h.ask(t, Prompt{ConversationID: first.ConversationID, Text: "and?"})
	entries, err := h.Ledger(t.Context(), LedgerQuery{ConversationID: first.ConversationID})
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, %v; want 3", len(entries), err)
	}
	a := newSentFile(&tools.Code{Path: "/w/a.go", StartLine: 1, EndLine: 1, Text: "package a\n"})
	b := newSentFile(&tools.Code{Path: "/w/b.go", StartLine: 3, EndLine: 4, Text: "x <- \"<code>\"\ny\n"})
	for i, want := range [][]SentFile{{a}, {b}, {a, b}} {
		if diff := cmp.Diff(want, entries[i].Files); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", i+1, diff)
		}
	}
	// The next turn lists all anew, and so counts what a sum stood for.
	if want := entries[1].Bytes + len("done") + len("and?"); entries[2].Bytes != want {
		t.Errorf("the next turn's request has %d bytes; want %d", entries[2].Bytes, want)
	}
	var items int
	if err := h.db.Read().QueryRow(`SELECT json_array_length(sent) FROM ledger WHERE id = ?`, entries[1].ID).Scan(&items); err != nil || items != 3 {
		t.Errorf("%d items, %v; want what was sent earlier, the call and its result", items, err)
	}
	server, err := url.Parse(h.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Host != server.Host || e.Provider != "test" || e.Model != "m" || e.Bytes == 0 || time.Since(e.At) > time.Hour {
			t.Errorf("entry %+v", e)
		}
	}
	for _, narrow := range []struct {
		query LedgerQuery
		want  int
	}{
		{LedgerQuery{RequestID: first.RequestID}, 2},
		{LedgerQuery{Limit: 1}, 1},
		{LedgerQuery{ConversationID: "another"}, 0},
		{LedgerQuery{Since: time.Now().Add(time.Hour)}, 0},
	} {
		got, err := h.Ledger(t.Context(), narrow.query)
		if err != nil || len(got) != narrow.want {
			t.Errorf("Ledger(%+v): %d entries, %v; want %d", narrow.query, len(got), err, narrow.want)
		}
	}
}

func TestFilesSent(t *testing.T) {
	snippet := tools.Snippet("/w/a.go", 7, "a\n")
	want := []SentFile{newSentFile(&tools.Code{Path: "/w/a.go", StartLine: 7, EndLine: 7, Text: "a\n"})}
	for name, m := range map[string]llm.Message{
		"text":          {Role: llm.User, Text: "look:\n" + snippet + "\n" + snippet},
		"result":        {Role: llm.Tool, Text: marshal(map[string]any{"items": []string{snippet}})},
		"broken result": {Role: llm.Tool, Text: `{"code=\"` + snippet},
	} {
		if diff := cmp.Diff(want, filesSent([]llm.Message{m})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if files := filesSent([]llm.Message{{Role: llm.User, Text: `<code="/w/a.go" #1:2>` + "\nnot closed"}}); len(files) > 0 {
		t.Errorf("what is no snippet is listed: %v", files)
	}
}

func TestMetrics(t *testing.T) {
	fails := tool("fails", func(context.Context, tools.Env, string) (any, error) { return nil, errors.New("no") })
	waits := tool("waits", func(ctx context.Context, _ tools.Env, _ string) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	answer := says("done")
	answer.Usage = llmtest.Usage{Prompt: 10, Completion: 5, Cached: 4}
	h := start(t, tools.NewSet(echo("echo"), fails, waits), func(o *Options) { o.Limits.ToolTimeout = time.Millisecond },
		calls(call("a", "waits", ""), call("b", "fails", ""), call("c", "waits", "")), answer)
	h.ask(t, Prompt{Text: "hi"})
	got, err := h.Metrics(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Tools {
		if got.Tools[i].LongestTime > time.Minute || got.Tools[i].MeanTime > got.Tools[i].LongestTime {
			t.Errorf("times of %+v", got.Tools[i])
		}
		got.Tools[i].MeanTime, got.Tools[i].LongestTime = 0, 0
	}
	want := Metrics{Turns: map[Status]int{Completed: 1}, Requests: 2, Usage: llm.Usage{In: 10, Out: 5, Cached: 4},
		Tools: []ToolMetrics{{Name: "fails", Failed: 1}, {Name: "waits", TimedOut: 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	later, err := h.Metrics(t.Context(), time.Now().Add(time.Hour))
	if err != nil || later.Requests != 0 || len(later.Turns) != 0 || len(later.Tools) != 0 {
		t.Errorf("of the time to come: %+v, %v", later, err)
	}
}
