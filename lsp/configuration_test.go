package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

type settings = map[string]any

// awaitMessage waits for a message that contains all words.
func awaitMessage(e *lsptest.Editor, words ...string) {
	e.Await("a message with "+strings.Join(words, ", "), func() bool {
		for _, m := range e.Messages() {
			missing := func(word string) bool { return !strings.Contains(m.Message, word) }
			if !slices.ContainsFunc(words, missing) {
				return true
			}
		}
		return false
	})
}

func TestMistakesInSettingsAreReported(t *testing.T) {
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
		t.Error("an excluded file is indexed")
	}
	if result := e.Ask("hello"); result.Text != "fine" || len(server.Requests()) != 1 {
		t.Errorf("the valid settings do not apply: %+v", result)
	}
	if n := len(e.Messages()); n != 2 {
		t.Errorf("%d messages, want 2: %v", n, e.Messages())
	}
}

// TestSettingsChangeWhileTheServerRuns sends changed settings in each form that editors
// use.
func TestSettingsChangeWhileTheServerRuns(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}}, llmtest.Turn{Text: []string{"scripted"}})
	e := f.startIndexed()
	answers := func(want string) {
		t.Helper()
		if got := e.Ask("write a poem").Text; !strings.Contains(got, want) {
			t.Errorf("the answer is %q, want one that contains %q", got, want)
		}
	}
	push := func(v any) {
		e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, settings{"settings": v})
	}
	answers("scripted")
	push(settings{"ploke": settings{"model": "embedded"}})
	answers("not a language model")
	push(settings{"gopls": settings{"model": "none"}}) // settings of another server
	answers("not a language model")
	push(settings{"ploke": settings{}}) // removed
	answers("scripted")
	push(settings{"model": "embedded"}) // a client that sends only the section ploke
	answers("not a language model")
	push(settings{"ploke": settings{"index": settings{"exclude": []string{"*.py"}}, "model": "embedded"}})
	e.Await("the file to leave the index", func() bool { return !e.Finds("report") })
	if !e.Finds("Circle") {
		t.Error("a file that is not excluded left the index")
	}
	for range 2 { // the same mistake is reported once
		push(settings{"ploke": settings{"limits": settings{"turnRequest": 3}}})
	}
	awaitMessage(e, "limits.turnRequest:", "the nearest is limits.turnRequests")
	e.Call(ploke.MethodChatList, nil, nil) // its reply comes after the messages
	if n := len(e.Messages()); n != 1 {
		t.Errorf("%d messages, want 1: %v", n, e.Messages())
	}
}

// TestServerRequestsSettings uses an editor that supports workspace/configuration.
func TestServerRequestsSettings(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}})
	e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()),
		Settings: settings{"model": "embedded", "serverPath": "x"}})
	// The turn waits for the editor's settings.
	if got := e.Ask("write a poem").Text; !strings.Contains(got, "not a language model") {
		t.Errorf("the model of the editor's settings was not used: %s", got)
	}
	e.SetSettings(settings{"model": "scripted/model", "limits": settings{"toolTimeuot": 1}})
	awaitMessage(e, "limits.toolTimeuot") // the changed settings apply now
	if got := e.Ask("write a poem").Text; got != "scripted" {
		t.Errorf("the changed settings do not apply: %s", got)
	}
}

// TestWorkspaceSettingsSendNothingElsewhere sends settings that name another endpoint and
// a command: workspace/configuration may include the workspace's own settings.
func TestWorkspaceSettingsSendNothingElsewhere(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}})
	evil := llmtest.NewServer(t) // fails the test on any request
	run := f.path("ran")
	e := f.start(lsptest.Options{Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()), Settings: settings{
		"providers": settings{"scripted": settings{"baseUrl": evil.URL, "apiKeyCommand": []string{"touch", run}}},
	}})
	awaitMessage(e, "the editor's settings: providers:", "it is ignored here")
	if got := e.Ask("hello").Text; got != "scripted" {
		t.Errorf("the answer is %q", got)
	}
	if _, err := os.Stat(run); err == nil {
		t.Error("a command from the workspace's settings ran")
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

// TestLimitsAndFallbackChangeWhileTheServerRuns uses a model that is overloaded once, and
// then only calls tools.
func TestLimitsAndFallbackChangeWhileTheServerRuns(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Status: 503}, llmtest.Turn{Calls: []llmtest.Call{{ID: "a", Name: "code_item_lookup", Arguments: `{"name":"Circle"}`}}})
	e := f.startIndexed()
	configure := func(s settings) {
		e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, settings{"settings": settings{"ploke": s}})
	}
	configure(settings{"fallback": "embedded", "limits": settings{"retries": 0}})
	if got := e.Ask("write a poem"); got.StopReason != ploke.StopDone || !strings.Contains(got.Text, "not a language model") {
		t.Errorf("the fallback was not used: %+v", got)
	}
	configure(settings{"limits": settings{"turnRequests": 1}})
	if got := e.Ask("look"); got.StopReason != ploke.StopLimit {
		t.Errorf("the limit does not apply: %+v", got)
	}
}

// TestTheFileIsReadAgainBeforeATurn creates, removes and recreates the settings file.
func TestTheFileIsReadAgainBeforeATurn(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"scripted"}}, llmtest.Turn{Text: []string{"scripted"}})
	path := filepath.Join(t.TempDir(), "config.toml")
	f.Config = append(f.Config, config.OptionalFile(path))
	e := f.startIndexed()
	answers := func(want string) {
		t.Helper()
		if got := e.Ask("write a poem").Text; !strings.Contains(got, want) {
			t.Errorf("the answer is %q, want one that contains %q", got, want)
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
