package lsp_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

// TestAWorkspaceMayNotMoveAPersonToAnotherProvider names a model of another provider in the
// editor's settings, which a workspace can write. The person is asked once for the folder.
func TestAWorkspaceMayNotMoveAPersonToAnotherProvider(t *testing.T) {
	f := newFixture(t)
	endpoint := func(name string) string {
		url, _ := llmtest.NewEndpoint(t, map[string]string{"POST /chat/completions": fmt.Sprintf(
			"data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", name)})
		return url
	}
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil, `{"model": "local/m", "providers":
		{"local": {"type": "openai", "baseUrl": %q}, "paid": {"type": "openai", "baseUrl": %q}}}`, endpoint("local"), endpoint("paid")))}
	var asked atomic.Int32
	connect := func(live settings, answer string) *lsptest.Editor {
		e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()), Settings: live,
			OnPermission: func(_ context.Context, question string) string {
				if !strings.Contains(question, "paid/") {
					t.Errorf("the question is %q", question)
				}
				asked.Add(1)
				return answer
			}})
		e.AwaitIndex()
		return e
	}
	for _, step := range []struct {
		what         string
		live         settings
		answer, want string
		asked        int32
	}{
		{"another model of the same provider", settings{"model": "local/other"}, "allowOnce", "local", 0},
		{"a rejected model", settings{"model": "paid/m"}, "rejectOnce", "local", 1},
		{"a rejected fallback", settings{"fallback": "paid/m"}, "rejectOnce", "local", 2},
		{"an allowed model", settings{"model": "paid/m"}, "allowAlways", "paid", 3},
		{"a model that was allowed before", settings{"model": "paid/n"}, "", "paid", 3},
	} {
		e := connect(step.live, step.answer)
		e.Await("the question", func() bool { return asked.Load() >= step.asked })
		got := e.Ask("hello").Text
		for step.want == "paid" && got == "local" { // the answer is on its way
			got = e.Ask("hello").Text
		}
		if got != step.want {
			t.Errorf("%s: the answer is %q, want %q", step.what, got, step.want)
		}
		e.Shutdown()
		if n := asked.Load(); n != step.asked {
			t.Errorf("%s: the person was asked %d times, want %d", step.what, n, step.asked)
		}
	}
}
