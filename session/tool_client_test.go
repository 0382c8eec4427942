package session

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// keyed returns a tool whose result has a secret and what it was sent.
func keyed(secret string) *tools.Tool {
	type args struct {
		Text string `json:"text,omitempty" secrets:"named"`
		Note string `json:"note,omitempty"`
	}
	return tools.Define[asJSON]("keyed", "", tools.Short, func(_ context.Context, _ tools.Env, a args) (tools.Result, error) {
		return tools.OK(map[string]any{"ok": true, "line": "const token = \"" + secret + "\"", "text": a.Text, "note": a.Note}, "looked")
	})
}

func TestAToolClientGetsPlaceholdersAndSendsThem(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	h := start(t, tools.NewSet(keyed(secret)), nil)
	c := h.NewToolClient()
	first, err := c.Call(t.Context(), ToolRequest{Tool: "keyed"}, nil)
	if err != nil || first.Failed || strings.Contains(first.Text+string(first.Content), secret) {
		t.Fatalf("%+v, %v", first, err)
	}
	placeholder := first.Text[strings.Index(first.Text, "PLOKE_SECRET_"):][:len("PLOKE_SECRET_")+12]
	second, err := c.Call(t.Context(),
		ToolRequest{Tool: "keyed", Arguments: json.RawMessage(`{"text":"` + placeholder + `","note":"` + placeholder + `"}`)}, nil)
	if err != nil || strings.Contains(second.Text+string(second.Content), secret) {
		t.Fatalf("%+v, %v", second, err)
	}
	if got := strings.Count(string(second.Content), placeholder); got != 3 {
		t.Errorf("%d placeholders in %s", got, second.Content)
	}
	other, err := h.NewToolClient().Call(t.Context(),
		ToolRequest{Tool: "keyed", Arguments: json.RawMessage(`{"text":"` + placeholder + `"}`)}, nil)
	if err != nil || !other.Failed {
		t.Errorf("a placeholder of another client: %+v, %v", other, err)
	}
}

// dialed is the content of a tool whose JSON has a line that names a password, and whose text has the password alone.
type dialed struct {
	OK   bool   `json:"ok"`
	Line string `json:"line"`
}

func (c dialed) Text(w *wording.Writer) {
	w.Line("dial(" + strings.Split(c.Line, "'")[1] + ") was called")
}

// TestWhatOnlyTheJSONShowsIsHiddenInTheTextToo has a rendering in which no rule finds the password.
func TestWhatOnlyTheJSONShowsIsHiddenInTheTextToo(t *testing.T) {
	dialing := tools.Define[dialed]("dialing", "", tools.Short, func(context.Context, tools.Env, struct{}) (tools.Result, error) {
		return tools.OK(dialed{OK: true, Line: "password = '" + password + "'"}, "dialed")
	})
	h := start(t, tools.NewSet(dialing), nil)
	a, err := h.NewToolClient().Call(t.Context(), ToolRequest{Tool: "dialing"}, nil)
	if err != nil || a.Failed {
		t.Fatalf("%+v, %v", a, err)
	}
	hidden := placeholder.FindString(string(a.Content))
	if hidden == "" || strings.Contains(string(a.Content), password) || strings.TrimSpace(a.Text) != "dial("+hidden+") was called" {
		t.Errorf("the text is %q, the content %s", a.Text, a.Content)
	}
}

func TestAToolClientIsNeverPermittedAnything(t *testing.T) {
	asking := tools.Define[asJSON]("asking", "", tools.Short, func(ctx context.Context, env tools.Env, _ struct{}) (tools.Result, error) {
		return tools.Result{}, env.AskPermission(ctx, tools.Permission{Title: "do it", Key: "k"})
	})
	h := start(t, tools.NewSet(asking), nil)
	a, err := h.NewToolClient().Call(t.Context(), ToolRequest{Tool: "asking"}, nil)
	if err != nil || !a.Failed || !strings.Contains(a.Text, "permit") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAToolClientSurvivesItsTools(t *testing.T) {
	ended := make(chan struct{})
	panicking := tools.Define[asJSON]("panicking", "", tools.Short,
		func(context.Context, tools.Env, struct{}) (tools.Result, error) { panic("oh") })
	hanging := tools.Define[asJSON]("hanging", "", tools.Short, func(ctx context.Context, _ tools.Env, _ struct{}) (tools.Result, error) {
		<-ctx.Done()
		close(ended)
		return tools.Result{}, ctx.Err()
	})
	h := start(t, tools.NewSet(panicking, hanging), nil)
	c := h.NewToolClient()
	if a, err := c.Call(t.Context(), ToolRequest{Tool: "panicking"}, nil); err != nil || !a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := c.Call(t.Context(), ToolRequest{Tool: "missing"}, nil); err == nil {
		t.Error("a tool that does not exist was called")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.Call(ctx, ToolRequest{Tool: "hanging"}, nil)
		done <- err
	}()
	await(h, func(e bus.ToolCallStarted) bool { return e.Name == "hanging" })
	cancel()
	if err := testbed.Receive(t, done, "the cancelled call"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	testbed.Receive(t, ended, "the end of the tool")
}
