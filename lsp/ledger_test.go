package lsp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// usePricedModel configures a scripted server as the model, with prices and a daily limit
// in US dollars.
func (f *fixture) usePricedModel(daily float64, turns ...llmtest.Turn) *llmtest.Server {
	server := llmtest.NewServer(f.t, turns...)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "scripted/model", "limits": {"dailyCost": %g}, "providers": {"scripted": {"type": "openai", "baseUrl": %q,
			"models": {"model": {"contextTokens": 40000, "price": {"in": 1, "out": 10, "cachedIn": 0.5}}}}}}`, daily, server.URL))}
	return server
}

// readCircleTurns returns the responses of a model that reads a file and then answers.
func readCircleTurns() []llmtest.Turn {
	return []llmtest.Turn{
		{Calls: []llmtest.Call{{ID: "call_read", Name: "read_file", Arguments: `{"file":"shapes/circle.go"}`}},
			Usage: llmtest.Usage{Prompt: 300_000, Completion: 10_000, Cached: 100_000}},
		{Text: []string{"It is round."}, Usage: llmtest.Usage{Prompt: 100_000}},
	}
}

func TestLedgerOverTheWire(t *testing.T) {
	f := newFixture(t)
	server := f.usePricedModel(0, readCircleTurns()...)
	e := f.startIndexed()
	answer := e.Ask("what shape is a circle")
	const first, second = 0.2 + 0.05 + 0.1, 0.1
	if got := fmt.Sprintf("%.4f", answer.Usage.Cost); got != "0.4500" {
		t.Errorf("the cost of the turn is $%s, want 0.4500", got)
	}
	var ledger ploke.LedgerResult
	e.Call(ploke.MethodLedger, ploke.LedgerParams{TurnID: answer.TurnID}, &ledger)
	if len(ledger.Entries) != 2 || ledger.Total != answer.Usage || ledger.Today != answer.Usage.Cost || ledger.DailyLimit != 0 {
		t.Fatalf("the ledger is %+v", ledger)
	}
	for i, cost := range []float64{first, second} {
		entry := ledger.Entries[i]
		if fmt.Sprintf("%.6f", entry.Usage.Cost) != fmt.Sprintf("%.6f", cost) || !strings.Contains(server.URL, "//"+entry.Host+"/") ||
			entry.Provider != "scripted" {
			t.Errorf("entry %d is %+v", i, entry)
		}
	}
	checkSent(t, f.path("shapes/circle.go"), ledger.Entries[1].Files)
	e.Call(ploke.MethodLedger, ploke.LedgerParams{ConversationID: answer.ConversationID}, &ledger)
	if len(ledger.Entries) != 2 || ledger.Total != answer.Usage {
		t.Errorf("the total of the conversation is %+v, want %+v", ledger.Total, answer.Usage)
	}
	e.Call(ploke.MethodLedger, ploke.LedgerParams{ConversationID: "another"}, &ledger)
	if len(ledger.Entries) != 0 {
		t.Errorf("another conversation has %d entries", len(ledger.Entries))
	}
}

// TestLedgerRangesOfChangedFiles changes a file after it was sent. Its entry has a byte range
// if the lines with the same numbers still have the same text.
func TestLedgerRangesOfChangedFiles(t *testing.T) {
	t.Parallel()
	const first, second = "package a\n", "var x = 1\n"
	for _, tt := range []struct {
		name, sent, now string
		want            *ploke.ByteRange
	}{
		{"unchanged", first + second, first + second, &ploke.ByteRange{Start: 10, End: 20}},
		{"lines added after it", first + second, first + second + "// more\n", &ploke.ByteRange{Start: 10, End: 20}},
		{"the line before it changed", first + second, "package abc\n" + second, &ploke.ByteRange{Start: 12, End: 22}},
		{"a byte changed", first + second, first + "var x = 2\n", nil},
		{"moved down", first + second, first + "\n" + second, nil},
		{"truncated", first + second, first + "var x", nil},
		{"line deleted", first + second, first, nil},
		{"empty file", first + second, "", nil},
		{"no final line break", first + "var x = 1", first + "var x = 1", &ploke.ByteRange{Start: 10, End: 19}},
		{"final line break added", first + "var x = 1", first + second, &ploke.ByteRange{Start: 10, End: 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "r", Name: "read_file", Arguments: `{"file":"a.go","start_line":2,"end_line":2}`}}},
				llmtest.Turn{Text: []string{"Read."}})
			f.write("a.go", tt.sent)
			e := f.startIndexed()
			e.Ask("read")
			f.write("a.go", tt.now)
			var ledger ploke.LedgerResult
			e.Call(ploke.MethodLedger, nil, &ledger)
			files := ledger.Entries[1].Files
			if len(files) != 1 || files[0].StartLine != 2 || files[0].EndLine != 2 {
				t.Fatalf("files = %+v", files)
			}
			if d := cmp.Diff(tt.want, files[0].Range); d != "" {
				t.Error(d)
			}
		})
	}
}

// checkSent checks that files has one entry: the whole file at path.
func checkSent(t *testing.T, path string, files []ploke.SentFile) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("files = %+v", files)
	}
	f := files[0]
	if f.Path != path || f.URI != fileURI(path) || f.StartLine != 1 || f.EndLine != strings.Count(string(text), "\n") {
		t.Errorf("file = %+v", f)
	}
	if f.Range == nil || *f.Range != (ploke.ByteRange{Start: 0, End: len(text)}) {
		t.Errorf("its range is %v, want 0 to %d", f.Range, len(text))
	}
}

func TestBudgetOverTheWire(t *testing.T) {
	f := newFixture(t)
	f.usePricedModel(0.4, readCircleTurns()[:1]...)
	e := f.startIndexed()
	answer := e.Ask("what shape is a circle")
	if answer.StopReason != ploke.StopLimit || !strings.Contains(answer.Error, "$0.40") ||
		!strings.Contains(answer.Error, "limits.dailyCost") {
		t.Errorf("the turn ended with %q: %s", answer.StopReason, answer.Error)
	}
	var ledger ploke.LedgerResult
	e.Call(ploke.MethodLedger, nil, &ledger)
	if len(ledger.Entries) != 1 || ledger.DailyLimit != 0.4 {
		t.Errorf("the ledger is %+v", ledger)
	}
}

func TestMetricsOverTheWire(t *testing.T) {
	f := newFixture(t)
	f.usePricedModel(0, readCircleTurns()...)
	e := f.startIndexed()
	answer := e.Ask("what shape is a circle")
	e.Shutdown()

	e = f.startIndexed()
	var m ploke.MetricsResult
	e.Call(ploke.MethodMetrics, nil, &m)
	if m.SinceStart.Requests != 0 || len(m.SinceStart.Turns) != 0 || len(m.SinceStart.Tools) != 0 {
		t.Errorf("the metrics since the start are %+v, want none", m.SinceStart)
	}
	if m.Stored.Requests != 2 || m.Stored.Turns["completed"] != 1 || m.Stored.Usage != answer.Usage {
		t.Errorf("the stored metrics are %+v", m.Stored)
	}
	if len(m.Stored.Tools) != 1 || m.Stored.Tools[0].Tool != "read_file" || m.Stored.Tools[0].Completed != 1 {
		t.Errorf("the tool metrics are %+v", m.Stored.Tools)
	}
}

// TestTelemetryIsConfiguredByTheEnvironment checks that telemetry is exported to the endpoint
// of the environment variable, and not at all without it.
func TestTelemetryIsConfiguredByTheEnvironment(t *testing.T) {
	var mu sync.Mutex
	posts := map[string]int{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		posts[r.URL.Path]++
	}))
	defer collector.Close()
	const name = "OTEL_EXPORTER_OTLP_ENDPOINT"
	t.Setenv(name, collector.URL)
	ask := func(t *testing.T, getenv func(string) string) {
		f := newFixture(t)
		f.Getenv = getenv
		f.startIndexed().Ask("how is the area of a circle computed")
	} // the server ends with the subtest
	t.Run("none", func(t *testing.T) { ask(t, nil) })
	mu.Lock()
	if len(posts) > 0 {
		t.Errorf("without the environment variable the collector got %v", posts)
	}
	mu.Unlock()
	t.Run("named", func(t *testing.T) { ask(t, os.Getenv) })
	mu.Lock()
	defer mu.Unlock()
	if posts["/v1/traces"] == 0 || posts["/v1/metrics"] == 0 {
		t.Errorf("the collector got only %v", posts)
	}
}
