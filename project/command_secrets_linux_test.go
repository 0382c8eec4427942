package project_test

import (
	"strings"
	"testing"

	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// TestWhatACommandPrintsLeavesWithoutItsSecrets has a command print one that is in no file that the model may read. The
// request has a placeholder in its place, and the ledger counts it.
func TestWhatACommandPrintsLeavesWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	const secret = "hunter2Zebra77"
	var placeholder string
	script := []llmtest.Turn{
		{Calls: []llmtest.Call{toolCall("1", "run_command", map[string]any{"command": `printf 'password = "%s%s"\n' hunter2 Zebra77`})}},
		{}, {Text: []string{"done"}},
	}
	script[1] = llmtest.Turn{Calls: []llmtest.Call{toolCall("2", "run_command", map[string]any{"command": "echo again"})},
		Check: func(r *llmtest.Request) error {
			_, after, _ := strings.Cut(r.Last().Content, "PLOKE_SECRET_")
			placeholder, _, _ = strings.Cut(after, `"`)
			return nil
		}}
	v := newProven(t, "", session.AllowAlways, goFiles, script...)
	if result, _ := v.ask(t, "Do it."); result.Text != "done" || placeholder == "" {
		t.Errorf("the turn ended with %q; the placeholder is %q", result.Text, placeholder)
	}
	for i, r := range v.server.Requests() {
		if strings.Contains(string(r.Body), secret) {
			t.Errorf("request %d has the secret", i+1)
		}
	}
	entries, err := v.Engine.Ledger(t.Context(), session.LedgerQuery{})
	if err != nil || len(entries) != 3 || entries[0].Secrets != 0 || entries[1].Secrets != 1 || entries[1].Bytes <= entries[0].Bytes {
		t.Errorf("%+v, %v", entries, err)
	}
}
