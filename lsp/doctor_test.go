package lsp_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/shell"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

const testKey = "sk-the-key-of-the-test"

// useModelWithKey configures a scripted server whose key is in the environment, and keeps the
// server's log.
func (f *fixture) useModelWithKey(turns ...llmtest.Turn) (log *syncBuffer) {
	server := llmtest.NewServer(f.t, turns...)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "scripted/model", "providers": {"scripted": {"type": "openai", "baseUrl": %q, "apiKeyEnv": "PLOKE_KEY_SCRIPTED",
			"models": {"model": {"contextTokens": 40000, "price": {"in": 1, "out": 10}}}}}}`, server.URL))}
	f.Getenv = func(name string) string { return map[string]string{"PLOKE_KEY_SCRIPTED": testKey}[name] }
	log = &syncBuffer{}
	f.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return log
}

// syncBuffer is a buffer that several goroutines may write to.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func document(e *lsptest.Editor, method string) string {
	var got ploke.MarkdownDocument
	e.Call(method, nil, &got)
	return got.Markdown
}

func testModel(e *lsptest.Editor, name string) (got ploke.ModelTestResult) {
	e.Call(ploke.MethodModelTest, ploke.ModelTestParams{Model: name}, &got)
	return got
}

// TestAModelIsTested has a model that answers once, and then rejects the key with its text.
func TestAModelIsTested(t *testing.T) {
	f := newFixture(t)
	log := f.useModelWithKey(answers("ready"),
		llmtest.Turn{Status: 401, Body: `{"error": {"message": "Incorrect API key provided: ` + testKey + `"}}`})
	e := f.startIndexed()
	if got := testModel(e, "scripted/model"); !got.OK || got.Error != "" {
		t.Errorf("the model that answers: %+v", got)
	}
	if got := testModel(e, "embedded"); !got.OK {
		t.Errorf("the embedded model: %+v", got)
	}
	refused := testModel(e, "scripted/model")
	if refused.OK || !strings.Contains(refused.Error, "HTTP 401") || !strings.Contains(refused.Error, "key") {
		t.Errorf("a wrong key: %+v", refused)
	}
	if got := testModel(e, "other/model"); got.OK || !strings.Contains(got.Error, "not configured") {
		t.Errorf("a model that is not configured: %+v", got)
	}
	var ledger ploke.LedgerResult
	e.Call(ploke.MethodLedger, ploke.LedgerParams{}, &ledger)
	if len(ledger.Entries) != 3 || ledger.Entries[0].Provider != "scripted" || ledger.Entries[0].Bytes == 0 ||
		len(ledger.Entries[0].Files) != 0 {
		t.Errorf("the ledger has %+v", ledger.Entries)
	}
	for what, text := range map[string]string{"the error": refused.Error, "the log": log.String(),
		"the ledger": document(e, ploke.MethodLedgerDocument)} {
		if strings.Contains(text, testKey) {
			t.Errorf("%s contains the key: %s", what, text)
		}
	}
}

// TestATestWaitsForTheBudgetOfTheNextDay has a limit that the first test exceeds.
func TestATestWaitsForTheBudgetOfTheNextDay(t *testing.T) {
	f := newFixture(t)
	f.usePricedModel(0.000001, llmtest.Turn{Text: []string{"ready"}, Usage: llmtest.Usage{Prompt: 10, Completion: 10}})
	e := f.startIndexed()
	if got := testModel(e, "scripted/model"); !got.OK {
		t.Fatalf("the first test: %+v", got)
	}
	if got := testModel(e, "scripted/model"); got.OK || !strings.Contains(got.Error, "raise limits.dailyCost") {
		t.Errorf("above the budget: %+v", got)
	}
}

func TestDoctorAndLedgerAreDocuments(t *testing.T) {
	f := newFixture(t)
	turns := append(readCircleTurns(), answers("ready"))
	log := f.useModelWithKey(turns...)
	e := f.startIndexed()
	e.Ask("what shape is a circle")
	doctor := document(e, ploke.MethodDoctor)
	if !strings.Contains(doctor, "Everything works.") && !strings.Contains(doctor, "Everything essential works; the warnings") {
		t.Errorf("the verdict of the doctor:\n%s", doctor) // which depends on the machine's sandbox
	}
	for _, want := range []string{"# ploke doctor\n", " | sandbox | ", "| ✓ | index | the index is ready: 3 files", "has a key, from the environment variable PLOKE\\_KEY\\_SCRIPTED",
		`| ✓ | model | scripted/model answered "ready"`, "the databases are in"} {
		if !strings.Contains(doctor, want) {
			t.Errorf("the doctor does not say %q:\n%s", want, doctor)
		}
	}
	ledger := document(e, ploke.MethodLedgerDocument)
	for _, want := range []string{"# ploke ledger\n", "Today: $0.", "| scripted/model | 127.0.0.1", "| 300,000 | 100,000 | 10,000 | $", "| shapes/circle.go:", "Shown: 3 requests"} {
		if !strings.Contains(ledger, want) {
			t.Errorf("the ledger does not say %q:\n%s", want, ledger)
		}
	}
	if strings.Index(ledger, "ready") > 0 {
		t.Errorf("the ledger has texts:\n%s", ledger)
	}
	for what, text := range map[string]string{"the doctor": doctor, "the ledger": ledger, "the log": log.String()} {
		if strings.Contains(text, testKey) {
			t.Errorf("%s contains the key: %s", what, text)
		}
	}
}

// TestDoctorSaysWhatDoesNotWork has a mistake in the settings, a missing key and a model that
// does not exist.
func TestDoctorSaysWhatDoesNotWork(t *testing.T) {
	f := newFixture(t)
	f.Config = []config.Layer{config.FromJSON("the test",
		[]byte(`{"model": "shut/model", "modle": "x|y", "providers": {"shut": {"type": "openai", "apiKeyEnv": "MISSING"}}}`))}
	e := f.startIndexed()
	doctor := document(e, ploke.MethodDoctor)
	for _, want := range []string{"**Something essential does not work.**", "| ⚠ warning | settings | the test: modle:", "| ✗ **does not work** | model | the provider \"shut\" has no key", "; in a terminal: " + shell.Set("MISSING", "YOUR-KEY")} {
		if !strings.Contains(doctor, want) {
			t.Errorf("the doctor does not say %q:\n%s", want, doctor)
		}
	}
	var got ploke.DoctorResult
	e.Await("a doctor who finds the index ready", func() bool { // once the client watches files, another scan runs
		got = ploke.DoctorResult{}
		e.Call(ploke.MethodDoctor, nil, &got)
		return slices.ContainsFunc(got.Findings, func(f ploke.Finding) bool { return f.What == "index" && f.Level == ploke.FindingOK })
	})
	for _, want := range []ploke.Finding{
		{Level: ploke.FindingWarning, What: "settings", Text: "the test: modle:"},
		{Level: ploke.FindingError, What: "model", Text: `the provider "shut" has no key`, Command: shell.Set("MISSING", "YOUR-KEY")},
		{Level: ploke.FindingOK, What: "index", Text: "the index is ready"},
	} {
		if !slices.ContainsFunc(got.Findings, func(f ploke.Finding) bool {
			return f.Level == want.Level && f.What == want.What && strings.HasPrefix(f.Text, want.Text) && f.Command == want.Command
		}) {
			t.Errorf("the doctor has not found %+v: %+v", want, got.Findings)
		}
	}
}

// TestTheLedgerOfTheEmbeddedModel shows a ledger of requests that left nothing.
func TestTheLedgerOfTheEmbeddedModel(t *testing.T) {
	e := newFixture(t).startIndexed()
	if ledger := document(e, ploke.MethodLedgerDocument); !strings.Contains(ledger, "Shown: 0 requests.\n") ||
		strings.Contains(ledger, "left this machine") {
		t.Errorf("the ledger before the first request:\n%s", ledger)
	}
	e.Ask("who calls area")
	ledger := document(e, ploke.MethodLedgerDocument)
	if !strings.Contains(ledger, "None of them left this machine") || !strings.Contains(ledger, "| embedded | this machine | | | | |") ||
		strings.Contains(ledger, "$") {
		t.Errorf("the ledger:\n%s", ledger)
	}
}
