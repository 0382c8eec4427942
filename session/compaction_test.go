package session

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// big answers with as many bytes as it is asked for.
func big() *tools.Tool {
	return tool("big", func(_ context.Context, _ tools.Env, arg string) (any, error) {
		n, err := strconv.Atoi(arg)
		return strings.Repeat("x", n), err
	})
}

// windowOf is an option that gives the model so many tokens, of which a request
// may have three quarters.
func windowOf(tokens int) func(*Options) {
	return func(o *Options) {
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			m, err := find(ctx, name)
			m.ContextTokens = tokens
			return m, err
		}
	}
}

// sent estimates the tokens of a request's messages.
func sent(r llmtest.Request) int {
	var messages []llm.Message
	for _, m := range r.Messages {
		x := llm.Message{Text: m.Content}
		for _, c := range m.ToolCalls {
			x.Calls = append(x.Calls, llm.Call{Name: c.Function.Name, Arguments: []byte(c.Function.Arguments)})
		}
		messages = append(messages, x)
	}
	return requestTokens(window.NewCounter(llm.Model{}, 0), messages, nil)
}

func isPrefix(before, after []llmtest.Message) bool {
	if len(before) > len(after) {
		return false
	}
	for i := range before {
		if string(before[i].Raw) != string(after[i].Raw) {
			return false
		}
	}
	return true
}

// TestRequestsArePrefixes runs random conversations that repeatedly outgrow their
// window. Each request begins with the bytes of the previous one, within a turn and
// across turns, unless a notice reported a compaction.
func TestRequestsArePrefixes(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			const turns, window = 14, 15_000
			random := rand.New(rand.NewPCG(seed, 1))
			var script []llmtest.Turn
			for i := range turns {
				for j := range random.IntN(4) {
					var batch []llmtest.Call
					for k := range 1 + random.IntN(3) {
						batch = append(batch, call(fmt.Sprintf("c%d-%d-%d", i, j, k), "big", fmt.Sprint(random.IntN(5000))))
					}
					script = append(script, calls(batch...))
				}
				script = append(script, says(strings.Repeat("so ", random.IntN(800))+"."))
			}
			h := start(t, tools.NewSet(big()), windowOf(window/3*4), script...)
			var turn *Turn
			p := Prompt{Text: "go"}
			for range turns {
				turn, _ = h.ask(t, p)
				p = Prompt{ConversationID: turn.ConversationID, Text: strings.Repeat("why? ", 1+random.IntN(300))}
			}
			requests, breaks := h.server.Requests(), 0
			for i, r := range requests {
				if n := sent(r); n > window {
					t.Errorf("request %d has %d tokens", i, n)
				}
				if i > 0 && !isPrefix(requests[i-1].Messages, r.Messages) {
					breaks++
				}
			}
			// A step that only shortens what was not sent yet breaks nothing.
			if n := len(seen[bus.Notice](h)); breaks > n || breaks < 2 || breaks > len(requests)/4 {
				t.Errorf("%d of %d requests don't begin with the one before; %d notices", breaks, len(requests), n)
			}
		})
	}
}

// TestTurnOutgrowsWindow compacts once within a turn: results that the model has read
// become lines that say how to recall them.
func TestTurnOutgrowsWindow(t *testing.T) {
	h := start(t, tools.NewSet(big()), windowOf(8000), // 6,000 for a request
		calls(call("a", "big", "6000"), call("t", "big", "1"), call("b", "big", "5000")), calls(call("c", "big", "7000")), says("done"),
		says("again"))
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "more"})
	requests := h.server.Requests()
	last := outline(requests[2])
	if outcome.Err != nil || len(seen[bus.Notice](h)) != 1 || len(last) != 8 {
		t.Fatalf("%v %v %q", outcome.Err, seen[bus.Notice](h), last)
	}
	want := "tool: big said something\n…\n(shortened to save space; recall_tool_result returns it all for call_id a) a"
	if last[3] != want || last[4] != `tool: {"ok":true,"said":"x"} t` || len(last[5]) > 200 || len(last[7]) < 7000 {
		t.Errorf("%q", last)
	}
	if !isPrefix(requests[2].Messages, requests[3].Messages) {
		t.Error("the next turn does not send the same")
	}
}

// TestAStepMustGainEnough fills the window so far that a step would be due but would
// save almost nothing: it waits.
func TestAStepMustGainEnough(t *testing.T) {
	h := start(t, tools.NewSet(big()), windowOf(8000), calls(call("a", "big", "3000")), says("done"), says("again"))
	turn, _ := h.ask(t, Prompt{Text: strings.Repeat("word ", 1800)}) // 2,800 tokens; the result has 950
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "more"})
	requests := h.server.Requests()
	if p := seen[bus.PromptConstructed](h); p[1].Tokens <= 6000*compactFrom/100 {
		t.Fatalf("the second turn begins with %d tokens", p[1].Tokens)
	}
	if n := seen[bus.Notice](h); len(n) > 0 || !isPrefix(requests[1].Messages, requests[2].Messages) {
		t.Errorf("notices: %+v", n)
	}
}

// TestOldestMessagesAreDroppedFirst fills the window with messages that have no
// results to shorten. Their attachments are kept.
func TestOldestMessagesAreDroppedFirst(t *testing.T) {
	long := strings.Repeat("word ", 1000) // 1,560 tokens
	h := start(t, tools.NewSet(), windowOf(8000), says("one"), says("two"), says("three"), says("four"), says("five"))
	attached := records.Attachment{Path: "/w/a.go", StartLine: 1, EndLine: 1, Text: "package a\n"}
	turn, _ := h.ask(t, Prompt{Text: "first " + long, Attachments: []records.Attachment{attached}})
	for _, text := range []string{"second " + long, "third " + long, "fourth " + long, "fifth"} {
		h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: text})
	}
	requests := h.server.Requests()
	kept := requests[3].Messages
	if kept[0].Role != "system" || kept[1].Role != "user" || strings.Contains(kept[1].Content, "first "+long) ||
		!strings.HasSuffix(kept[1].Content, long) {
		t.Errorf("%q", outline(requests[3]))
	}
	if !strings.Contains(kept[1].Content,
		"\n\nAttached earlier in this conversation:\n\n"+wording.NumberedSnippet(attached.Path, 1, attached.Text)) {
		t.Errorf("%.2000q", kept[1].Content)
	}
	if !strings.HasPrefix(kept[1].Content, "The beginning of the conversation is left out. In short:\n- The user asked first: first word ") {
		t.Errorf("%.200q", kept[1].Content)
	}
	if !isPrefix(kept, requests[4].Messages) {
		t.Error("the next turn does not send the same")
	}
	if p := seen[bus.PromptConstructed](h); p[2].Dropped != 0 || p[3].Dropped < 2 || p[3].Dropped%2 != 0 || p[4].Dropped != p[3].Dropped {
		t.Errorf("dropped: %+v", p)
	}
}

func TestMessageWithoutPlace(t *testing.T) {
	h := start(t, tools.NewSet(), windowOf(8000), says("fine"))
	turn, outcome := h.ask(t, Prompt{Text: strings.Repeat("word ", 8000)})
	if outcome.StopReason != bus.StopLimit || outcome.Err == nil ||
		!strings.Contains(outcome.Err.Error(), "test/m takes 8000: send or attach less") {
		t.Errorf("%+v", outcome)
	}
	if _, next := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "hello"}); next.Text != "fine" {
		t.Errorf("%+v", next)
	}
}

// TestCalibration checks that the usage reported by a provider corrects the token
// counts, in the next turn too.
func TestCalibration(t *testing.T) {
	first := says("one")
	first.Usage = llmtest.Usage{Prompt: 6000, Completion: 1}
	h := start(t, tools.NewSet(), nil, first, says("two"))
	turn, _ := h.ask(t, Prompt{Text: strings.Repeat("word ", 2000)})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "b"})
	if p := seen[bus.PromptConstructed](h); p[0].Tokens >= 5000 || p[1].Tokens < 6000 || p[1].Tokens > 6050 {
		t.Errorf("%+v", p)
	}
}

// TestPinnedAttachmentsAreDropped fills the window with attachments: the newest ones
// of the dropped messages are kept, as many as fit.
func TestPinnedAttachmentsAreDropped(t *testing.T) {
	script := []llmtest.Turn{says("a"), says("b"), says("c"), says("d"), says("e")}
	h := start(t, tools.NewSet(), windowOf(8000), script...) // 6,000 for a request
	var id string
	for i := range script {
		// 1,500 tokens
		file := records.Attachment{Path: fmt.Sprintf("/w/%d.go", i), StartLine: 1, EndLine: 1, Text: strings.Repeat("x", 4800) + "\n"}
		turn, outcome := h.ask(t, Prompt{ConversationID: id, Text: fmt.Sprint("message ", i), Attachments: []records.Attachment{file}})
		if outcome.Err != nil {
			t.Fatal(outcome.Err)
		}
		id = turn.ConversationID
	}
	var got []string
	for _, r := range h.server.Requests() {
		if n := sent(r); n > 6000 {
			t.Errorf("a request has %d tokens", n)
		}
		files := ""
		for i := range script {
			if strings.Contains(string(r.Body), fmt.Sprintf("/w/%d.go", i)) {
				files += fmt.Sprint(i)
			}
		}
		got = append(got, files)
	}
	if d := cmp.Diff([]string{"0", "01", "012", "123", "234"}, got); d != "" {
		t.Error(d)
	}
}

// TestSteersWhileATurnCompacts has several messages join a turn whose results outgrow
// the window. Each request begins with the previous one, unless a notice reported a
// compaction. The next turn sends the messages of this turn's last request.
func TestSteersWhileATurnCompacts(t *testing.T) {
	const rounds, window = 12, 6000
	var h *harness
	var id string
	steering := tool("big", func(ctx context.Context, env tools.Env, arg string) (any, error) {
		_, err := h.Start(ctx, Prompt{ConversationID: env.Call().ConversationID, Text: "and " + env.Call().CallID, WhileBusy: Steer})
		return strings.Repeat("x", 3000), err
	})
	script := []llmtest.Turn{says("first")}
	for i := range rounds {
		script = append(script, llmtest.Turn{Text: []string{fmt.Sprint("step ", i)}, Calls: []llmtest.Call{call(fmt.Sprint("c", i), "big", "")}})
	}
	h = start(t, tools.NewSet(steering), windowOf(window/3*4), append(script, says("done"), says("later"))...)
	turn, _ := h.ask(t, Prompt{Text: "before"})
	id = turn.ConversationID
	if _, outcome := h.ask(t, Prompt{ConversationID: id, Text: "go"}); outcome.Err != nil || outcome.Text != "done" {
		t.Fatalf("%+v", outcome)
	}
	h.ask(t, Prompt{ConversationID: id, Text: "again"})
	requests, breaks := h.server.Requests(), 0
	for i, r := range requests {
		if n := sent(r); n > window {
			t.Errorf("request %d has %d tokens", i, n)
		}
		if i > 0 && !isPrefix(requests[i-1].Messages, r.Messages) {
			breaks++
		}
	}
	last := outline(requests[len(requests)-1])
	for i := range rounds {
		if want := fmt.Sprint("user: and c", i); !slices.Contains(last, want) {
			t.Errorf("%q is lost", want)
		}
	}
	if n := len(seen[bus.Notice](h)); breaks != n || n < 2 {
		t.Errorf("%d requests don't begin with the one before; %d notices", breaks, n)
	}
	if n := len(seen[bus.TurnSteered](h)); n != rounds {
		t.Errorf("%d messages joined; want %d", n, rounds)
	}
}

// TestACompactionStoresWhatIsNew runs a conversation that is compacted again and again. Each compaction stores only the
// calls that it shortens in addition, until older messages are dropped, and then those that are still sent. What is read
// back is what the turns had.
func TestACompactionStoresWhatIsNew(t *testing.T) {
	const turns, size = 60, 15_000
	var script []llmtest.Turn
	for i := range turns {
		script = append(script, calls(call(fmt.Sprint("a", i), "big", "4000"), call(fmt.Sprint("b", i), "big", "4001")),
			says(strings.Repeat("so ", 300)+"."))
	}
	h := start(t, tools.NewSet(big()), windowOf(size/3*4), script...)
	var turn *Turn
	p := Prompt{Text: "go"}
	for range turns {
		turn, _ = h.ask(t, p)
		p = Prompt{ConversationID: turn.ConversationID, Text: "go on"}
	}
	path, err := h.kept.messages.Branch(t.Context(), turn.ConversationID, "", turn.AssistantMessageID)
	if err != nil {
		t.Fatal(err)
	}
	var all []string // that are shortened, as far as they are listed once
	from, continued, dropped := "", 0, 0
	for i := range path {
		c := path[i].Compaction
		if c == nil {
			continue
		}
		if c.Continues {
			continued++
			if c.From != from {
				t.Errorf("%d: a compaction that drops messages continues the one before", i)
			}
			all = append(all, c.Shortened...)
		} else {
			dropped++
			all = c.Shortened
		}
		from = c.From
		if len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Fatalf("%d: calls are stored again: %q", i, all)
		}
		upTo := window.NewPast(path[:i+1])
		if got := upTo.LastCompaction(); !slices.Equal(got.Shortened, all) || got.From != c.From || got.Continues {
			t.Errorf("%d: %+v", i, got)
		}
	}
	if continued < 5 || dropped < 2 || len(all) > turns {
		t.Errorf("%d compactions continue the one before, %d drop messages, and %d calls are listed in the end", continued, dropped, len(all))
	}
	sent := map[string]bool{} // by the last request, whole or shortened
	for _, m := range h.server.Requests()[2*turns-1].Messages {
		if id := m.ToolCallID; id != "" {
			sent[id] = strings.Contains(m.Content, "shortened to save space")
		}
	}
	for id, short := range sent {
		if short != slices.Contains(all, id) {
			t.Errorf("%s is shortened: %v; stored: %q", id, short, all)
		}
	}
}

// TestShorteningAddsUpWhatItSaves compares what is added up with the sizes of requests that are built, in random
// conversations whose results are shortened in part.
func TestShorteningAddsUpWhatItSaves(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 5))
		v, calls := viewWithResults(random)
		c := v.frame.compaction
		limit := v.sizeUnder(c) * (20 + random.IntN(90)) / 100
		v.setup.model.ContextTokens = limit * (100 + random.IntN(80)) / 100
		want := c
		for n := 0; v.sizeUnder(want) > limit && n < len(calls); n++ {
			want.Shortened = slices.Concat(c.Shortened, calls[:n+1])
		}
		bare := want
		bare.NoHeads = true
		size := v.sizeUnder(want)
		outcome := "with beginnings"
		if saved := size - v.sizeUnder(bare); len(want.Shortened) > 0 && (size > v.setup.window() || saved > v.setup.window()*maxHeads/100) {
			want, size = bare, v.sizeUnder(bare)
			outcome = fmt.Sprint("without beginnings, which take something: ", saved > 0)
		}
		outcomes[outcome]++
		if got, gotSize := v.shorten(c, calls, limit); !got.Equal(want) || gotSize != size {
			t.Fatalf("seed %d: %+v with %d tokens; want %+v with %d", seed, got, gotSize, want, size)
		}
	}
	if len(outcomes) < 3 || slices.Min(slices.Collect(maps.Values(outcomes))) < 10 {
		t.Errorf("some outcomes are rare: %v", outcomes)
	}
}

// TestOnlyLargerResultsAreShortened shortens all results: those that would not become shorter stay as they are, and are not
// offered to the next step.
func TestOnlyLargerResultsAreShortened(t *testing.T) {
	kept := 0
	for seed := range uint64(50) {
		v, calls := viewWithResults(rand.New(rand.NewPCG(seed, 6)))
		c := v.frame.compaction
		var all records.Compaction
		whole, _ := v.messagesUnder(all)
		all.Shortened = slices.Concat(c.Shortened, calls)
		shorter, _ := v.messagesUnder(all)
		var offered []string
		for i := range whole {
			id := whole[i].CallID
			if !slices.Contains(calls, id) {
				continue
			}
			if len(shorter[i].Text) > len(whole[i].Text) {
				t.Errorf("seed %d: %q became longer: %q", seed, whole[i].Text, shorter[i].Text)
			}
			if len(whole[i].Text) < 100 {
				kept++
			} else {
				offered = append(offered, id)
			}
		}
		read, asked := v.shortenable()
		if got := slices.Concat(read, asked); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(offered))) {
			t.Errorf("seed %d: %q can be shortened; want %q", seed, got, offered)
		}
		for _, id := range asked {
			if v.frame.ownResults[id] == nil {
				t.Errorf("seed %d: the model has read %s", seed, id)
			}
		}
	}
	if kept == 0 {
		t.Error("no result stayed as it is")
	}
}

// viewWithResults returns what the model sees within a turn whose conversation has results of all sizes, and those of the calls
// that its compaction does not shorten.
func viewWithResults(random *rand.Rand) (v *modelView, calls []string) {
	model := llm.Model{Provider: &timedModel{}, ID: "m", ContextTokens: 100_000, AnswerTokens: 1}
	if random.IntN(2) == 0 {
		model.ID = "gpt-5"
	}
	v = &modelView{e: &Engine{}, messages: []llm.Message{{Role: llm.System, Text: "system"}},
		setup: &turnSetup{model: model, set: tools.NewSet(echo(tools.RecallToolResult), echo("echo"))}}
	f := &v.frame
	f.turnStart, f.rules, f.compaction.NoHeads = 1, "rules", random.IntN(3) == 0
	turn := func() (exchange []llm.Message, whole window.Results) {
		var ended []records.ToolCall
		exchange = []llm.Message{{Role: llm.Assistant, Text: "I look"}}
		for range random.IntN(4) {
			id := fmt.Sprint("call", len(calls)+len(f.compaction.Shortened))
			text := strings.Repeat("some words\n", []int{1, 5, 40, 60, 100, 400}[random.IntN(6)])
			if random.IntN(5) == 0 {
				text = window.ErrorMark + text
			}
			ended = append(ended, records.ToolCall{CallID: id, Summary: "did " + id})
			exchange[0].Calls = append(exchange[0].Calls, llm.Call{ID: id, Name: "echo", Arguments: []byte(`{}`)})
			exchange = append(exchange, llm.Message{Role: llm.Tool, CallID: id, Text: text})
			if random.IntN(3) == 0 {
				f.compaction.Shortened = append(f.compaction.Shortened, id)
			} else {
				calls = append(calls, id)
			}
		}
		return exchange, window.ResultsOf(ended, exchange)
	}
	ask := []llm.Message{{Role: llm.User, Text: "go on"}}
	var past []window.Message
	for i := range random.IntN(12) {
		exchange, whole := turn()
		past = append(past, window.Message{Message: records.Message{ID: fmt.Sprint("user", i), Role: llm.User},
			Prepared: &window.Prepared{Sent: ask}},
			window.Message{Message: records.Message{ID: fmt.Sprint("answer", i), Role: llm.Assistant},
				Prepared: &window.Prepared{Sent: exchange, Results: whole}})
	}
	f.past, f.input, f.ownResults = window.NewPast(past), ask, map[string]*window.Result{}
	own, whole := turn()
	for i := range own {
		if r := whole.At(i); r != nil {
			f.ownResults[r.CallID] = r
		}
	}
	v.messages = append(v.messages, own...)
	v.messages, f.turnStart = v.messagesUnder(f.compaction)
	random.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	return v, calls
}
