package session

import (
	"strings"
	"testing"
	"time"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestALedgerHasWhatIsNoTurn tries a model, and hands a result to another program: both are in the ledger.
func TestALedgerHasWhatIsNoTurn(t *testing.T) {
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{" ready\n"}, Usage: llmtest.Usage{Prompt: 9, Completion: 2}},
		llmtest.Turn{Status: 401})
	model := llm.Model{Provider: llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: h.server.URL}), ID: "m", Price: &llm.Price{In: 1, Out: 1}}
	trial, err := h.TryModel(t.Context(), model)
	if err != nil || trial.Text != "ready" || trial.Usage.In != 9 || trial.Usage.Cost == 0 {
		t.Errorf("tried: %+v, %v", trial, err)
	}
	if _, err := h.TryModel(t.Context(), model); err == nil {
		t.Error("a refused trial has no error")
	}
	given := HandedOver{Agent: "other", Call: "search_text", Texts: []string{"line PLOKE_SECRET_0123456789ab", `{"line":"PLOKE_SECRET_0123456789ab"}`}, Took: time.Second}
	if err := h.RecordHandedOver(t.Context(), given); err != nil {
		t.Fatal(err)
	}
	entries, err := h.Ledger(t.Context(), LedgerQuery{})
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, %v; want 3", len(entries), err)
	}
	if e := entries[0]; e.Model != "m" || !strings.HasPrefix(h.server.URL, "http://"+e.Host) || e.Usage.In != 9 || e.Bytes == 0 || len(e.Files) != 0 {
		t.Errorf("the trial is %+v", e)
	}
	if e := entries[2]; e.Provider != ToAgents || e.Host != "other" || e.Model != "search_text" ||
		e.Bytes != len(given.Texts[0])+len(given.Texts[1]) {
		t.Errorf("what was handed over is %+v", e)
	}
}
