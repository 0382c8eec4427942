package session

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// chunkProvider is a provider that answers the n-th request with the n-th list of chunks. A chunk with the finish
// "cut" breaks the response off.
type chunkProvider struct {
	responses [][]llm.Chunk
	requests  []*llm.Request
}

func (p *chunkProvider) Name() string { return "chunks" }

func (p *chunkProvider) Send(_ context.Context, r *llm.Request) iter.Seq2[llm.Chunk, error] {
	response := p.responses[len(p.requests)]
	p.requests = append(p.requests, r)
	return func(yield func(llm.Chunk, error) bool) {
		for _, c := range response {
			if c.Finish == "cut" {
				yield(llm.Chunk{}, &llm.Error{Class: llm.Network, Message: "cut", BrokeOff: true})
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// startChunks runs an engine against a provider that answers with chunks.
func startChunks(t *testing.T, responses ...[]llm.Chunk) (*harness, *chunkProvider) {
	p := &chunkProvider{responses: responses}
	return start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: p, ID: "m", ContextTokens: 100_000}, nil
		}
	}), p
}

// course returns the pieces and the calls of an answer, one a line.
func course(m records.Message) (lines []string) {
	for _, step := range m.Steps() {
		for _, p := range step.Pieces {
			if p.Aside != nil {
				lines = append(lines, fmt.Sprintf("%s: %s", p.Aside.Kind, p.Aside.Text))
			} else {
				lines = append(lines, "text: "+p.Text)
			}
		}
		for _, c := range step.Calls {
			lines = append(lines, "call: "+c.Tool)
		}
	}
	return lines
}

func thought(text string) llm.Chunk { return llm.Chunk{Reasoning: text} }
func word(text string) llm.Chunk    { return llm.Chunk{Text: text} }

// TestAnAnswerKeepsTheOrderOfThoughtsTextAndCalls has thoughts between words, and a response that is cut.
func TestAnAnswerKeepsTheOrderOfThoughtsTextAndCalls(t *testing.T) {
	h, p := startChunks(t,
		[]llm.Chunk{thought("one"), word("a"), thought("two"), thought(" and"), word("b"), thought("three"),
			{Call: &llm.Call{ID: "c", Name: "echo", Arguments: []byte(`{}`)}}, {Finish: llm.FinishToolCalls}},
		[]llm.Chunk{thought("four"), word("lost"), thought("five"), {Finish: "cut"}},
		[]llm.Chunk{thought("six"), word("c"), word("d"), thought("seven"), {Finish: llm.FinishStop}},
		[]llm.Chunk{word("fine"), {Finish: llm.FinishStop}})
	turn, _ := h.ask(t, Prompt{Text: "go"})
	got := course(h.history(t, turn.ConversationID)[1])
	want := []string{"thought: one", "text: a", "thought: two and", "text: b", "thought: three", "call: echo",
		"thought: four", "thought: five", "retry: cut", "thought: six", "text: \n\ncd", "thought: seven"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and?"})
	for _, r := range p.requests {
		for _, m := range r.Messages {
			for _, hidden := range []string{"one", "two", "three", "four", "five", "six", "seven"} {
				if m.Role != llm.System && strings.Contains(m.Text, hidden) {
					t.Errorf("the model gets its thought back: %q", m.Text)
				}
			}
		}
	}
}

// TestOnlyTheBeginningOfALongThoughtIsStored streams one in pieces whose end falls into a character.
func TestOnlyTheBeginningOfALongThoughtIsStored(t *testing.T) {
	piece := strings.Repeat("é", 1000)
	var response []llm.Chunk
	for range 100 {
		response = append(response, thought(piece))
	}
	h, _ := startChunks(t, append(response, word("done"), llm.Chunk{Finish: llm.FinishStop}), []llm.Chunk{thought("short"), word("done"), {Finish: llm.FinishStop}})
	turn, _ := h.ask(t, Prompt{Text: "go"})
	got := course(h.history(t, turn.ConversationID)[1])
	if want := "thought: " + strings.Repeat("é", maxThoughts/2) + cutOff; len(got) != 2 || got[0] != want {
		t.Errorf("%d lines, the first with %d bytes; want %d", len(got), len(got[0]), len(want))
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go"})
	if d := cmp.Diff([]string{"thought: short", "text: done"}, course(h.history(t, turn.ConversationID)[3])); d != "" {
		t.Error(d)
	}
}

// TestThoughtsAreStoredWhileTheyStream reads them in the middle of the turn, and after a crash.
func TestThoughtsAreStoredWhileTheyStream(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Reasoning: []string{"Let me ", "think."}, Text: []string{"The beginning"}, Hold: gate})
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	await(h, func(e bus.MessageDelta) bool { return e.Text != "" })
	h.store(t)
	for _, piece := range []string{"And ", "more."} { // with a commit for each
		h.streamed.AddAside(turn.AssistantMessageID, records.Aside{Kind: records.Thought, Text: piece, At: len("The beginning")})
		h.store(t)
	}
	want := []string{"thought: Let me think.", "text: The beginning", "thought: And more."}
	if d := cmp.Diff(want, course(h.history(t, turn.ConversationID)[1])); d != "" {
		t.Errorf("in the middle: %s", d)
	}
	free := h.fullFor(t, "UPDATE ON messages", "NEW.status = 'completed'") // the end is not stored, as in a crash
	gate.Open()
	h.wait(t, turn)
	free()
	next, err := New(h.opts)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	m := h.history(t, turn.ConversationID)[1]
	if d := cmp.Diff(want, course(m)); d != "" || m.Status != records.Interrupted {
		t.Errorf("after a crash it is %s: %s", m.Status, d)
	}
}

// TestAsidesWaitWhileTheDiskIsFull loses none of them, and stores none twice.
func TestAsidesWaitWhileTheDiskIsFull(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Reasoning: []string{"one"}, Text: []string{"text"}, Hold: gate})
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	await(h, func(e bus.MessageDelta) bool { return e.Text != "" })
	free := h.fullFor(t, "INSERT ON asides", "true")
	if err := h.streamed.Store(); err == nil {
		t.Error("storing on a full disk succeeds")
	}
	free()
	gate.Open()
	h.wait(t, turn)
	h.store(t)
	if d := cmp.Diff([]string{"thought: one", "text: text"}, course(h.history(t, turn.ConversationID)[1])); d != "" {
		t.Error(d)
	}
	if err := h.Delete(t.Context(), turn.ConversationID); err != nil {
		t.Error(err)
	}
	if n := h.query(t, `SELECT count(*) FROM asides`); n != 0 {
		t.Errorf("%d asides are left of a deleted conversation", n)
	}
}

// TestContextUseIsThatOfTheLastRequest has two requests, and a provider that does not report usage.
func TestContextUseIsThatOfTheLastRequest(t *testing.T) {
	h := start(t, tools.NewSet(echo("echo")), nil,
		llmtest.Turn{Calls: []llmtest.Call{{ID: "a", Name: "echo", Arguments: `{"text":"x"}`}}, Usage: llmtest.Usage{Prompt: 900, Completion: 50}},
		llmtest.Turn{Text: []string{"done"}, Usage: llmtest.Usage{Prompt: 1000, Completion: 20}},
		llmtest.Turn{Text: []string{"done"}})
	turn, _ := h.ask(t, Prompt{Text: "go"})
	m := h.history(t, turn.ConversationID)[1]
	if want := (bus.ContextUse{Used: 1020, Window: 100_000}); m.Context != want || m.Usage.In != 1900 {
		t.Errorf("%+v of %+v; want %+v", m.Context, m.Usage, want)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go"})
	if m := h.history(t, turn.ConversationID)[3]; m.Context.Used < 100 || m.Context.Window != 100_000 {
		t.Errorf("without usage: %+v", m.Context)
	}
}

// TestThoughtsInSmallPiecesAreJoinedOnce counts the bytes that are allocated for them.
func TestThoughtsInSmallPiecesAreJoinedOnce(t *testing.T) {
	var pieces []records.Aside
	for range 3 {
		for range maxThoughts / 4 {
			pieces = append(pieces, records.Aside{Kind: records.Thought, Text: "x"})
		}
		pieces = append(pieces, records.Aside{Kind: records.Notice, Text: "n"}, records.Aside{Kind: records.Notice, Text: "n"},
			records.Aside{Kind: records.Thought, Text: "y", Steps: 1})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	joined := records.JoinAsides(pieces)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > maxThoughts*20 {
		t.Errorf("%d bytes are allocated for %d pieces", bytes, len(pieces))
	}
	var kinds []string
	for _, a := range joined {
		kinds = append(kinds, fmt.Sprint(a.Kind, len(a.Text)))
	}
	one := "thought16384 notice1 notice1 thought1"
	if got, want := strings.Join(kinds, " "), strings.Join([]string{one, one, one}, " "); got != want {
		t.Errorf("joined: %s, want %s", got, want)
	}
}
