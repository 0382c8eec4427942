package lsp_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/store"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestATurnReadsNoProposalsOfOtherTurns has staged proposals of other turns that can't be read, so
// that a turn which looks at them fails. A turn takes as long with many of them as with none.
func TestATurnReadsNoProposalsOfOtherTurns(t *testing.T) {
	f := newFixture(t)
	calls := []llmtest.Call{
		{ID: "create", Name: "create_file", Arguments: `{"file":"new.go","content":"package shapes\n"}`},
		{ID: "list", Name: "list_dir", Arguments: `{"dir":"."}`},
		{ID: "search", Name: "search_text", Arguments: `{"pattern":"Circle"}`},
		{ID: "lookup", Name: "code_item_lookup", Arguments: `{"name":"Circle"}`},
		{ID: "context", Name: "request_code_context", Arguments: `{}`},
	}
	server := f.useModel(llmtest.Turn{Text: []string{"Hello."}}, llmtest.Turn{Calls: calls}, llmtest.Turn{Text: []string{"Done."}})
	e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": true}}})
	e.AwaitIndex()
	conversation := e.Ask("hello").ConversationID
	f.storeUnreadableProposals(conversation)
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: conversation, Text: "what is a Circle?"})
	for _, c := range calls {
		if got := toolResult(&server.Requests()[2], c.ID); strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", c.Name, got)
		}
	}
	e.Await("the new file, which is accepted automatically", func() bool { return exists(f.path("new.go")) })
}

// storeUnreadableProposals adds staged proposals whose changes are not JSON.
func (f *fixture) storeUnreadableProposals(conversationID string) {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.state, "*", "state.db"))
	if err != nil || len(files) != 1 {
		f.t.Fatal(files, err)
	}
	db, err := store.Open(f.t.Context(), files[0])
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	err = db.Write(f.t.Context(), func(tx *sql.Tx) error {
		for _, id := range []string{"first", "second"} {
			if _, err := tx.Exec(`INSERT INTO proposals (id, conversation_id, request_id, body, status, created_at, updated_at)
				VALUES (?1, ?2, 'turn of ' || ?1, '{', 'staged', 0, 0)`, id, conversationID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
}
