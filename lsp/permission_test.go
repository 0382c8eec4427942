package lsp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/tools"
)

// pendingPermission returns the id of the permission request in the latest message's turn.
func pendingPermission(e *lsptest.Editor) string {
	for _, p := range e.Parts() {
		if p.Type == ploke.PartPermission && p.Status == "asked" && p.Title == "Paint it red" && p.Detail == "all of it" {
			return p.ID
		}
	}
	return ""
}

func TestPermissionIsAnsweredLater(t *testing.T) {
	for answer, verdict := range map[string]string{"allowOnce": "granted", "rejectOnce": "denied"} {
		t.Run(answer, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			f.useModel(paintTurns()...)
			e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return string(ploke.PermissionLater) }})
			sent := sendAsync(e, t.Context(), ploke.ChatSendParams{Text: "paint"})
			e.Await("the question", func() bool { return pendingPermission(e) != "" })
			params := ploke.PermissionAnswerParams{ID: pendingPermission(e), Answer: ploke.PermissionAnswer(answer)}
			e.Call(ploke.MethodPermissionAnswer, params, nil)
			if r := <-sent; r.StopReason != ploke.StopDone {
				t.Errorf("%+v", r)
			}
			parts := e.Parts()
			settled := parts[len(parts)-1]
			for _, p := range parts {
				if p.Type == ploke.PartPermission {
					settled = p
				}
			}
			if settled.Status != verdict || settled.ID != params.ID {
				t.Errorf("%+v", settled)
			}
			if err := e.Error(ploke.MethodPermissionAnswer, params); !strings.Contains(err.Message, "open question") {
				t.Error(err)
			}
		})
	}
}

func TestStandingAnswerIsListedAndDeleted(t *testing.T) {
	for name, forget := range map[string]func(e *lsptest.Editor){
		"request": func(e *lsptest.Editor) {
			e.Call(ploke.MethodPermissionForget, ploke.PermissionForgetParams{Key: "paint"}, nil)
		},
		"command": func(e *lsptest.Editor) {
			e.Call(protocol.MethodWorkspaceExecuteCommand, map[string]any{
				"command": ploke.CommandPermissionForget, "arguments": []any{map[string]string{"key": "paint"}},
			}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			f.useModel(append(paintTurns(), paintTurns()...)...)
			asked := 0
			e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string {
				asked++
				return "rejectAlways"
			}})
			standing := func() []ploke.StandingPermission {
				var list ploke.PermissionListResult
				e.Call(ploke.MethodPermissionList, nil, &list)
				return list.Permissions
			}
			if got := standing(); len(got) != 0 {
				t.Errorf("before the first request: %+v", got)
			}
			e.Ask("paint")
			got := standing()
			if len(got) != 1 || got[0].Key != "paint" || got[0].Title != "Paint it red" || got[0].Allowed || got[0].Since.IsZero() {
				t.Errorf("%+v", got)
			}
			forget(e)
			if got := standing(); len(got) != 0 {
				t.Errorf("after deleting the answer: %+v", got)
			}
			if e.Ask("paint again"); asked != 2 {
				t.Errorf("asked %d times, want 2", asked)
			}
			err := e.Error(ploke.MethodPermissionForget, ploke.PermissionForgetParams{Key: "dance"})
			if !strings.Contains(err.Message, `"dance"`) {
				t.Error(err)
			}
		})
	}
}

// TestPermissionByCodeAction is about a client that can't ask the person. The actions go once the
// request is settled.
func TestPermissionByCodeAction(t *testing.T) {
	for name, answer := range map[string]func(t *testing.T, e *lsptest.Editor, path string){
		"painted": func(t *testing.T, e *lsptest.Editor, path string) {
			run(t, e, path, "package", "ploke: allow: Paint it red")
		},
		"denied": func(_ *testing.T, e *lsptest.Editor, _ string) {
			runCommand(e, ploke.CommandPermissionAnswer, `"reject"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			model := f.useModel(paintTurns()...)
			e := f.start(lsptest.Options{Capabilities: plain(withoutQuestions)})
			circle := f.path("shapes/circle.go")
			e.Open(circle)
			if err := e.Error(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandPermissionAnswer)); !strings.Contains(err.Message,
				"no permission is asked for") {
				t.Error(err)
			}
			sent := sendAsync(e, t.Context(), ploke.ChatSendParams{Text: "paint"})
			awaitLine(t, e, "Paint it red? Code actions in any file allow or reject it. all of it")
			if err := e.Error(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandPermissionAnswer)); !strings.Contains(err.Message,
				"always reject") {
				t.Error(err)
			}
			answer(t, e, circle)
			<-sent
			if result := fmt.Sprint(model.Requests()[1].Messages); !strings.Contains(result, name) {
				t.Errorf("the model gets %s", result)
			}
			for _, title := range titles(t, e, circle, "package") {
				if strings.Contains(title, "Paint") {
					t.Errorf("%q is still offered", title)
				}
			}
		})
	}
}

// TestExactlyThisIsAllowed answers so in each way, where a question has that answer, and where it does not.
func TestExactlyThisIsAllowed(t *testing.T) {
	for name, tt := range map[string]struct {
		options         lsptest.Options
		answer          string
		exact, remember string // keys
	}{
		"our client":       {lsptest.Options{}, "allowExact", "red", "red"},
		"a button":         {lsptest.Options{Capabilities: plain(nil)}, "Always allow exactly this", "red", "red"},
		"without its like": {lsptest.Options{}, "allowExact", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			paint := func(ctx context.Context, env tools.Env, _ struct{}) (tools.Result, error) {
				if err := env.AskPermission(ctx, tools.Permission{Title: "Paint", Detail: "red", Key: "paint",
					Exact: tools.ExactPermission{Title: "Paint it red", Key: tt.exact}}); err != nil {
					return tools.Result{}, err
				}
				return tools.OK(map[string]bool{"ok": true}, "painted")
			}
			f.extraTools = []*tools.Tool{tools.Define[asJSON]("paint", "paints", tools.Short, paint)}
			f.useModel(paintTurns()...)
			tt.options.OnPermission = func(context.Context, string) string { return tt.answer }
			e := f.start(tt.options)
			e.Ask("paint")
			granted := false
			for _, p := range e.Parts() {
				granted = granted || p.Type == ploke.PartPermission && p.Status == string(ploke.PermissionGranted)
				if p.Type == ploke.PartPermission && p.Status == string(ploke.PermissionAsked) && p.Exact != (tt.exact != "") {
					t.Errorf("the part: %+v", p)
				}
			}
			var standing ploke.PermissionListResult
			e.Call(ploke.MethodPermissionList, nil, &standing)
			remembered := ""
			for _, p := range standing.Permissions {
				remembered += p.Key
			}
			if !granted || remembered != tt.remember {
				t.Errorf("granted %v, standing %+v", granted, standing)
			}
		})
	}
}

// TestWhatIsNotShownWholeIsAnsweredOnce answers for always, in each way, what is not shown whole.
func TestWhatIsNotShownWholeIsAnsweredOnce(t *testing.T) {
	big := tools.Define[asJSON]("paint", "paints", tools.Short, func(ctx context.Context, env tools.Env, _ struct{}) (tools.Result, error) {
		if err := env.AskPermission(ctx, tools.Permission{Title: "Paint it red", Detail: "a … b", Key: "paint", OnlyOnce: true}); err != nil {
			return tools.Result{}, err
		}
		return tools.OK(map[string]bool{"ok": true}, "painted")
	})
	for name, tt := range map[string]struct {
		options lsptest.Options
		answer  string
		granted bool
	}{
		"our client":    {lsptest.Options{}, "allowAlways", true},
		"a button":      {lsptest.Options{Capabilities: plain(nil)}, "Always allow", false}, // there is none
		"another one":   {lsptest.Options{Capabilities: plain(nil)}, "Allow", true},
		"never by that": {lsptest.Options{Capabilities: plain(nil)}, "Always reject", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{big}
			f.useModel(paintTurns()...)
			tt.options.OnPermission = func(context.Context, string) string { return tt.answer }
			e := f.start(tt.options)
			e.Ask("paint")
			granted := false
			for _, p := range e.Parts() {
				granted = granted || p.Type == ploke.PartPermission && p.Status == string(ploke.PermissionGranted)
				if p.Type == ploke.PartPermission && p.Status == string(ploke.PermissionAsked) && !p.OnlyOnce {
					t.Errorf("the part does not say it: %+v", p)
				}
			}
			var standing ploke.PermissionListResult
			e.Call(ploke.MethodPermissionList, nil, &standing)
			if granted != tt.granted || len(standing.Permissions) > 0 {
				t.Errorf("granted %v, standing %+v", granted, standing)
			}
		})
	}
}
