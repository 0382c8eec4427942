package lsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

func withoutQuestions(c *protocol.ClientCapabilities) { c.Window.ShowMessage = nil }

// runCommand runs a command as a person types it.
func runCommand(e *lsptest.Editor, name string, arguments ...string) {
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(name, arguments...), nil)
}

// startTurns starts answers that don't end, and returns their conversations by title.
func startTurns(f *fixture, e *lsptest.Editor, questions ...string) map[string]string {
	e.Open(f.path("shapes/circle.go"))
	conversations := map[string]string{}
	for _, q := range questions {
		var started ploke.TurnStarted
		e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandAsk, `{"text":"`+q+`"}`), &started)
		conversations[q] = started.ConversationID
	}
	return conversations
}

// awaitCancelled waits until the latest answer of a conversation is stopped.
func awaitCancelled(t *testing.T, e *lsptest.Editor, conversation string) {
	t.Helper()
	testbed.Eventually(t, func() bool { return strings.Contains(strings.Join(history(e, conversation), ""), "(cancelled)") },
		func() string { return "the answer was not stopped" })
}

func expectPending(t *testing.T, e *lsptest.Editor, conversation string) {
	t.Helper()
	if got := strings.Join(history(e, conversation), ""); !strings.Contains(got, "(pending)") {
		t.Errorf("the other conversation has %s", got)
	}
}

func TestStopWithoutArguments(t *testing.T) {
	f := newFixture(t)
	f.useEndlessModel()
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	runCommand(e, ploke.CommandChatStop)
	awaitLine(t, e, "no answer is being written")
	conversations := startTurns(f, e, "Hum")
	runCommand(e, ploke.CommandChatStop)
	awaitCancelled(t, e, conversations["Hum"])
}

// TestStopOneOfSeveral asks which answer is meant, and stops no other one.
func TestStopOneOfSeveral(t *testing.T) {
	f := newFixture(t)
	f.useEndlessModel()
	answers := make(chan string, 1)
	e := f.start(lsptest.Options{Capabilities: plain(nil), OnPermission: func(_ context.Context, question string) string {
		if question != "ploke: which answer do you want to stop?" {
			t.Errorf("the question is %q", question)
		}
		return <-answers
	}})
	conversations := startTurns(f, e, "Hum", "Sing")
	answers <- "" // dismisses the question
	runCommand(e, ploke.CommandChatStop)
	answers <- `stop "Hum"`
	runCommand(e, ploke.CommandChatStop)
	awaitCancelled(t, e, conversations["Hum"])
	expectPending(t, e, conversations["Sing"])
}

// TestStopOneOfSeveralByCodeAction is about a client that can't ask. The actions go once the
// command runs again.
func TestStopOneOfSeveralByCodeAction(t *testing.T) {
	f := newFixture(t)
	f.useEndlessModel()
	e := f.start(lsptest.Options{Capabilities: plain(withoutQuestions)})
	conversations := startTurns(f, e, "Hum", "Sing")
	circle := f.path("shapes/circle.go")
	offered := func() (n int) {
		for _, title := range titles(t, e, circle, "package") {
			if strings.HasPrefix(title, "ploke: stop") {
				n++
			}
		}
		return n
	}
	if n := offered(); n != 0 {
		t.Errorf("%d actions were offered before the command", n)
	}
	runCommand(e, ploke.CommandChatStop)
	awaitLine(t, e, "The code actions in any file list them")
	if n := offered(); n != 2 {
		t.Errorf("%d actions are offered, want 2", n)
	}
	run(t, e, circle, "package", `ploke: stop "Sing"`)
	awaitCancelled(t, e, conversations["Sing"])
	expectPending(t, e, conversations["Hum"])
	if n := offered(); n != 0 {
		t.Errorf("%d actions are offered after the choice", n)
	}
}

// TestForgetWithoutArguments takes back one of two standing answers, and then the other one.
func TestForgetWithoutArguments(t *testing.T) {
	for name, tt := range map[string]struct {
		capabilities *protocol.ClientCapabilities
		permit       func(t *testing.T, e *lsptest.Editor, path string)
		choose       func(t *testing.T, e *lsptest.Editor, path string)
	}{
		"by a question": {plain(nil), nil, func(*testing.T, *lsptest.Editor, string) {}},
		"by a code action": {plain(withoutQuestions), permitByActions, func(t *testing.T, e *lsptest.Editor, path string) {
			awaitLine(t, e, "which answer do you want to take back?")
			run(t, e, path, "package", "ploke: always allow: Paint it red")
		}},
		"by words": {plain(nil), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool(), danceTool()}
			f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "p", Name: "paint", Arguments: "{}"}, {ID: "d", Name: "dance", Arguments: "{}"}}}, llmtest.Turn{Text: []string{"done"}})
			e := f.start(lsptest.Options{Capabilities: tt.capabilities, OnPermission: answerStanding})
			e.Open(f.path("shapes/circle.go"))
			asked := sendAsync(e, t.Context(), ploke.ChatSendParams{Text: "paint and dance"})
			if tt.permit != nil {
				tt.permit(t, e, f.path("shapes/circle.go"))
			}
			<-asked
			awaitStanding(t, e, "dance", "paint")
			if tt.choose == nil {
				runCommand(e, ploke.CommandPermissionForget, `"paint"`)
			} else {
				runCommand(e, ploke.CommandPermissionForget)
				tt.choose(t, e, f.path("shapes/circle.go"))
			}
			awaitStanding(t, e, "dance")
			runCommand(e, ploke.CommandPermissionForget)
			awaitLine(t, e, "no longer: always reject: Dance")
			awaitStanding(t, e)
			runCommand(e, ploke.CommandPermissionForget)
			awaitLine(t, e, "you have given no answer for always")
		})
	}
}

// permitByActions gives the answers of answerStanding.
func permitByActions(t *testing.T, e *lsptest.Editor, path string) {
	for _, title := range []string{"ploke: always allow: Paint it red", "ploke: always reject: Dance"} {
		awaitAction(t, e, path, "package", title)
		run(t, e, path, "package", title)
	}
}

// danceTool asks for permission to dance.
func danceTool() *tools.Tool {
	return tools.Define[asJSON]("dance", "dances", tools.Short, func(ctx context.Context, env tools.Env, _ struct{}) (tools.Result, error) {
		if err := env.AskPermission(ctx, tools.Permission{Title: "Dance", Key: "dance"}); err != nil {
			return tools.Result{}, err
		}
		return tools.OK(map[string]bool{"ok": true}, "danced")
	})
}

// answerStanding allows to paint and rejects to dance, always, and takes back the first.
func answerStanding(_ context.Context, question string) string {
	switch {
	case strings.HasPrefix(question, "ploke: Paint"):
		return "Always allow"
	case strings.HasPrefix(question, "ploke: Dance"):
		return "Always reject"
	}
	return "always allow: Paint it red"
}

// awaitStanding waits until the standing answers have exactly these keys.
func awaitStanding(t *testing.T, e *lsptest.Editor, keys ...string) {
	t.Helper()
	var got []string
	testbed.Eventually(t, func() bool {
		var list ploke.PermissionListResult
		e.Call(ploke.MethodPermissionList, nil, &list)
		got = nil
		for _, p := range list.Permissions {
			got = append(got, p.Key)
		}
		return slices.Equal(got, keys)
	}, func() string { return fmt.Sprintf("the standing answers are %q, want %q", got, keys) })
}
