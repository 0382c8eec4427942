package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const (
	turnCalls         = 8  // concurrent calls in each turn
	conversationTurns = 10 // turns in each conversation
)

// engine measures the engine's own part of a turn, and how soon a model's first token reaches the
// editor.
func (b *bench) engine(ctx context.Context, t *tree) error {
	ran, _, err := runWorker[turnTimes](ctx, "turns", turnsRequest{b.temp, b.sampling.turns})
	if err != nil {
		return err
	}
	deltas, err := b.firstTokenLatencies(ctx, t)
	if err != nil {
		return err
	}
	relayed, err := b.relayLatencies(ctx)
	if err != nil {
		return err
	}
	delta := func(p int) figure {
		return millis(t.name, fmt.Sprintf("model server to editor, first delta, p%d", p), percentile(deltas, p)).
			vs("a relay", inMillis(percentile(relayed, p)))
	}
	turns := float64(b.sampling.turns)
	row := func(name string, value float64, unit string) figure {
		return figure{Tree: t.name, Name: name, Value: value, Unit: unit}
	}
	b.table.add(
		millis(t.name, "engine in a turn, p50", percentile(ran.Overhead, 50)).atMost(1).
			note("%d calls; less model, tools and commits", turnCalls),
		millis(t.name, "engine in a turn, p99", percentile(ran.Overhead, 99)).atMost(5),
		millis(t.name, "commits in a turn, p50", percentile(ran.Committing, 50)),
		row("commits in a turn that wait for the disk", float64(ran.Writes)/turns, "").atMost(2),
		row("commits in a turn that don't", float64(ran.Records)/turns, "").
			atMost(3+turnCalls).note("2 requests, 1 batch, and the calls in groups"),
		delta(50), delta(95).atMost(1),
	)
	return nil
}

type turnsRequest struct {
	Temp  string
	Turns int
}

// turnTimes has the times of each turn, and the number of commits of all turns.
type turnTimes struct {
	Overhead, Committing []time.Duration
	Writes, Records      int64
}

// runTurns runs turns one after another, so that none is charged with another's work. Each makes 8
// concurrent calls, with delays, failures and panics from a fixed seed.
func runTurns(ctx context.Context, r turnsRequest) (ran turnTimes, err error) {
	dir, err := os.MkdirTemp(r.Temp, "turns-")
	if err != nil {
		return ran, err
	}
	db, err := store.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		return ran, err
	}
	defer db.Close()
	events := bus.New()
	defer events.Close()
	var others busyTimer
	model := &toolCallingModel{others: &others, random: rand.New(rand.NewPCG(4, 8))}
	e, err := session.New(session.Options{DB: db, Bus: events, Tools: tools.NewSet(newSleepTool(&others)),
		Model: func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: model, ID: "m", ContextTokens: 1_000_000}, nil
		}})
	if err != nil {
		return ran, err
	}
	defer e.Close()
	writes, records := db.Commits()
	conversation := ""
	for i := range r.Turns {
		if i%conversationTurns == 0 {
			conversation = ""
		}
		committing, spent, began := db.CommitTime(), others.total(), time.Now()
		turn, err := e.Start(ctx, session.Prompt{ConversationID: conversation, Text: "go"})
		if err != nil {
			return ran, err
		}
		outcome, err := turn.Wait(ctx)
		if err = errors.Join(err, outcome.Err); err != nil {
			return ran, err
		}
		took := time.Since(began)
		conversation, committing = turn.ConversationID, db.CommitTime()-committing
		ran.Committing = append(ran.Committing, committing)
		ran.Overhead = append(ran.Overhead, took-committing-(others.total()-spent))
	}
	ran.Writes, ran.Records = db.Commits()
	ran.Writes, ran.Records = ran.Writes-writes, ran.Records-records
	return ran, nil
}

// busyTimer sums up the time in which at least one of several activities is running.
type busyTimer struct {
	mu      sync.Mutex
	working int
	since   time.Time
	sum     time.Duration
}

func (w *busyTimer) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.working++; w.working == 1 {
		w.since = time.Now()
	}
}

func (w *busyTimer) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.working--; w.working == 0 {
		w.sum += time.Since(w.since)
	}
}

func (w *busyTimer) total() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sum
}

// toolCallingModel calls tools, and answers with text after it has their results.
type toolCallingModel struct {
	others *busyTimer
	random *rand.Rand
}

func (*toolCallingModel) Name() string { return "calling" }

func (m *toolCallingModel) Send(_ context.Context, req *llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		m.others.start()
		chunks := m.answer(req.Messages[len(req.Messages)-1].Role == llm.User)
		m.others.stop()
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (m *toolCallingModel) answer(calls bool) (chunks []llm.Chunk) {
	if !calls {
		for range 100 {
			chunks = append(chunks, llm.Chunk{Text: "word "})
		}
		return append(chunks, llm.Chunk{Finish: llm.FinishStop})
	}
	for range turnCalls {
		arguments := fmt.Sprintf(`{"microseconds":%d,"outcome":%d}`, m.random.IntN(3000), m.random.IntN(100))
		chunks = append(chunks, llm.Chunk{Call: &llm.Call{Name: "sleep", Arguments: []byte(arguments)}})
	}
	return append(chunks, llm.Chunk{Finish: llm.FinishToolCalls})
}

type sleepArguments struct {
	Microseconds int `json:"microseconds"`
	Outcome      int `json:"outcome"` // of 100: 10 fail, 3 panic
}

// slept is the result of a sleep.
type slept struct {
	OK bool `json:"ok"`
}

func (slept) Text(w *wording.Writer) { w.Line("slept") }

// newSleepTool returns a tool that sleeps, then succeeds, fails or panics as its arguments say.
func newSleepTool(others *busyTimer) *tools.Tool {
	t := tools.Define[slept]("sleep", "sleeps", tools.Short,
		func(_ context.Context, _ tools.Env, a sleepArguments) (tools.Result, error) {
			others.start()
			defer others.stop()
			time.Sleep(time.Duration(a.Microseconds) * time.Microsecond)
			switch {
			case a.Outcome < 10:
				return tools.Result{}, errors.New("scripted failure")
			case a.Outcome < 13:
				panic("scripted panic")
			}
			return tools.OK(slept{OK: true}, "slept")
		})
	t.ReadOnly = true // the calls of a turn run side by side
	return t
}
