package session

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// BenchmarkTurn measures what the engine adds to a turn with 8 calls: its time
// less that of the model and of the commits. The tools take none.
func BenchmarkTurn(b *testing.B) {
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "state.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	events := bus.New()
	defer events.Close()
	model := &timedModel{}
	e, err := New(Options{DB: db, Bus: events, Tools: tools.NewSet(echo("echo")), Model: func(context.Context, string) (llm.Model, error) {
		return llm.Model{Provider: model, ID: "m", ContextTokens: 1_000_000}, nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var whole, engine []time.Duration
	var conversation string
	for i := 0; b.Loop(); i++ {
		if i%10 == 0 {
			conversation = ""
		}
		model.spent = 0
		committing := db.CommitTime()
		began := time.Now()
		turn, err := e.Start(b.Context(), Prompt{ConversationID: conversation, Text: "go"})
		if err != nil {
			b.Fatal(err)
		}
		if outcome, err := turn.Wait(b.Context()); err != nil || outcome.StopReason != bus.StopDone {
			b.Fatal(outcome, err)
		}
		took := time.Since(began)
		conversation = turn.ConversationID
		whole = append(whole, took)
		engine = append(engine, took-model.spent-(db.CommitTime()-committing))
	}
	for name, times := range map[string][]time.Duration{"turn": whole, "engine": engine} {
		slices.Sort(times)
		b.ReportMetric(times[len(times)/2].Seconds()*1000, name+"-p50-ms")
		b.ReportMetric(times[len(times)*99/100].Seconds()*1000, name+"-p99-ms")
	}
}

// timedModel calls echo eight times and then answers. It knows how long it has
// been waited for.
type timedModel struct{ spent time.Duration }

func (*timedModel) Name() string { return "timed" }

func (m *timedModel) Send(_ context.Context, req *llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		began := time.Now()
		var chunks []llm.Chunk
		if req.Messages[len(req.Messages)-1].Role == llm.User {
			for range loadCalls {
				chunks = append(chunks, llm.Chunk{Call: &llm.Call{Name: "echo", Arguments: []byte(`{"text":"x"}`)}})
			}
			chunks = append(chunks, llm.Chunk{Finish: llm.FinishToolCalls})
		} else {
			for range 100 {
				chunks = append(chunks, llm.Chunk{Text: "word "})
			}
			chunks = append(chunks, llm.Chunk{Finish: llm.FinishStop})
		}
		m.spent += time.Since(began)
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}
