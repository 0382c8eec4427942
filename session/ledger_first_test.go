package session

import (
	"fmt"
	"testing"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestARequestIsInTheLedgerBeforeItIsSent has the model's server look into the ledger when a request comes.
func TestARequestIsInTheLedgerBeforeItIsSent(t *testing.T) {
	var h *harness
	entries := func(want int) func(*llmtest.Request) error {
		return func(*llmtest.Request) error {
			var got int
			if err := h.db.Read().QueryRow(`SELECT count(*) FROM ledger WHERE sent IS NOT NULL`).Scan(&got); err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("the ledger has %d entries, want %d", got, want)
			}
			return nil
		}
	}
	first, second := says("one"), says("two")
	first.Check, second.Check = entries(1), entries(2)
	h = start(t, tools.NewSet(), nil, first, second)
	turn, _ := h.ask(t, Prompt{Text: "a"})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "b"})
	if got := h.query(t, `SELECT count(*) FROM messages WHERE status = 'completed' AND text IN ('one', 'two')`); got != 2 {
		t.Errorf("%d answers, want 2", got)
	}
}
