package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// gated has tools whose calls report that they have begun, and end when the test lets the call
// with their argument end. A read only reads; a change is a barrier; a stage is visible when it has
// begun and is stored at its end.
type gated struct {
	*tools.Set
	began chan string
	end   map[string]chan struct{}
}

func newGated(args ...string) *gated {
	g := &gated{began: make(chan string, 1000), end: map[string]chan struct{}{}}
	for _, arg := range args {
		g.end[arg] = make(chan struct{})
	}
	run := func(ctx context.Context, env tools.Env, arg string) (any, error) {
		g.began <- arg // before the next call may begin
		env.Visible()
		select {
		case <-g.end[arg]:
		case <-ctx.Done():
		}
		return arg, ctx.Err()
	}
	stage := changing("stage", run)
	stage.Class = tools.Staging
	change := changing("change", func(ctx context.Context, env tools.Env, arg string) (any, error) {
		if arg == "crash" {
			panic("scripted")
		}
		return run(ctx, env, arg)
	})
	g.Set = tools.NewSet(tool("read", run), change, stage)
	return g
}

// begin requires that exactly the calls with these arguments begin, in any order, unless more begin
// at once.
func (g *gated) begin(t *testing.T, args ...string) {
	t.Helper()
	var got []string
	for range args {
		got = append(got, testbed.Receive(t, g.began, "a call to begin"))
	}
	slices.Sort(got)
	if slices.Sort(args); !slices.Equal(got, args) {
		t.Fatalf("%v began, want %v", got, args)
	}
}

func (g *gated) finish(args ...string) {
	for _, arg := range args {
		close(g.end[arg])
	}
}

// named returns calls of the form "tool:argument".
func named(names ...string) (list []llmtest.Call) {
	for i, name := range names {
		tool, arg, _ := strings.Cut(name, ":")
		list = append(list, call(fmt.Sprint("c", i), tool, arg))
	}
	return list
}

// TestACallThatChangesSomethingIsABarrier lets the calls of a response end one by one. Whatever
// begins too early shows up in the place of another call.
func TestACallThatChangesSomethingIsABarrier(t *testing.T) {
	args := []string{"r1", "r2", "s1", "s2", "s3", "r3", "r4", "x1", "x2", "s4", "x3", "r5"}
	g := newGated(args...)
	h := start(t, g.Set, nil, calls(named("read:r1", "read:r2", "stage:s1", "stage:s2", "nonesuch:n", "stage:s3", "read:r3", "read:r4",
		"change:x1", "change:x2", "stage:s4", "change:x3", "read:r5")...), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	g.begin(t, "r1", "r2")
	await(h, func(e bus.ToolCallFailed) bool { return e.Name == "nonesuch" }) // it waits for nobody
	g.finish("r2")
	awaitEnd(h, "r2")
	g.finish("r1")
	for _, arg := range []string{"s1", "s2", "s3"} { // none of them is stored
		g.begin(t, arg)
	}
	g.finish("s3", "s1")
	awaitEnd(h, "s3")
	awaitEnd(h, "s1")
	g.finish("s2")
	g.begin(t, "r3", "r4")
	g.finish("r3", "r4")
	for _, arg := range []string{"x1", "x2", "s4", "x3", "r5"} {
		g.begin(t, arg)
		g.finish(arg)
	}
	h.wait(t, turn)
	var requested, started []int
	for _, e := range seen[bus.ToolCallRequested](h) {
		requested = append(requested, e.Seq)
	}
	if !slices.IsSorted(requested) || len(requested) != len(args)+1 {
		t.Errorf("requested: %v", requested)
	}
	for _, e := range seen[bus.ToolCallStarted](h) {
		var i int
		fmt.Sscanf(e.CallID, "c%d", &i)
		started = append(started, i)
	}
	slices.Sort(started[:2]) // they run side by side
	slices.Sort(started[5:7])
	if !slices.IsSorted(started) {
		t.Errorf("started: %v", started)
	}
	for i, c := range h.history(t, turn.ConversationID)[1].Calls {
		if c.CallID != fmt.Sprint("c", i) {
			t.Errorf("result %d is that of %s", i, c.CallID)
		}
	}
}

// awaitEnd waits until the call with an argument has ended.
func awaitEnd(h *harness, arg string) {
	await(h, func(e bus.ToolCallCompleted) bool { return strings.Contains(string(e.Content), fmt.Sprintf("%q", arg)) })
}

// TestReadsOfAResponseFillTheirWorkers counts how many of 50 reads run at once, before and after a
// change.
func TestReadsOfAResponseFillTheirWorkers(t *testing.T) {
	const reads = 50
	var inside gauge
	full := make(chan struct{}, 2*reads)
	release := make(chan struct{}, 2*reads)
	read := tool("read", func(context.Context, tools.Env, string) (any, error) {
		inside.enter()
		defer inside.now.Add(-1)
		full <- struct{}{}
		<-release
		return "", nil
	})
	var list []llmtest.Call
	for i := range reads {
		list = append(list, call(fmt.Sprint("a", i), "read", ""))
	}
	list = append(list, call("c", "change", ""))
	for i := range reads {
		list = append(list, call(fmt.Sprint("b", i), "read", ""))
	}
	change := changing("change", func(context.Context, tools.Env, string) (any, error) { return inside.now.Load(), nil })
	h := start(t, tools.NewSet(read, change), nil, calls(list...), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	for range 2 {
		for range shortWorkers {
			testbed.Receive(t, full, "a read to begin")
		}
		for range reads {
			release <- struct{}{}
		}
		for range reads - shortWorkers {
			testbed.Receive(t, full, "a read to begin")
		}
	}
	h.wait(t, turn)
	if n := inside.peak.Load(); n != shortWorkers {
		t.Errorf("%d reads ran at once; want %d", n, shortWorkers)
	}
	if c := h.history(t, turn.ConversationID)[1].Calls[reads]; !strings.Contains(string(c.Content), `"said":0`) {
		t.Errorf("reads ran beside the change: %s", c.Content)
	}
}

// TestCallsBehindABarrierWaitWithoutAWorkerOrAClock has more calls wait for a change than there are
// workers, for longer than their time limit: the change ends only by that limit. Calls of another
// turn run meanwhile.
func TestCallsBehindABarrierWaitWithoutAWorkerOrAClock(t *testing.T) {
	g := newGated("held", "other")
	names := []string{"change:held"}
	for i := range stagingWorkers + shortWorkers {
		arg := fmt.Sprint("s", i)
		g.end[arg] = make(chan struct{})
		close(g.end[arg])
		names = append(names, "stage:"+arg)
	}
	g.finish("other")
	h := start(t, g.Set, func(o *Options) { o.Limits.ToolTimeout = time.Second }, calls(named(names...)...), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	g.begin(t, "held")
	for i, name := range []string{"stage", "read", "change"} {
		ref := callRef(turn, fmt.Sprint("other", i), name)
		ref.RequestID = newID()
		h.bus.Publish(bus.ToolCallRequested{CallRef: ref, Arguments: []byte(`{"text":"other"}`)})
		g.begin(t, "other")
	}
	h.wait(t, turn)
	for i, c := range h.history(t, turn.ConversationID)[1].Calls {
		if want := map[bool]bus.Code{true: bus.CodeTimeout}[i == 0]; c.Code != want {
			t.Errorf("call %d: code %q %s; want %q", i, c.Code, c.Error, want)
		}
	}
}

// TestACallRunsAfterAChangeThatCrashedOrWasDenied has changes that fail before other calls.
func TestACallRunsAfterAChangeThatCrashedOrWasDenied(t *testing.T) {
	g := newGated("s", "r")
	g.finish("s", "r")
	ask := changing("ask", func(ctx context.Context, env tools.Env, arg string) (any, error) {
		return "did it", env.AskPermission(ctx, tools.Permission{Title: "ask", Key: arg})
	})
	set := tools.NewSet(append(g.All(), ask)...)
	h := start(t, set, permitted, calls(named("change:crash", "ask:paint", "stage:s", "ask:burn", "read:r")...), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	await(h, func(bus.PermissionAsked) bool { return true })
	if n := len(seen[bus.ToolCallStarted](h)); n != 2 {
		t.Errorf("%d calls have started while the user is asked; want 2", n)
	}
	h.answerNext(t, 0, RejectOnce)
	h.answerNext(t, 1, AllowOnce)
	g.begin(t, "s", "r")
	h.wait(t, turn)
	var codes []bus.Code
	for _, c := range h.history(t, turn.ConversationID)[1].Calls {
		codes = append(codes, c.Code)
	}
	if !slices.Equal(codes, []bus.Code{bus.CodePanic, bus.CodeDenied, "", "", ""}) {
		t.Errorf("%q", codes)
	}
}

// TestWaitingCallsOfAStoppedTurnNeverRun stops a turn while calls of each kind wait for a change.
func TestWaitingCallsOfAStoppedTurnNeverRun(t *testing.T) {
	g := newGated("held", "s1", "s2", "r", "x")
	h := start(t, g.Set, nil, calls(named("change:held", "stage:s1", "stage:s2", "read:r", "change:x")...))
	turn := h.begin(t, Prompt{Text: "go"})
	g.begin(t, "held")
	turn.Stop()
	h.wait(t, turn)
	testbed.Returns(t, h.dispatcher.life.invoked.Wait, "all tools to return")
	for i, c := range h.history(t, turn.ConversationID)[1].Calls {
		if c.Code != bus.CodeCancelled {
			t.Errorf("call %d: code %q", i, c.Code)
		}
	}
	if n := len(seen[bus.ToolCallStarted](h)); n != 1 || len(g.began) != 0 {
		t.Errorf("%d calls have started; want 1", n)
	}
}
