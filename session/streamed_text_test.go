package session

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// storeByHand stops the storing of streamed text: the test calls h.streamed.store.
func (h *harness) storeByHand() { h.streamed.Close() }

// store stores the streamed text.
func (h *harness) store(t *testing.T) {
	t.Helper()
	if err := h.streamed.Store(); err != nil {
		t.Fatal(err)
	}
}

// query returns the number that a query yields.
func (h *harness) query(t *testing.T, query string) (n int) {
	t.Helper()
	if err := h.db.Read().QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// exec runs a statement.
func (h *harness) exec(t *testing.T, statement string) {
	t.Helper()
	if err := h.db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
		t.Fatal(err)
	}
}

// held starts a turn and waits until its text has been streamed to the gate.
func (h *harness) held(t *testing.T, gate *llmtest.Gate, p Prompt) *Turn {
	t.Helper()
	turn := h.begin(t, p)
	reached(t, gate)
	await(h, func(e bus.MessageDelta) bool { return e.RequestID == turn.RequestID })
	return turn
}

// TestStreamedTextIsStoredWhileItStreams needs no help: the engine stores it.
func TestStreamedTextIsStoredWhileItStreams(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"The beginning"}, Hold: gate})
	turn := h.held(t, gate, Prompt{Text: "a"})
	testbed.Eventually(t, func() bool { return h.query(t, `SELECT count(*) FROM streamed_text`) > 0 },
		func() string { return "nothing is stored" })
	want := []string{"user: a (completed)", "assistant: The beginning (pending)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
	gate.Open()
	h.wait(t, turn)
	if n := h.query(t, `SELECT count(*) FROM streamed_text`); n != 0 {
		t.Errorf("%d pieces are left of an answer that is stored as a whole", n)
	}
}

// TestOneCommitStoresTheTextOfAllTurns counts the commits.
func TestOneCommitStoresTheTextOfAllTurns(t *testing.T) {
	const turns = 5
	var script []llmtest.Turn
	var gates []*llmtest.Gate
	for range turns {
		gates = append(gates, llmtest.NewGate())
		script = append(script, llmtest.Turn{Text: []string{"hello"}, Hold: gates[len(gates)-1]})
	}
	h := start(t, tools.NewSet(), nil, script...)
	h.storeByHand()
	for _, gate := range gates {
		h.held(t, gate, Prompt{Text: "a"})
		defer gate.Open()
	}
	_, before := h.db.Commits()
	h.store(t)
	h.store(t) // nothing is new
	if _, after := h.db.Commits(); after != before+1 {
		t.Errorf("%d commits; want 1", after-before)
	}
	if n := h.query(t, `SELECT count(*) FROM streamed_text WHERE text = 'hello'`); n != turns {
		t.Errorf("the text of %d turns is stored; want %d", n, turns)
	}
}

// TestStoringAStreamWritesEachByteOnce counts the bytes that are stored while an answer
// grows.
func TestStoringAStreamWritesEachByteOnce(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"first "}, Hold: gate})
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	h.exec(t, `CREATE TABLE written (bytes INTEGER);
		CREATE TRIGGER piece AFTER INSERT ON streamed_text BEGIN INSERT INTO written VALUES (length(NEW.text)); END;
		CREATE TRIGGER whole AFTER UPDATE ON messages BEGIN INSERT INTO written VALUES (length(NEW.text)); END;`)
	want := "first "
	for i := range 200 {
		piece := fmt.Sprintf("piece %d\n", i)
		h.streamed.Add(turn.AssistantMessageID, piece)
		h.store(t)
		want += piece
	}
	if n := h.query(t, `SELECT sum(bytes) FROM written`); n != len(want) {
		t.Errorf("%d bytes were written for %d", n, len(want))
	}
	if m := h.history(t, turn.ConversationID); m[1].Text != want {
		t.Errorf("stored is %q", m[1].Text)
	}
	gate.Open()
}

// TestAnAnswerThatIsTakenBackIsNotStored cuts an answer off after its text was stored.
func TestAnAnswerThatIsTakenBackIsNotStored(t *testing.T) {
	cut, again := llmtest.NewGate(), llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"wrong"}, Hold: cut, Cut: true}, llmtest.Turn{Text: []string{"right"}, Hold: again})
	h.storeByHand()
	turn := h.held(t, cut, Prompt{Text: "a"})
	h.store(t)
	cut.Open()
	reached(t, again)
	await(h, func(e bus.MessageDelta) bool { return e.Text == "right" })
	h.store(t)
	if d := cmp.Diff([]string{"user: a (completed)", "assistant: right (pending)"}, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
	again.Open()
	h.wait(t, turn)
	if d := cmp.Diff([]string{"user: a (completed)", "assistant: right (completed)"}, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
}

// TestStreamedTextWaitsWhileTheDiskIsFull loses none of it, and keeps its order.
func TestStreamedTextWaitsWhileTheDiskIsFull(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one "}, Hold: gate})
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	free := h.fullFor(t, "INSERT ON streamed_text", "true")
	if err := h.streamed.Store(); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("storing on a full disk: %v", err)
	}
	h.streamed.Add(turn.AssistantMessageID, "two")
	free()
	h.store(t)
	if m := h.history(t, turn.ConversationID); m[1].Text != "one two" {
		t.Errorf("stored is %q", m[1].Text)
	}
	gate.Open()
}

// TestTextOfADeletedConversation does not keep the text of other turns from being stored.
func TestTextOfADeletedConversation(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"kept"}, Hold: gate})
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	h.streamed.Add("gone", "text")
	h.store(t)
	if m := h.history(t, turn.ConversationID); m[1].Text != "kept" {
		t.Errorf("stored is %q", m[1].Text)
	}
	gate.Open()
}

// TestStreamedTextOfATurnThatWasTakenOver is not stored: another process has ended the turn, or goes on with it.
func TestStreamedTextOfATurnThatWasTakenOver(t *testing.T) {
	for name, takeOver := range map[string]string{
		"interrupted": `UPDATE messages SET status = 'interrupted' WHERE status = 'pending'`,
		"owned":       `UPDATE messages SET extra = json_set(extra, '$.owner.id', 'another') WHERE status = 'pending'`,
	} {
		t.Run(name, func(t *testing.T) {
			gate := llmtest.NewGate()
			h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"mine"}, Hold: gate})
			h.storeByHand()
			turn := h.held(t, gate, Prompt{Text: "a"})
			h.store(t)
			h.exec(t, takeOver)
			h.streamed.Add(turn.AssistantMessageID, ", and late")
			h.streamed.AddAside(turn.AssistantMessageID, records.Aside{Text: "late"})
			h.store(t)
			if m := h.history(t, turn.ConversationID)[1]; m.Text != "mine" || h.query(t, `SELECT count(*) FROM asides`) > 0 {
				t.Errorf("stored is %q, or an aside", m.Text)
			}
			gate.Open()
		})
	}
}

// TestAnAnswerWhoseEndCouldNotBeStored is interrupted at the next start, with its text.
func TestAnAnswerWhoseEndCouldNotBeStored(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"The beginning"}, Hold: gate}, says("on"))
	h.storeByHand()
	turn := h.held(t, gate, Prompt{Text: "a"})
	free := h.fullFor(t, "UPDATE ON messages", "NEW.status = 'completed'")
	gate.Open()
	h.wait(t, turn)
	h.store(t)
	free()
	next, err := New(h.opts)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	want := []string{"user: a (completed)", "assistant: The beginning (interrupted)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"})
	if got := outline(h.server.Requests()[1]); !strings.Contains(strings.Join(got, "\n"), "assistant: The beginning") {
		t.Errorf("the model gets %q", got)
	}
}
