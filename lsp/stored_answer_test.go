package lsp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// A drawing is what a client shows of a turn after it has taken its parts.
type drawing struct {
	Pieces    []ploke.Part
	Citations []ploke.Part
	Usage     *ploke.Usage

	answer int // the index of the first piece after the last message of the person
	cited  int // the number of citations before it
}

// draw returns the drawing of parts.
func draw(parts []ploke.Part) *drawing {
	d := &drawing{}
	for _, p := range parts {
		d.take(p)
	}
	return d
}

func (d *drawing) take(p ploke.Part) {
	p.Seq = 0
	switch p.Type {
	case ploke.PartMessage:
		if p.Replace {
			p.Text, p.Replace = d.replace(p.Text), false
		}
		d.join(p)
	case ploke.PartThought:
		d.join(p)
	case ploke.PartToolCall:
		d.update(p, func(old ploke.Part) bool { return old.CallID == p.CallID })
	case ploke.PartProposal:
		d.update(p, func(old ploke.Part) bool { return old.ID == p.ID })
	case ploke.PartNotice:
		d.Pieces = append(d.Pieces, p)
	case ploke.PartUserMessage:
		d.Pieces = append(d.Pieces, p)
		d.answer, d.cited = len(d.Pieces), len(d.Citations)
	case ploke.PartCitation:
		d.Citations = append(d.Citations, p)
	case ploke.PartUsage:
		if *p.Usage != (ploke.Usage{}) { // else the provider has not said it
			d.Usage = p.Usage
		}
	}
}

// join adds text to the last piece if that is of the same type.
func (d *drawing) join(p ploke.Part) {
	if n := len(d.Pieces); n > 0 && d.Pieces[n-1].Type == p.Type {
		d.Pieces[n-1].Text += p.Text
	} else if p.Text != "" {
		d.Pieces = append(d.Pieces, p)
	}
}

// update replaces the piece of a call or a proposal. A proposal keeps what the new part does not say.
func (d *drawing) update(p ploke.Part, same func(ploke.Part) bool) {
	if i := slices.IndexFunc(d.Pieces, func(old ploke.Part) bool { return old.Type == p.Type && same(old) }); i >= 0 {
		if p.Type == ploke.PartProposal && p.Title == "" {
			p.Title = d.Pieces[i].Title
		}
		if p.Files == nil {
			p.Files = d.Pieces[i].Files
		}
		d.Pieces[i] = p
	} else {
		d.Pieces = append(d.Pieces, p)
	}
}

// replace takes back the text of the answer that is not in the new one, and returns what the new one has more.
// Texts before calls stay as they are.
func (d *drawing) replace(text string) (more string) {
	d.Citations = d.Citations[:d.cited]
	old := d.Pieces[d.answer:]
	d.Pieces = slices.Clone(d.Pieces[:d.answer])
	for _, p := range old {
		if p.Type == ploke.PartMessage {
			rest, stays := strings.CutPrefix(text, p.Text)
			if !stays {
				continue
			}
			text = rest
		}
		if p.Type == ploke.PartMessage || p.Type == ploke.PartThought {
			d.join(p)
		} else {
			d.Pieces = append(d.Pieces, p)
		}
	}
	return text
}

// live returns the parts that a follower of the turn got, and those of its proposals that came without a turn.
func live(e *lsptest.Editor, turnID string) (parts []ploke.Part) {
	var attached ploke.ChatAttachResult
	e.Call(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: turnID}, &attached)
	for _, event := range attached.Events {
		parts = append(parts, event.Part)
	}
	for _, event := range e.Events() {
		if event.Type == ploke.PartProposal && event.TurnID == "" {
			parts = append(parts, event.Part)
		}
	}
	return parts
}

// stored returns the parts of the history that belong to the turn, and its last message.
func stored(e *lsptest.Editor, conversationID, turnID string) (parts []ploke.Part, last ploke.Message) {
	var h ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: conversationID}, &h)
	for _, m := range h.Messages {
		switch {
		case m.TurnID != turnID:
		case m.Role == ploke.RoleAssistant:
			parts, last = append(parts, m.Parts...), m
		case len(parts) > 0 || last.ID != "": // it joined the turn
			parts = append(parts, ploke.Part{Type: ploke.PartUserMessage, PartDecided: ploke.PartDecided{ID: m.ID}, Text: m.Text})
		}
	}
	return parts, last
}

// checkStored compares the parts of a turn and its result with the history, before and after a restart.
func checkStored(t *testing.T, f *fixture, turns func(t *testing.T, e *lsptest.Editor) *ploke.ChatSendResult) {
	t.Helper()
	var result *ploke.ChatSendResult
	var want *drawing
	check := func(t *testing.T, e *lsptest.Editor) {
		t.Helper()
		parts, last := stored(e, result.ConversationID, result.TurnID)
		got := draw(parts)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(drawing{})); d != "" {
			t.Errorf("the stored parts (-live +stored): %s", d)
		}
		if whole := len(got.Pieces) + len(got.Citations); len(parts) > whole+1 {
			t.Errorf("%d parts draw %d pieces: they are not joined", len(parts), whole)
		}
		fromResult := ploke.Message{Error: result.Error, ErrorKind: result.ErrorKind, MessageAnswer: ploke.MessageAnswer{
			Model: result.Model, StopReason: result.StopReason, Context: result.Context, Usage: &result.Usage}}
		fromHistory := ploke.Message{Error: last.Error, ErrorKind: last.ErrorKind, MessageAnswer: ploke.MessageAnswer{
			Model: last.Model, StopReason: last.StopReason, Context: last.Context, Usage: last.Usage}}
		if fromHistory.Usage == nil {
			fromHistory.Usage = &ploke.Usage{}
		}
		if d := cmp.Diff(fromResult, fromHistory); d != "" {
			t.Errorf("the end of the turn (-result +stored): %s", d)
		}
	}
	t.Run("live", func(t *testing.T) {
		f.t = t
		e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return "allowOnce" }})
		e.AwaitIndex()
		result = turns(t, e)
		want = draw(live(e, result.TurnID))
		check(t, e)
	}) // the server ends with the subtest
	t.Run("after a restart", func(t *testing.T) {
		f.t = t
		check(t, f.startIndexed())
	})
}

// ask returns a function that sends one message.
func ask(t *testing.T, e *lsptest.Editor) *ploke.ChatSendResult { return e.Ask("go") }

// TestTheHistoryShowsWhatAFollowerOfTheTurnSaw compares them for turns with one of each.
func TestTheHistoryShowsWhatAFollowerOfTheTurnSaw(t *testing.T) {
	t.Parallel()
	rect := func(f *fixture) string {
		return "It is\n<code=\"" + f.path("shapes/rect.go") + "\" #4:4>\ntype Rect struct{ Width, Height float64 }\n</code>\nas you see."
	}
	edit := func(id, word string) llmtest.Call {
		return llmtest.Call{ID: id, Name: "create_file", Arguments: fmt.Sprintf(`{"file":"%s.txt","content":"%s\n"}`, word, word)}
	}
	read := llmtest.Call{ID: "read", Name: "read_file", Arguments: `{"file":"shapes/rect.go"}`}
	used := llmtest.Usage{Prompt: 1000, Completion: 20, Cached: 300}
	for name, script := range map[string]func(*fixture) []llmtest.Turn{
		"text and a citation": func(f *fixture) []llmtest.Turn { return []llmtest.Turn{{Text: []string{rect(f)}, Usage: used}} },
		"thoughts around calls": func(f *fixture) []llmtest.Turn {
			return []llmtest.Turn{
				{Reasoning: []string{"Let me ", "see."}, Text: []string{"I read.", " <co"}, Calls: []llmtest.Call{read}, Usage: used},
				{Reasoning: []string{"Aha."}, Calls: []llmtest.Call{{ID: "a", Name: "list_dir", Arguments: "{}"}, {ID: "b", Name: "list_dir", Arguments: `{"dir":"shapes"}`}}},
				{Reasoning: []string{"So."}, Text: []string{rect(f)}, Usage: used}}
		},
		"calls that fail": func(*fixture) []llmtest.Turn {
			return []llmtest.Turn{{Calls: []llmtest.Call{{ID: "a", Name: "read_file", Arguments: `{"file":"none.go"}`}, {ID: "b", Name: "nonesuch", Arguments: "{}"},
				{ID: "c", Name: "list_dir", Arguments: `{"dir":`}, read}}, {Text: []string{"So be it."}}}
		},
		"a permission": func(*fixture) []llmtest.Turn { return paintTurns() },
		"proposals": func(*fixture) []llmtest.Turn {
			return []llmtest.Turn{{Calls: []llmtest.Call{edit("a", "one"), read, edit("b", "two")}},
				{Text: []string{"And one more."}, Calls: []llmtest.Call{edit("c", "three")}}, {Text: []string{"done"}}}
		},
		"a proposal that is withdrawn": func(*fixture) []llmtest.Turn {
			return []llmtest.Turn{{Calls: []llmtest.Call{edit("a", "one")}}, {Calls: []llmtest.Call{{ID: "b", Name: "delete_file", Arguments: `{"file":"one.txt"}`}}}, {Text: []string{"never mind"}}}
		},
		"a cut answer": func(f *fixture) []llmtest.Turn {
			return []llmtest.Turn{{Text: []string{"First."}, Calls: []llmtest.Call{read}},
				{Reasoning: []string{"Hm."}, Text: []string{rect(f), " half of"}, Cut: true}, {Reasoning: []string{"Again."}, Text: []string{rect(f), " whole"}, Usage: used}}
		},
		"an answer that stays cut": func(*fixture) []llmtest.Turn {
			return []llmtest.Turn{{Text: []string{"half"}, Cut: true}, {Reasoning: []string{"Hm."}, Text: []string{"half", " again"}, Cut: true}}
		},
		"half a quotation": func(f *fixture) []llmtest.Turn {
			return []llmtest.Turn{{Text: []string{"It is\n<code=\"" + f.path("shapes/rect.go") + "\" #4:4>\ntype Rect"}}}
		},
		"a refused key":  func(*fixture) []llmtest.Turn { return []llmtest.Turn{{Status: 401}} },
		"a length limit": func(*fixture) []llmtest.Turn { return []llmtest.Turn{{Text: []string{"and so"}, Finish: "length"}} },
		"nothing":        func(*fixture) []llmtest.Turn { return []llmtest.Turn{{}, {}} },
		"only a thought": func(*fixture) []llmtest.Turn {
			return []llmtest.Turn{{Reasoning: []string{"Hm."}}, {Reasoning: []string{"Hm."}}}
		},
		"a content filter": func(*fixture) []llmtest.Turn { return []llmtest.Turn{{Text: []string{"I"}, Finish: "content_filter"}} },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			f.useModel(script(f)...)
			checkStored(t, f, ask)
		})
	}
}

// TestTheHistoryShowsMessagesThatJoinedATurn has text and calls before a message that steers, and a cut answer after it.
func TestTheHistoryShowsMessagesThatJoinedATurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	gate := llmtest.NewGate()
	used := llmtest.Usage{Prompt: 1000, Completion: 20}
	f.useModel(llmtest.Turn{Reasoning: []string{"One?"}, Text: []string{"one"}, Hold: gate, Calls: []llmtest.Call{{ID: "l", Name: "list_dir", Arguments: "{}"}}, Usage: used},
		llmtest.Turn{Text: []string{"half of t"}, Cut: true}, llmtest.Turn{Reasoning: []string{"Two."}, Text: []string{"two"}, Usage: used})
	checkStored(t, f, func(t *testing.T, e *lsptest.Editor) *ploke.ChatSendResult {
		id := newConversation(e)
		first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
		<-gate.Reached()
		second := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b", WhileBusy: "steer"})
		awaitMessages(t, e, id, 4)
		gate.Open()
		<-second
		return <-first
	})
}

// TestTheHistoryShowsWhatAFollowerOfAnyTurnSaw compares them for turns at random.
func TestTheHistoryShowsWhatAFollowerOfAnyTurnSaw(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			f.useModel(randomScript(rand.New(rand.NewPCG(seed, 0)), f.path("shapes/rect.go"))...)
			checkStored(t, f, ask)
		})
	}
}

// randomScript returns the responses of one turn: some with calls, some cut, and an end.
func randomScript(r *rand.Rand, file string) (turns []llmtest.Turn) {
	words := []string{"plain ", "`code` ", "\n\n", "a < b ", "<code", "<code=\"" + file + "\" #4:4>\ntype Rect struct{ Width, Height float64 }\n</code>\n",
		"<code=\"" + file + "\" #90:91>\nno such lines\n</code>", "```go\nx\n```\n", "é😀 "}
	text := func() (deltas []string) {
		var whole strings.Builder
		for range r.IntN(6) {
			whole.WriteString(words[r.IntN(len(words))])
		}
		rest := []rune(whole.String())
		for len(rest) > 0 {
			n := min(len(rest), 1+r.IntN(30))
			deltas = append(deltas, string(rest[:n]))
			rest = rest[n:]
		}
		return deltas
	}
	for i := range 2 + r.IntN(4) {
		turn := llmtest.Turn{Text: text(), Usage: llmtest.Usage{Prompt: 10 * i, Completion: r.IntN(5)}}
		for range r.IntN(3) {
			turn.Reasoning = append(turn.Reasoning, words[r.IntN(3)])
		}
		if len(turn.Text) > 0 && r.IntN(4) == 0 {
			cut := turn
			cut.Cut = true
			turns = append(turns, cut)
		}
		for j := range 1 + r.IntN(3) {
			c := []llmtest.Call{{Name: "list_dir", Arguments: "{}"}, {Name: "read_file", Arguments: `{"file":"none.go"}`}, {Name: "nonesuch", Arguments: "{"},
				{Name: "paint", Arguments: "{}"}, {Name: "create_file", Arguments: fmt.Sprintf(`{"file":"f%d_%d.txt","content":"x\n"}`, i, j)}}[r.IntN(5)]
			c.ID = fmt.Sprintf("call_%d_%d", i, j)
			turn.Calls = append(turn.Calls, c)
		}
		turns = append(turns, turn)
	}
	return append(turns, llmtest.Turn{Text: append(text(), "the end"), Reasoning: []string{"done"}})
}
