package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/store"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestATurnWhoseStateFolderIsRemovedFails removes the folder during a turn, or before
// one, or replaces its database. The turn fails, the person is told once which folder it
// is and what to do, and the next start has a database again.
func TestATurnWhoseStateFolderIsRemovedFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, folder string) error
		says   string
	}{
		{"removed", func(_ *testing.T, folder string) error { return os.RemoveAll(folder) }, "was removed"},
		{"moved", func(_ *testing.T, folder string) error { return os.Rename(folder, folder+".old") }, "was removed"},
		{"replaced", func(t *testing.T, folder string) error {
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
			db, err := store.Open(t.Context(), filepath.Join(folder, "state.db"))
			if err != nil {
				return err
			}
			return db.Close()
		}, "was replaced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			gate := llmtest.NewGate()
			f := newFixture(t)
			model := f.useModel(llmtest.Turn{Text: []string{"before"}}, llmtest.Turn{Text: []string{"lost"}, Hold: gate}, llmtest.Turn{Text: []string{"after"}})
			e := f.startIndexed()
			if answer := e.Ask("a"); answer.StopReason != ploke.StopDone {
				t.Fatalf("%+v", answer)
			}
			running := sendAsync(e, t.Context(), ploke.ChatSendParams{Text: "b"})
			<-gate.Reached()
			folder := f.indexFolder()
			if err := tt.damage(t, folder); err != nil {
				t.Fatal(err)
			}
			gate.Open()
			if r := <-running; r.StopReason != ploke.StopError || !strings.Contains(r.Error, folder) || r.Text != "lost" {
				t.Errorf("the turn ended with %q: %s", r.StopReason, r.Error)
			}
			if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "c"}); !strings.Contains(err.Message, folder) {
				t.Errorf("the next turn: %v", err)
			}
			said := 0
			for _, m := range e.Messages() {
				if strings.Contains(m.Message, folder) && strings.Contains(m.Message, tt.says) && strings.Contains(m.Message, "restart") {
					said++
				}
			}
			if said != 1 {
				t.Errorf("the person was told %d times: %+v", said, e.Messages())
			}
			if n := len(model.Requests()); n != 2 {
				t.Errorf("%d requests were sent; want 2", n)
			}
			e.Shutdown()
			e = f.start(lsptest.Options{})
			if answer := e.Ask("d"); answer.Text != "after" {
				t.Errorf("after a restart: %+v", answer)
			}
		})
	}
}
