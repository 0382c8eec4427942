package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// begin starts a turn.
func (h *harness) begin(t *testing.T, p Prompt) *Turn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testbed.Soon)
	defer cancel()
	turn, err := h.Start(ctx, p)
	if err != nil {
		t.Fatalf("the turn does not begin: %v", err)
	}
	return turn
}

// tree returns the texts and statuses of a conversation's messages.
func (h *harness) tree(t *testing.T, conversationID string) []string {
	t.Helper()
	var out []string
	for _, m := range h.history(t, conversationID) {
		out = append(out, string(m.Role)+": "+m.Text+" ("+string(m.Status)+")")
	}
	return out
}

func TestQueuedMessagesAreAnsweredInTheirOrder(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("two"), says("three"))
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b", WhileBusy: Queue})
	third := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "c", WhileBusy: Queue})
	want := []string{"user: a (completed)", "assistant:  (pending)", "user: b (completed)", "assistant:  (pending)", "user: c (completed)", "assistant:  (pending)"}
	if d := cmp.Diff(want, h.tree(t, first.ConversationID)); d != "" {
		t.Errorf("before the first one ends: %s", d)
	}
	gate.Open()
	for _, turn := range []*Turn{first, second, third} {
		if o := h.wait(t, turn); o.Err != nil {
			t.Error(o.Err)
		}
	}
	want = []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant: two (completed)", "user: c (completed)", "assistant: three (completed)"}
	if d := cmp.Diff(want, h.tree(t, first.ConversationID)); d != "" {
		t.Error(d)
	}
	checkPrefixes(t, h.server.Requests())
	running := ""
	for _, e := range seen[bus.Event](h) {
		switch e := e.(type) {
		case bus.TurnStarted:
			if running != "" {
				t.Errorf("turn %s began while %s ran", e.RequestID, running)
			}
			running = e.RequestID
		case bus.TurnFinished:
			running = ""
		}
	}
	if n := len(seen[bus.TurnQueued](h)); n != 2 {
		t.Errorf("%d turns were queued", n)
	}
}

// TestATurnFinishesOnTheBusBeforeTheNextStarts has so many subscribers that
// publishing takes a while: the next turn must not start meanwhile.
func TestATurnFinishesOnTheBusBeforeTheNextStarts(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("two"))
	for range 10_000 {
		defer h.bus.Participant("slow").Close()
	}
	last := h.bus.Participant("last") // gets each event after all others have
	defer last.Close()
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b", WhileBusy: Queue})
	published := make(chan []bus.Event)
	go func() {
		<-second.first
		now, cancel := context.WithCancel(context.Background())
		cancel()
		var events []bus.Event
		for e, err := last.Next(now); err == nil; e, err = last.Next(now) {
			events = append(events, e)
		}
		published <- events
	}()
	gate.Open()
	ended := slices.ContainsFunc(testbed.Receive(t, published, "the queued turn to be the first of its conversation"), func(e bus.Event) bool {
		finished, ok := e.(bus.TurnFinished)
		return ok && finished.RequestID == first.RequestID
	})
	if !ended {
		t.Error("a queued turn may start before the end of the turn before it is published")
	}
	h.wait(t, second)
}

func TestAQueuedTurnMayBeStopped(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("three"))
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	owner, leave := context.WithCancel(t.Context())
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b", WhileBusy: Queue, Owner: owner})
	third := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "c", WhileBusy: Queue})
	leave()
	if o := h.wait(t, second); o.StopReason != bus.StopCancelled {
		t.Errorf("%+v", o)
	}
	gate.Open()
	h.wait(t, third)
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant:  (cancelled)", "user: c (completed)", "assistant: three (completed)"}
	if d := cmp.Diff(want, h.tree(t, first.ConversationID)); d != "" {
		t.Error(d)
	}
}

func TestStopStopsWhatWaitsToo(t *testing.T) {
	gate := llmtest.NewGate()
	defer gate.Open()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate})
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b", WhileBusy: Queue})
	if !h.Stop(first.ConversationID) {
		t.Error("nothing to stop")
	}
	for _, turn := range []*Turn{first, second} {
		if o := h.wait(t, turn); o.StopReason != bus.StopCancelled {
			t.Errorf("%+v", o)
		}
	}
	if h.Stop(first.ConversationID) {
		t.Error("there is still something to stop")
	}
}

// TestSteering has two messages join a turn: one while a tool runs, the other during
// the last answer. Each is answered, and a later turn sends the same bytes again.
func TestSteering(t *testing.T) {
	running, goOn := make(chan struct{}), make(chan struct{})
	slow := tool("slow", func(_ context.Context, env tools.Env, arg string) (any, error) {
		running <- struct{}{}
		<-goOn
		return arg, nil
	})
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(slow), nil,
		llmtest.Turn{Text: []string{"Looking."}, Calls: []llmtest.Call{call("x", "slow", "1")}},
		llmtest.Turn{Text: []string{"Red then."}, Hold: gate},
		says("And blue."), says("later"))
	turn := h.begin(t, Prompt{Text: "paint it"})
	testbed.Receive(t, running, "the tool to run")
	red := h.begin(t, Prompt{ConversationID: turn.ConversationID, Text: "in red", WhileBusy: Steer})
	close(goOn)
	reached(t, gate)
	blue := h.begin(t, Prompt{ConversationID: turn.ConversationID, Text: "and blue", WhileBusy: Steer})
	gate.Open()
	for _, joined := range []*Turn{red, blue} {
		if joined.RequestID != turn.RequestID {
			t.Errorf("a message of its own turn: %+v", joined)
		}
		if o := h.wait(t, joined); o.Text != "And blue." || o.Err != nil {
			t.Errorf("%+v", o)
		}
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "thanks"})
	want := []string{"user: paint it (completed)", "assistant: Looking. (completed)", "user: in red (completed)", "assistant: Red then. (completed)",
		"user: and blue (completed)", "assistant: And blue. (completed)", "user: thanks (completed)", "assistant: later (completed)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
	messages := h.history(t, turn.ConversationID)
	if len(messages[1].Calls) != 1 || len(messages[3].Calls) != 0 || messages[3].ID != red.AssistantMessageID ||
		messages[4].ID != blue.UserMessageID {
		t.Errorf("%+v", messages)
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	sent := []string{"user: paint it", "assistant: Looking. x", `tool: {"ok":true,"said":"1"} x`, "user: in red", "assistant: Red then.", "user: and blue", "assistant: And blue.", "user: thanks"}
	if d := cmp.Diff(sent, outline(requests[3])[1:]); d != "" {
		t.Error(d)
	}
}

// owner is an owner of turns that counts what waits for its end.
type owner struct {
	context.Context
	done    chan struct{}
	waiting atomic.Int32
}

func (o *owner) Done() <-chan struct{} { return o.done }

// AfterFunc is what [context.AfterFunc] calls.
func (o *owner) AfterFunc(func()) (stop func() bool) {
	o.waiting.Add(1)
	return sync.OnceValue(func() bool { o.waiting.Add(-1); return true })
}

// TestAnOwnerKeepsNothingOfEndedTurns joins messages to a turn, whose owner lives on.
func TestAnOwnerKeepsNothingOfEndedTurns(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("two"), says("three"), says("four"))
	o := &owner{Context: t.Context(), done: make(chan struct{})}
	turn := h.begin(t, Prompt{Text: "a", Owner: o})
	reached(t, gate)
	for range 3 {
		h.begin(t, Prompt{ConversationID: turn.ConversationID, Text: "b", WhileBusy: Steer, Owner: o})
	}
	if n := o.waiting.Load(); n != 4 {
		t.Errorf("%d messages wait for the end of their owner, want 4", n)
	}
	gate.Open()
	h.wait(t, turn)
	testbed.Eventually(t, func() bool { return o.waiting.Load() == 0 },
		func() string { return fmt.Sprint(o.waiting.Load(), " functions are kept") })
}

// TestSteeringATurnThatFails has a message wait for a turn that fails: the message is
// stored, and the conversation continues.
func TestSteeringATurnThatFails(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"Half"}, Hold: gate, Finish: "length"}, says("on"))
	turn := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	late := h.begin(t, Prompt{ConversationID: turn.ConversationID, Text: "b", WhileBusy: Steer})
	gate.Open()
	if o := h.wait(t, late); o.StopReason != bus.StopLimit {
		t.Errorf("%+v", o)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "c"})
	want := []string{"user: a (completed)", "assistant: Half (completed)", "user: b (completed)", "assistant:  (completed)", "user: c (completed)", "assistant: on (completed)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
}

// TestSteeringWithNothingRunning is a turn like any other.
func TestSteeringWithNothingRunning(t *testing.T) {
	h := start(t, tools.NewSet(), nil, says("one"), says("two"))
	turn, _ := h.ask(t, Prompt{Text: "a", WhileBusy: Steer})
	next, o := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "b", WhileBusy: Steer})
	if o.Text != "two" || next.RequestID == turn.RequestID {
		t.Errorf("%+v", o)
	}
}

// TestAnotherProcessesTurn is neither joined nor waited for.
func TestAnotherProcessesTurn(t *testing.T) {
	h := start(t, tools.NewSet(), nil, says("one"), says("two"))
	turn, _ := h.ask(t, Prompt{Text: "a"})
	pending := func(host string) {
		other := lease.Owner{ID: newID(), Host: host, PID: os.Getpid(), Until: lease.Until(time.Minute)}
		err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`UPDATE messages SET status = ?, extra = json_set(extra, '$.owner', json(?)) WHERE id = ?`,
				records.Pending, records.Marshal(other), turn.AssistantMessageID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pending("elsewhere")
	for _, how := range []WhileBusy{Refuse, Queue, Steer} {
		var busy *BusyError
		_, err := h.Start(t.Context(), Prompt{ConversationID: turn.ConversationID, Text: "b", WhileBusy: how})
		if !errors.As(err, &busy) || !busy.Elsewhere || busy.RequestID != turn.RequestID {
			t.Errorf("%v: %v", how, err)
		}
	}
	var busy *BusyError
	if err := h.Delete(t.Context(), turn.ConversationID); !errors.As(err, &busy) {
		t.Errorf("delete: %v", err)
	}
	pending(lease.Host()) // whose process is this one, of an engine that is gone
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "c"})
	want := []string{"user: a (completed)", "assistant: one (interrupted)", "user: c (completed)", "assistant: two (completed)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
}

// TestSteeringWithAQueue joins two messages to the turn that runs, while two messages wait and a third was
// withdrawn. What waits follows them, in one branch.
func TestSteeringWithAQueue(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("red"), says("blue"), says("two"), says("three"))
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	begin := func(text string, how WhileBusy) *Turn {
		return h.begin(t, Prompt{ConversationID: first.ConversationID, Text: text, WhileBusy: how})
	}
	withdrawn := begin("b", Queue)
	withdrawn.Stop()
	h.wait(t, withdrawn)
	waiting := []*Turn{begin("c", Queue), begin("d", Queue)}
	for _, text := range []string{"in red", "and blue"} {
		if steer := begin(text, Steer); !steer.Joined() {
			t.Errorf("%s waits behind what is queued", text)
		}
	}
	gate.Open()
	for _, turn := range append(waiting, first) {
		if o := h.wait(t, turn); o.Err != nil {
			t.Error(o.Err)
		}
	}
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: in red (completed)", "assistant: red (completed)",
		"user: and blue (completed)", "assistant: blue (completed)", "user: b (completed)", "assistant:  (cancelled)",
		"user: c (completed)", "assistant: two (completed)", "user: d (completed)", "assistant: three (completed)"}
	if d := cmp.Diff(want, h.tree(t, first.ConversationID)); d != "" {
		t.Error(d)
	}
	if forks, err := h.Forks(t.Context(), first.ConversationID, ""); err != nil || len(forks) > 0 {
		t.Errorf("%v: %+v", err, forks)
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	sent := []string{"user: a", "assistant: one", "user: in red", "assistant: red", "user: and blue", "assistant: blue"}
	if d := cmp.Diff(sent, outline(requests[3])[1:][:len(sent)]); d != "" {
		t.Errorf("what was queued does not follow the steered answer: %s", d)
	}
}

// TestSteeringBehindAStoppedTurn waits for what waits already: the turn that is first has been stopped, and takes no more
// messages. It asks the queues themselves, because a stopped turn leaves them at once.
func TestSteeringBehindAStoppedTurn(t *testing.T) {
	queues := turnQueues{bus: bus.New(), byConversation: map[string][]*Turn{}}
	enqueue := func(how WhileBusy) *Turn {
		turn := &Turn{TurnRef: bus.TurnRef{ConversationID: "c"}, owner: t.Context(), first: make(chan struct{})}
		turn.ctx, turn.cancel = context.WithCancelCause(t.Context())
		if err := queues.enqueue(&admission{turn: turn, prompt: Prompt{WhileBusy: how}}); err != nil {
			t.Fatal(err)
		}
		return turn
	}
	first, second := enqueue(Queue), enqueue(Queue)
	first.Stop()
	third := enqueue(Steer)
	if third.Joined() {
		t.Error("the message joined a turn before it in the queue")
	}
	queues.dequeue(first)
	if fourth := enqueue(Steer); fourth.into != second {
		t.Errorf("the message joined %+v, and not the turn that runs", fourth.into)
	}
	if d := cmp.Diff([]*Turn{second, third}, queues.of("c"), cmp.Comparer(func(a, b *Turn) bool { return a == b })); d != "" {
		t.Error(d)
	}
}

// countedOwner counts what the engine has registered with it, and not taken back.
type countedOwner struct {
	context.Context
	registered atomic.Int64
}

// Value hides the context inside, which would be asked instead of this one.
func (*countedOwner) Value(any) any { return nil }

// AfterFunc is what [context.AfterFunc] calls.
func (o *countedOwner) AfterFunc(f func()) (stop func() bool) {
	o.registered.Add(1)
	forget := context.AfterFunc(o.Context, f)
	return func() bool {
		o.registered.Add(-1)
		return forget()
	}
}

// TestAnOwnerForgetsTurns has messages join turns whose owner lives longer.
func TestAnOwnerForgetsTurns(t *testing.T) {
	owner := &countedOwner{Context: t.Context()}
	var gates []*llmtest.Gate
	var script []llmtest.Turn
	for range 5 {
		gates = append(gates, llmtest.NewGate())
		script = append(script, llmtest.Turn{Text: []string{"one"}, Hold: gates[len(gates)-1]}, says("two"), says("three"))
	}
	h := start(t, tools.NewSet(), nil, script...)
	id := ""
	for _, gate := range gates {
		first := h.begin(t, Prompt{ConversationID: id, Text: "a", Owner: owner})
		reached(t, gate)
		id = first.ConversationID
		for range 2 {
			if joined := h.begin(t, Prompt{ConversationID: id, Text: "b", WhileBusy: Steer, Owner: owner}); !joined.Joined() {
				t.Error("a message waits")
			}
		}
		if n := owner.registered.Load(); n != 3 {
			t.Errorf("%d registered by a turn that two messages joined", n)
		}
		gate.Open()
		h.wait(t, first)
		testbed.Eventually(t, func() bool { return owner.registered.Load() == 0 },
			func() string { return fmt.Sprintf("%d are left", owner.registered.Load()) })
	}
}

// TestSteeringElsewhere is a message that answers an earlier one: it begins a
// branch, so it waits for the turn that runs and does not join it.
func TestSteeringElsewhere(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, says("one"), llmtest.Turn{Text: []string{"two"}, Hold: gate}, says("branch"))
	first, _ := h.ask(t, Prompt{Text: "a"})
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b"})
	reached(t, gate)
	branch := h.begin(t, Prompt{ConversationID: first.ConversationID, ParentID: first.AssistantMessageID, Text: "b, edited", WhileBusy: Steer})
	gate.Open()
	h.wait(t, second)
	h.wait(t, branch)
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b, edited (completed)", "assistant: branch (completed)"}
	if d := cmp.Diff(want, h.tree(t, first.ConversationID)); d != "" {
		t.Error(d)
	}
}

// TestSteeringAtTheVeryEnd sends a message when the turn takes no more messages but
// has not ended: it gets its own turn.
func TestSteeringAtTheVeryEnd(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("two"))
	first := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	if next := h.turns.nextSteer(first, true); next != nil { // as at the turn's end
		t.Fatalf("%+v", next)
	}
	second := h.begin(t, Prompt{ConversationID: first.ConversationID, Text: "b", WhileBusy: Steer})
	gate.Open()
	h.wait(t, first)
	if o := h.wait(t, second); o.Text != "two" || second.RequestID == first.RequestID {
		t.Errorf("%+v", o)
	}
}

// TestSteeringAnEmptyAnswer has a message join when the model has said nothing to
// the one before. Later turns send the same.
func TestSteeringAnEmptyAnswer(t *testing.T) {
	var h *harness
	steer := func(ctx context.Context, conversationID, text string) {
		if _, err := h.Start(ctx, Prompt{ConversationID: conversationID, Text: text, WhileBusy: Steer}); err != nil {
			t.Error(err)
		}
	}
	steering := tool("steering", func(ctx context.Context, env tools.Env, _ string) (any, error) {
		steer(ctx, env.Call().ConversationID, "b")
		return "", nil
	})
	gate := llmtest.NewGate()
	h = start(t, tools.NewSet(steering), nil, calls(call("x", "steering", "")), llmtest.Turn{Hold: gate}, says("three"), says("later"))
	turn := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	steer(t.Context(), turn.ConversationID, "c")
	gate.Open()
	h.wait(t, turn)
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "d"})
	checkPrefixes(t, h.server.Requests())
	want := []string{"user: b", "assistant: (no answer: completed)", "user: c", "assistant: three", "user: d"}
	if d := cmp.Diff(want, outline(h.server.Requests()[3])[4:]); d != "" {
		t.Error(d)
	}
}

// TestStoppedTurnDoesNotStart checks that a turn that was stopped in the queue never
// starts, even if the turn before it ends at the same moment.
func TestStoppedTurnDoesNotStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	turn := &Turn{ctx: ctx, first: make(chan struct{})}
	close(turn.first)
	if err := turn.waitUntilFirst(); err != nil {
		t.Errorf("the first in the queue: %v", err)
	}
	cancel()
	for range 50 { // a select picks at random
		if err := turn.waitUntilFirst(); !errors.Is(err, context.Canceled) {
			t.Fatalf("a stopped one: %v", err)
		}
	}
}
