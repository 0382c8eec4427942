package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

type settings = map[string]any

// awaitMessage waits for a message that holds all the words.
func awaitMessage(e *lsptest.Editor, words ...string) {
	e.Await("a message with "+strings.Join(words, ", "), func() bool {
		for _, m := range e.Messages() {
			held := true
			for _, w := range words {
				held = held && strings.Contains(m.Message, w)
			}
			if held {
				return true
			}
		}
		return false
	})
}

func TestMistakesInSettingsAreSaidAndTheRestTaken(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"fine"}})
	f.Config[0].Values["limits"] = settings{"turnRequests": 3.0, "retrys": 1.0}
	e := f.start(lsptest.Options{InitializationOptions: settings{
		"modle": "embedded", "index": settings{"exclude": []string{"*.py"}}, "clientCapabilities": settings{}, "trace": settings{"server": "off"},
	}})
	awaitMessage(e, "initializationOptions: modle:", "the nearest is model")
	awaitMessage(e, "the test: limits.retrys:", "the nearest is limits.retries")
	e.AwaitIndex()
	if e.Finds("report") {
		t.Error("what the settings exclude is indexed")
	}
	if result := e.Ask("hello"); result.Text != "fine" || len(server.Requests()) != 1 {
		t.Errorf("the server does not work with a mistake in its settings: %+v", result)
	}
	if n := len(e.Messages()); n != 2 {
		t.Errorf("%d messages, not 2: %v", n, e.Messages())
	}
}

// TestSettingsChangeWhileTheServerRuns sends them in each of the ways that
// editors have.
func TestSettingsChangeWhileTheServerRuns(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}}, llmtest.Turn{Text: []string{"scripted"}})
	e := f.startIndexed()
	answers := func(want string) {
		t.Helper()
		if got := e.Ask("write a poem").Text; !strings.Contains(got, want) {
			t.Errorf("the answer is %q, not of the model that says %q", got, want)
		}
	}
	push := func(v any) {
		e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, settings{"settings": v})
	}
	answers("scripted")
	push(settings{"ploke": settings{"model": "embedded"}})
	answers("not a language model")
	push(settings{"gopls": settings{"model": "none"}}) // another server's
	answers("not a language model")
	push(settings{"ploke": settings{}}) // taken back
	answers("scripted")
	push(settings{"model": "embedded"}) // a client that has nothing but ours
	answers("not a language model")
	push(settings{"ploke": settings{"index": settings{"exclude": []string{"*.py"}}, "model": "embedded"}})
	e.Await("the file to leave the index", func() bool { return !e.Finds("report") })
	if !e.Finds("Circle") {
		t.Error("the rest has left the index too")
	}
	for range 2 { // the same mistake is said once
		push(settings{"ploke": settings{"limits": settings{"turnRequest": 3}}})
	}
	awaitMessage(e, "limits.turnRequest:", "the nearest is limits.turnRequests")
	e.Call(ploke.MethodChatList, nil, nil) // answered after all that was sent before
	if n := len(e.Messages()); n != 1 {
		t.Errorf("%d messages, not 1: %v", n, e.Messages())
	}
}

// TestEditorIsAskedForSettings has one that answers workspace/configuration.
func TestEditorIsAskedForSettings(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}})
	e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()), Settings: settings{"model": "embedded", "serverPath": "x"}})
	// Asked at once: the turn waits for the editor's answer.
	if got := e.Ask("write a poem").Text; !strings.Contains(got, "not a language model") {
		t.Errorf("the editor's model was not asked: %s", got)
	}
	e.SetSettings(settings{"model": "scripted/model", "limits": settings{"toolTimeuot": 1}})
	awaitMessage(e, "limits.toolTimeuot") // so they are in force
	if got := e.Ask("write a poem").Text; got != "scripted" {
		t.Errorf("the changed settings do not count: %s", got)
	}
}

// TestWorkspaceSettingsSendNothingElsewhere has a workspace's own settings name
// an endpoint, as workspace/configuration may carry them.
func TestWorkspaceSettingsSendNothingElsewhere(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}})
	evil := llmtest.NewServer(t) // fails the test when it is asked
	run := f.path("ran")
	e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()), Settings: settings{
		"providers": settings{"scripted": settings{"baseUrl": evil.URL, "apiKeyCommand": []string{"touch", run}}},
	}})
	awaitMessage(e, "the editor's settings: providers:", "it is not taken from here")
	if got := e.Ask("hello").Text; got != "scripted" {
		t.Errorf("the answer is %q", got)
	}
	if _, err := os.Stat(run); err == nil {
		t.Error("a workspace's command ran")
	}
}

func TestKeysReachTheProvider(t *testing.T) {
	for _, tt := range []struct{ name, way, header, problem string }{
		{"environment", `"apiKeyEnv": "KEY"`, "Bearer from-env", ""},
		{"command", `"apiKeyCommand": ["/bin/echo", "from-command"]`, "Bearer from-command", ""},
		{"none", `"apiKeyEnv": ""`, "", ""},
		{"not set", `"apiKeyEnv": "OTHER"`, "", `the provider "scripted" has no key: the environment variable OTHER`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.Getenv = func(name string) string { return map[string]string{"KEY": "from-env"}[name] }
			var script []llmtest.Turn
			if tt.problem == "" {
				script = []llmtest.Turn{{Text: []string{"fine"}}}
			}
			server := f.useModel(script...)
			f.Config = append(f.Config, config.FromJSON("the test", fmt.Appendf(nil, `{"providers": {"scripted": {%s}}}`, tt.way)))
			result := f.start(lsptest.Options{}).Ask("hello")
			if !strings.Contains(result.Error, tt.problem) || (result.StopReason == ploke.StopError) != (tt.problem != "") {
				t.Fatalf("the turn ended with %s: %s", result.StopReason, result.Error)
			}
			for _, r := range server.Requests() {
				if got := r.Header.Get("Authorization"); got != tt.header {
					t.Errorf("Authorization: %q, want %q", got, tt.header)
				}
			}
		})
	}
}

// TestLimitsAndFallbackChangeWhileTheServerRuns has a model that is overloaded
// once, and then wants to call tools for ever.
func TestLimitsAndFallbackChangeWhileTheServerRuns(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Status: 503}, llmtest.Turn{Calls: []llmtest.Call{{ID: "a", Name: "code_item_lookup", Arguments: `{"name":"Circle"}`}}})
	e := f.startIndexed()
	configure := func(s settings) {
		e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, settings{"settings": settings{"ploke": s}})
	}
	configure(settings{"fallback": "embedded", "limits": settings{"retries": 0}})
	if got := e.Ask("write a poem"); got.StopReason != ploke.StopDone || !strings.Contains(got.Text, "not a language model") {
		t.Errorf("the fallback was not asked: %+v", got)
	}
	configure(settings{"limits": settings{"turnRequests": 1}})
	if got := e.Ask("look"); got.StopReason != ploke.StopLimit {
		t.Errorf("the limit does not count: %+v", got)
	}
}

// TestTheFileIsReadAgainBeforeATurn changes, breaks, removes and restores it.
func TestTheFileIsReadAgainBeforeATurn(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}}, llmtest.Turn{Text: []string{"scripted"}})
	path := filepath.Join(t.TempDir(), "config.toml")
	f.Config = append(f.Config, config.OptionalFile(path))
	e := f.startIndexed()
	answers := func(want string) {
		t.Helper()
		if got := e.Ask("write a poem").Text; !strings.Contains(got, want) {
			t.Errorf("the answer is %q, not of the model that says %q", got, want)
		}
	}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	answers("scripted")
	write(`model = "embedded"`)
	answers("not a language model")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	answers("scripted")
	write("model = 'embedded'\nmodle = 'x'")
	answers("not a language model")
	awaitMessage(e, path, "the nearest is model")
}
