package session

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded"
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
		testbed.Receive(t, some, "a turn that is refused")
	}
	for _, g := range gates {
		g.Open()
	}
	testbed.Returns(t, ends.Wait, "the end of all turns")
	if refused != all-affordable {
		t.Errorf("%d turns were refused; want %d", refused, all-affordable)
	}
}

// TestBudgetForgetsWhatATurnReserved ends a turn: its actual cost counts once.
func TestBudgetForgetsWhatATurnReserved(t *testing.T) {
	first := says("one")
	first.Usage = llmtest.Usage{Prompt: 1_000_000}
	h := start(t, tools.NewSet(), priced(&llm.Price{In: 1, Out: 10}, 2), first, says("two")) // $1, and at most $0.25
	h.ask(t, Prompt{Text: "hi"})
	if _, outcome := h.ask(t, Prompt{Text: "hi"}); outcome.Text != "two" {
		t.Errorf("%+v", outcome)
	}
}

// TestBudgetCountsACostOnce continues a turn whose first request is already in the
// ledger.
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

// TestBudgetWithoutAPrice can't be enforced; the user gets one notice a turn. The
// embedded model is free.
func TestBudgetWithoutAPrice(t *testing.T) {
	first := calls(call("a", "echo", "x"))
	first.Usage = llmtest.Usage{Prompt: 10}
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		priced(nil, 1)(o)
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			if name == "embedded" {
				return embedded.Model(), nil
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
