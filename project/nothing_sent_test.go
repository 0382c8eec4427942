package project_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
)

// noNetwork fails a test at each request.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a request to %s", r.URL)
	return nil, errors.New("there is no network")
}

// openAlone opens a project for a folder with one file, whose index is ready.
func openAlone(t *testing.T, o project.Options) *project.Project {
	t.Helper()
	root := t.TempDir()
	text := "package greet\n\n// Hello greets.\nfunc Hello() {\n" + strings.Repeat("\tsay(word)\n", 12) + "}\n"
	if err := os.WriteFile(filepath.Join(root, "greet.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o.StateDir, o.Getenv = t.TempDir(), func(string) string { return "" }
	p, err := project.Open(t.Context(), o, []string{root}, &headless{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.AwaitIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWithoutConfigurationNothingIsSent asks for answers and for an edit, with no settings and no keys.
func TestWithoutConfigurationNothingIsSent(t *testing.T) {
	p := openAlone(t, project.Options{Settings: project.NewSettings(), HTTPClient: &http.Client{Transport: noNetwork{t}}})
	for _, text := range []string{"what does Hello do", "rename Hello to Greet in greet.go", "Bonjour !"} {
		transcript := start(t, p, text)
		result := transcript.Follow(t.Context(), transcript.From(0), func(project.Part) {})
		if result.StopReason != bus.StopDone {
			t.Errorf("%s: the turn ended %q", text, result.StopReason)
		}
	}
}

// TestKeptVectorsSendNoCode opens a folder as the command line and MCP do, which make no vectors, and then as an editor does.
func TestKeptVectorsSendNoCode(t *testing.T) {
	sentCode := func(keep bool) (*project.Project, *atomic.Bool) {
		server, sent := llmtest.NewEmbeddings(t, 8), &atomic.Bool{}
		server.Answer = func(_ int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
			if strings.Contains(strings.Join(r.Input, "\n"), "say(word)") {
				sent.Store(true)
			}
			return nil
		}
		settings := config.FromJSON("the test", fmt.Appendf(nil,
			`{"providers": {"home": {"type": "openai", "baseUrl": %q}}, "index": {"embeddings": {"provider": "home", "model": "m"}}}`,
			server.URL))
		return openAlone(t, project.Options{KeepVectors: keep, Settings: project.NewSettings(settings)}), sent
	}
	kept, ofKept := sentCode(true)
	answer, err := kept.NewToolClient(nil).Call(t.Context(), "request_code_context", []byte(`{"hint":"who greets"}`))
	if err != nil || !strings.Contains(answer.Text, "Hello") {
		t.Errorf("%v: %s", err, answer.Text)
	}
	_, ofEditor := sentCode(false)
	testbed.Eventually(t, ofEditor.Load, func() string { return "an editor's process sends no code" })
	if ofKept.Load() {
		t.Error("code is sent")
	}
}
