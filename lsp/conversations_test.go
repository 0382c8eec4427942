package lsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// sendAsync sends a message. The returned channel receives the result of the turn.
func sendAsync(e *lsptest.Editor, ctx context.Context, p ploke.ChatSendParams) <-chan *ploke.ChatSendResult {
	sent := make(chan *ploke.ChatSendResult, 1)
	go func() { sent <- e.Send(ctx, p) }()
	return sent
}

// askByCommand starts a turn that no request waits for.
func askByCommand(e *lsptest.Editor, conversationID, text string) (turnID string) {
	var started ploke.TurnStarted
	e.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: ploke.CommandAsk,
		Arguments: []protocol.LSPAny{protocol.LSPAny(fmt.Sprintf(`{"text":%q,"conversationId":%q}`, text, conversationID))}}, &started)
	return started.TurnID
}

// newConversation creates an empty conversation and returns its id.
func newConversation(e *lsptest.Editor) string {
	var c ploke.ChatCreateResult
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{}, &c)
	return c.ConversationID
}

// history returns role, text and status of each message of a conversation.
func history(e *lsptest.Editor, id string) []string {
	var h ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: id}, &h)
	var out []string
	for _, m := range h.Messages {
		out = append(out, fmt.Sprintf("%s: %s (%s)", m.Role, m.Text, m.Status))
	}
	return out
}

// awaitMessages waits until a conversation has this many messages.
func awaitMessages(t *testing.T, e *lsptest.Editor, id string, n int) {
	t.Helper()
	var got []string
	testbed.Eventually(t, func() bool { got = history(e, id); return len(got) >= n },
		func() string { return fmt.Sprintf("the conversation has %q, want %d messages", got, n) })
}

func TestMessagesWhileATurnRuns(t *testing.T) {
	for _, tt := range []struct {
		whileBusy string
		turns     int
	}{{"queue", 2}, {"steer", 1}} {
		t.Run(tt.whileBusy, func(t *testing.T) {
			f := newFixture(t)
			gate := llmtest.NewGate()
			f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"two"}})
			e := f.startIndexed()
			id := newConversation(e)
			first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
			<-gate.Reached()
			second := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b", WhileBusy: ploke.WhileBusy(tt.whileBusy)})
			awaitMessages(t, e, id, 4)
			gate.Open()
			one, two := <-first, <-second
			want := []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant: two (completed)"}
			if d := cmp.Diff(want, history(e, id)); d != "" {
				t.Error(d)
			}
			if one.MessageID == two.MessageID || one.AssistantMessageID == two.AssistantMessageID {
				t.Errorf("%+v\n%+v", one, two)
			}
			if tt.turns == 2 && (one.TurnID == two.TurnID || one.Text != "one" || two.Text != "two") {
				t.Errorf("%+v\n%+v", one, two)
			}
			if tt.turns == 1 && (one.TurnID != two.TurnID || one.Text != "one\n\ntwo" || two.Text != one.Text) {
				t.Errorf("%+v\n%+v", one, two)
			}
		})
	}
	e := newFixture(t).startIndexed()
	if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "x", WhileBusy: "push"}); !strings.Contains(err.Message,
		"queue or steer") {
		t.Error(err)
	}
}

// TestAMessageThatSteersIsAcknowledged sends two messages with the same text. Each hears that it is stored while the
// answer that it waits for is held, and under its own id that it has joined.
func TestAMessageThatSteersIsAcknowledged(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"two"}}, llmtest.Turn{Text: []string{"three"}})
	e := f.startIndexed()
	id := newConversation(e)
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	about := func(token string) (parts []string) {
		for _, p := range e.Progress(token) {
			if p.Part.Type == ploke.PartSteering || p.Part.Type == ploke.PartUserMessage {
				parts = append(parts, fmt.Sprintf("%s %s", p.Part.Type, p.Part.ID))
			}
		}
		return parts
	}
	var sent []<-chan *ploke.ChatSendResult
	tokens := []string{"steers-1", "steers-2"}
	for _, token := range tokens {
		sent = append(sent, sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b", WhileBusy: "steer",
			PartialResultToken: ploke.Token(fmt.Sprintf("%q", token))}))
		e.Await("the answer to "+token, func() bool { return len(about(token)) == 1 })
	}
	gate.Open()
	<-first
	for i, token := range tokens {
		result := <-sent[i]
		own := func(part string) bool { return strings.HasSuffix(part, result.MessageID) }
		parts := slices.DeleteFunc(about(token), func(part string) bool { return !own(part) })
		want := []string{"steering " + result.MessageID, "userMessage " + result.MessageID}
		if d := cmp.Diff(want, parts); d != "" {
			t.Error(d)
		}
	}
}

func TestSteeredAnswerThatBrokeOffIsReplaced(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate},
		llmtest.Turn{Text: []string{"half of t"}, Cut: true}, llmtest.Turn{Text: []string{"two"}})
	e := f.startIndexed()
	id := newConversation(e)
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	second := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b", WhileBusy: "steer"})
	awaitMessages(t, e, id, 4)
	gate.Open()
	result := <-first
	<-second
	var all ploke.ChatAttachResult
	e.Call(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: result.TurnID}, &all)
	var answers []string // before the message that steered, and after it
	text := ""
	for _, p := range all.Events {
		switch {
		case p.Type == ploke.PartUserMessage:
			answers, text = append(answers, text), ""
		case p.Type == ploke.PartMessage && p.Replace:
			text = p.Text
		case p.Type == ploke.PartMessage:
			text += p.Text
		}
	}
	answers = append(answers, text)
	if d := cmp.Diff([]string{"one", "two"}, answers); d != "" || result.Text != "one\n\ntwo" {
		t.Errorf("%s the result is %q", d, result.Text)
	}
}

// permissionTool returns a tool that asks for permission.
func permissionTool() *tools.Tool {
	return tools.Define[asJSON]("paint", "paints", tools.Short, func(ctx context.Context, env tools.Env, _ struct{}) (tools.Result, error) {
		if err := env.AskPermission(ctx, tools.Permission{Title: "Paint it red", Detail: "all of it", Key: "paint"}); err != nil {
			return tools.Result{}, err
		}
		return tools.OK(map[string]bool{"ok": true}, "painted")
	})
}

// paintTurns returns the turns of a model that calls the permission tool once.
func paintTurns() []llmtest.Turn {
	return []llmtest.Turn{{Calls: []llmtest.Call{{ID: "p", Name: "paint", Arguments: "{}"}}}, {Text: []string{"done"}}}
}

func TestPermissionIsAskedInTheEditor(t *testing.T) {
	t.Parallel()
	plain := lsptest.Capabilities()
	plain.Experimental = nil
	for _, tt := range []struct {
		name, answer string
		capabilities *protocol.ClientCapabilities
		granted      bool
		asked        int // in two turns
	}{
		{"once", "allowOnce", nil, true, 2},
		{"always", "allowAlways", nil, true, 1},
		{"rejected", "rejectOnce", nil, false, 2},
		{"always rejected", "rejectAlways", nil, false, 1},
		{"not understood", "maybe", nil, false, 2},
		{"in a message", "Allow", plain, true, 2},
		{"always in a message", "Always allow", plain, true, 1},
		{"no answer to a message", "", plain, false, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			server := f.useModel(append(paintTurns(), paintTurns()...)...)
			var e *lsptest.Editor
			asked := 0
			e = f.start(lsptest.Options{Capabilities: tt.capabilities, OnPermission: func(_ context.Context, question string) string {
				asked++
				if !strings.Contains(question, "Paint it red") {
					t.Errorf("the question is %q", question)
				}
				e.Call(ploke.MethodChatList, nil, &ploke.ChatListResult{}) // the server handles requests meanwhile
				return tt.answer
			}})
			e.Ask("paint")
			e.Ask("paint again")
			if asked != tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
			for _, i := range []int{1, 3} {
				r := server.Requests()[i]
				result := r.Messages[indexOfTool(&r, 0)].Content
				if got := strings.Contains(result, `"ok":true`); got != tt.granted ||
					!got && !strings.HasPrefix(result, "error: the user did not permit it") {
					t.Errorf("the tool's result is %s", result)
				}
			}
		})
	}
}

func TestAStoppedTurnCancelsItsPermissionRequest(t *testing.T) {
	f := newFixture(t)
	f.extraTools = []*tools.Tool{permissionTool()}
	f.useModel(paintTurns()[0])
	asked, cancelled := make(chan struct{}), make(chan struct{})
	e := f.start(lsptest.Options{OnPermission: func(ctx context.Context, _ string) string {
		close(asked)
		<-ctx.Done()
		close(cancelled)
		return "allowOnce"
	}})
	ctx, cancel := context.WithCancel(t.Context())
	sent := sendAsync(e, ctx, ploke.ChatSendParams{Text: "paint"})
	<-asked
	cancel()
	if r := <-sent; r.StopReason != ploke.StopCancelled {
		t.Errorf("%+v", r)
	}
	<-cancelled
}

func TestAttachToATurnThatHasEnded(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"The ", "beginning"}}, llmtest.Turn{Text: []string{"x"}})
	e := f.startIndexed()
	result := e.Ask("talk")
	var attached ploke.ChatAttachResult
	e.Call(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: result.TurnID}, &attached)
	last := attached.Events[len(attached.Events)-1]
	if last.Type != ploke.PartTurnFinished || last.Result.Text != "The beginning" || last.TurnID != result.TurnID ||
		last.ConversationID != result.ConversationID {
		t.Errorf("%+v", last)
	}
	next := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: result.ConversationID, Text: "more"})
	e.Call(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: next.TurnID}, &attached)
	if attached.Events[0].Seq != last.Seq+1 {
		t.Errorf("the parts of the next turn begin with %d, want the number after %d", attached.Events[0].Seq, last.Seq)
	}
	if err := e.Error(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: "nonesuch"}); !strings.Contains(err.Message, "history") {
		t.Error(err)
	}
}

// TestAttachToARunningTurn attaches to a turn that a command started, and to one that a
// request started.
func TestAttachToARunningTurn(t *testing.T) {
	for _, byCommand := range []bool{true, false} {
		t.Run(fmt.Sprintf("by command %v", byCommand), func(t *testing.T) {
			f := newFixture(t)
			gate := llmtest.NewGate()
			f.useModel(llmtest.Turn{Text: []string{"The ", "beginning"}, Hold: gate, Calls: []llmtest.Call{{ID: "l", Name: "list_dir", Arguments: "{}"}}},
				llmtest.Turn{Text: []string{"and the end"}})
			e := f.startIndexed()
			id := newConversation(e)
			var turnID string
			if byCommand {
				turnID = askByCommand(e, id, "talk")
			} else {
				sent := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "talk"})
				defer func() { <-sent }()
			}
			<-gate.Reached()
			var h ploke.ChatHistoryResult
			e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: id}, &h)
			if turnID == "" {
				turnID = h.Messages[1].TurnID
			}
			var attached ploke.ChatAttachResult
			e.Call(ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: turnID}, &attached)
			gate.Open()
			awaitTurn(t, e, turnID)
			sent := slices.DeleteFunc(e.Events(), func(ev ploke.Event) bool { return ev.TurnID != turnID })
			// The events of a turn by command may go out from its start, whether or not it is attached.
			all := append(slices.DeleteFunc(attached.Events, func(ev ploke.Event) bool { return ev.Seq >= sent[0].Seq }), sent...)
			text, seq := "", 0
			for _, ev := range all {
				if ev.Seq <= seq {
					t.Errorf("part %d came after part %d", ev.Seq, seq)
				}
				seq = ev.Seq
				if ev.Type == ploke.PartMessage {
					text += ev.Text
				}
			}
			if text != "The beginning\n\nand the end" || all[0].Type != ploke.PartTurnStarted {
				t.Errorf("%q in %+v", text, all)
			}
		})
	}
}

func TestConversationsAreFoundRenamedExportedAndDeleted(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"A Größe of <code=\"" + f.path("shapes/rect.go") + "\" #4:4>\ntype Rect struct{ Width, Height float64 }\n</code>\n"}}, llmtest.Turn{Text: []string{"other"}})
	e := f.startIndexed()
	sized := e.Ask("how is größe measured?")
	e.Ask("something else")
	e.Call(ploke.MethodChatRename, ploke.ChatRenameParams{ConversationID: sized.ConversationID, Title: "Sizes"}, nil)
	find := func(query string) (out []string) {
		var found ploke.ChatSearchResult
		e.Call(ploke.MethodChatSearch, ploke.ChatSearchParams{Query: query}, &found)
		for _, r := range found.Results {
			out = append(out, fmt.Sprintf("%s/%s: %s", r.Title, r.Role, strings.SplitN(r.Excerpt, " of ", 2)[0]))
		}
		return out
	}
	if d := cmp.Diff([]string{"Sizes/assistant: A Größe", "Sizes/user: how is größe measured?"}, find("GRÖßE")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"Sizes/: Sizes"}, find("sizes")); d != "" {
		t.Error(d)
	}
	var exported ploke.ChatExportResult
	e.Call(ploke.MethodChatExport, ploke.ChatExportParams{ConversationID: sized.ConversationID}, &exported)
	for _, want := range []string{"# Sizes\n", "## You · ", "how is größe measured?", "scripted/model · ", "```go\ntype Rect"} {
		if !strings.Contains(exported.Markdown, want) {
			t.Errorf("no %q in:\n%s", want, exported.Markdown)
		}
	}
	e.Call(ploke.MethodChatDelete, ploke.ChatDeleteParams{ConversationID: sized.ConversationID}, nil)
	if found := find("größe"); len(found) > 0 {
		t.Errorf("a deleted conversation is found: %v", found)
	}
	if err := e.Error(ploke.MethodChatExport, ploke.ChatExportParams{ConversationID: sized.ConversationID}); !strings.Contains(err.Message,
		"no conversation") {
		t.Error(err)
	}
}

func TestEditingAnEarlierMessageBeginsABranch(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"one"}}, llmtest.Turn{Text: []string{"two"}}, llmtest.Turn{Text: []string{"two, edited"}})
	e := f.startIndexed()
	first := e.Ask("a")
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: first.ConversationID, Text: "b"})
	edited := e.Send(t.Context(),
		ploke.ChatSendParams{ConversationID: first.ConversationID, ParentID: first.AssistantMessageID, Text: "b, edited"})
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b, edited (completed)", "assistant: two, edited (completed)"}
	if d := cmp.Diff(want, history(e, first.ConversationID)); d != "" || edited.Text != "two, edited" {
		t.Error(d)
	}
}

// TestAnInterruptedTurnGoesOn ends the server in the middle of an answer. The next server
// shows the turn as interrupted, and sends the partial answer with the next message.
func TestAnInterruptedTurnGoesOn(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	server := f.useModel(
		llmtest.Turn{Text: []string{"First a look."}, Calls: []llmtest.Call{{ID: "l", Name: "list_dir", Arguments: `{}`}}},
		llmtest.Turn{Text: []string{"Half of"}, Hold: gate},
		llmtest.Turn{Text: []string{"the answer."}},
	)
	var id string
	t.Run("before", func(t *testing.T) {
		f.t = t
		e := f.startIndexed()
		id = newConversation(e)
		askByCommand(e, id, "talk")
		e.Await("half of the answer", func() bool {
			events := e.Events()
			return len(events) > 0 && strings.HasSuffix(events[len(events)-1].Text, "Half of")
		})
	}) // the server ends with the subtest
	f.t = t
	e := f.startIndexed()
	want := []string{"user: talk (completed)", "assistant: First a look.\n\nHalf of (interrupted)"}
	if d := cmp.Diff(want, history(e, id)); d != "" {
		t.Error(d)
	}
	next := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "go on"})
	if next.Text != "the answer." || next.StopReason != ploke.StopDone {
		t.Errorf("%+v", next)
	}
	var sent []string
	for _, m := range server.Requests()[2].Messages[1:4] {
		sent = append(sent, m.Role)
	}
	half, last := server.Requests()[2].Messages[4], server.Requests()[2].Last()
	if d := cmp.Diff([]string{"user", "assistant", "tool"}, sent); d != "" || strings.TrimSpace(half.Content) != "Half of" || !strings.HasSuffix(last.Content, "go on") {
		t.Errorf("%s, then %q and %q", d, half.Content, last.Content)
	}
}

// TestAListSaysWhichConversationsWantThePerson: one that runs, one that waits for a permission, and one that has failed.
func TestAListSaysWhichConversationsWantThePerson(t *testing.T) {
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "c1", Name: "run_check", Arguments: `{"name":"hello"}`}}},
		llmtest.Turn{Text: []string{"done"}})
	f.Config = append(f.Config, config.FromJSON("the test", []byte(`{"checks": {"hello": {"command": ["true"]}}}`)))
	asked, answer := make(chan struct{}), make(chan string)
	options := lsptest.Options{Capabilities: lsptest.Capabilities(), OnPermission: func(context.Context, string) string {
		close(asked)
		return <-answer
	}}
	e := f.start(options)
	e.AwaitIndex()
	state := func(id string) ploke.ConversationState {
		t.Helper()
		var list ploke.ChatListResult
		e.Call(ploke.MethodChatList, nil, &list)
		for _, c := range list.Conversations {
			if c.ID == id {
				return c.State
			}
		}
		t.Fatalf("%s is not in %+v", id, list)
		return ""
	}
	check := func(what, id string, want ploke.ConversationState) {
		t.Helper()
		if got := state(id); got != want {
			t.Errorf("the state %s is %q, want %q", what, got, want)
		}
	}
	first, second := newConversation(e), newConversation(e)
	check("of an empty conversation", first, "")
	ended := make(chan *ploke.ChatSendResult, 1)
	go func() { ended <- e.Send(t.Context(), ploke.ChatSendParams{ConversationID: first, Text: "check it"}) }()
	<-asked
	check("while a permission is asked for", first, ploke.ConversationWaiting)
	check("of another conversation", second, "")
	answer <- string(ploke.PermissionRejectOnce)
	<-ended
	check("after the answer", first, "")
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: second, Text: "hello", Model: "nobody/nothing"})
	check("after a failure", second, ploke.ConversationFailed)
}
