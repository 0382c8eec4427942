package session

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// longArgument is what the tool echo answers with in these tests. It does not get short when it is stored.
func longArgument() string {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "%x ", i*i*7919)
	}
	return b.String()
}

// startWithOld returns an engine with so many conversations that one, whose id is returned, is not among
// those that are always kept. The model answers its message with old, and messages after all others with last.
func startWithOld(t *testing.T, set *tools.Set, old []llmtest.Turn, last ...llmtest.Turn) (h *harness, conversationID string) {
	t.Helper()
	script := old
	for range alwaysKept {
		script = append(script, says("newer"))
	}
	h = start(t, set, nil, append(script, last...)...)
	turn, _ := h.ask(t, Prompt{Text: "old"})
	for range alwaysKept {
		h.ask(t, Prompt{Text: "newer"})
	}
	return h, turn.ConversationID
}

// later is a time at which everything that is stored now is old.
func later() time.Time { return time.Now().Add(time.Hour) }

// TestCollectRemovesOldResults also goes on with the conversation, whose other parts have stayed.
func TestCollectRemovesOldResults(t *testing.T) {
	long := longArgument()
	h, id := startWithOld(t, tools.NewSet(echo("echo")),
		[]llmtest.Turn{calls(call("a", "echo", long), call("b", "echo", "short")), says("done")}, says("on"))
	before := h.history(t, id)
	if err := h.Collect(t.Context(), 24*time.Hour, 0); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, h.history(t, id), cmp.AllowUnexported(records.Answered{})); d != "" {
		t.Fatalf("what is young was collected:\n%s", d)
	}
	if err := (collector{h.opts.DB}).collect(t.Context(), later(), noLimit); err != nil {
		t.Fatal(err)
	}
	after := h.history(t, id)
	if got := string(after[1].Calls[0].Content); got != notKept {
		t.Errorf("the old result is %.100s", got)
	}
	after[1].Calls[0].Content = before[1].Calls[0].Content
	if d := cmp.Diff(before, after, cmp.AllowUnexported(records.Answered{})); d != "" {
		t.Errorf("more than a result is gone:\n%s", d)
	}
	h.Close()
	h.run(t, tools.NewSet(echo("echo")), nil)
	if _, outcome := h.ask(t, Prompt{ConversationID: id, Text: "on"}); outcome.Text != "on" {
		t.Errorf("%+v", outcome)
	}
	requests := h.server.Requests()
	sent := strings.Join(outline(requests[len(requests)-1]), "\n")
	if !strings.Contains(sent, "this old result is not kept any more") || !strings.Contains(sent, "short") {
		t.Errorf("the model gets\n%s", sent)
	}
}

// TestCollectKeeps the results that are needed, whatever the time is.
func TestCollectKeeps(t *testing.T) {
	long := longArgument()
	proposed := changing("stage", func(context.Context, tools.Env, string) (any, error) {
		return map[string]string{"proposal_id": "p", "text": long}, nil
	})
	set := tools.NewSet(echo("echo"), proposed)
	h, old := startWithOld(t, set, []llmtest.Turn{calls(call("a", "stage", ""), call("b", "echo", long)), says("staged")},
		calls(call("a", "echo", long)), says("done"))
	newest, _ := h.ask(t, Prompt{Text: "newest"})
	h.exec(t, `UPDATE conversations SET updated_at = 0`) // a clock that was wrong for a while
	if err := (collector{h.opts.DB}).collect(t.Context(), time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	if calls := h.history(t, old)[1].Calls; string(calls[0].Content) == notKept || string(calls[1].Content) != notKept {
		t.Errorf("of the old conversation, what is told of a proposal is %.50s, and the other result %.50s", calls[0].Content, calls[1].Content)
	}
	if calls := h.history(t, newest.ConversationID)[1].Calls; string(calls[0].Content) == notKept {
		t.Error("a result of one of the newest conversations was collected")
	}
}

// noLimit is a size that nothing reaches.
const noLimit = math.MaxInt64

// TestCollectBeyondItsSize removes the results of what was used least recently.
func TestCollectBeyondItsSize(t *testing.T) {
	h, first := startWithOld(t, tools.NewSet(echo("echo")), []llmtest.Turn{calls(call("a", "echo", longArgument())), says("done")})
	size := int64(h.query(t, `SELECT octet_length(content) FROM tool_calls`))
	for _, tt := range []struct {
		limit int64
		gone  bool
	}{{0, false}, {size, false}, {size - 1, true}} {
		if err := h.Collect(t.Context(), 0, tt.limit); err != nil {
			t.Fatal(err)
		}
		if got := string(h.history(t, first)[1].Calls[0].Content) == notKept; got != tt.gone {
			t.Errorf("beyond %d bytes: collected %v", tt.limit, got)
		}
	}
}

// TestCollectLeavesWhatIsUsedMeanwhile uses a conversation after it was found unused.
func TestCollectLeavesWhatIsUsedMeanwhile(t *testing.T) {
	h, id := startWithOld(t, tools.NewSet(echo("echo")), []llmtest.Turn{calls(call("a", "echo", longArgument())), says("done")})
	unused, err := collector{h.opts.DB}.unusedConversations(t.Context(), later(), noLimit)
	if err != nil || len(unused) != 1 {
		t.Fatalf("%+v, %v", unused, err)
	}
	h.exec(t, `UPDATE conversations SET updated_at = updated_at + 1`)
	if err := (collector{h.opts.DB}).collectResults(t.Context(), unused[0]); err != nil {
		t.Fatal(err)
	}
	if got := string(h.history(t, id)[1].Calls[0].Content); got == notKept {
		t.Error("its result was collected")
	}
}

// TestCollectIsInterrupted ends in the middle. What it has not reached stays as it is, and the next time
// removes the rest.
func TestCollectIsInterrupted(t *testing.T) {
	const many = collectedAtOnce + 10
	h, id := startWithOld(t, tools.NewSet(echo("echo")), []llmtest.Turn{calls(call("a", "echo", longArgument())), says("done")})
	h.exec(t, fmt.Sprintf(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < %d)
		INSERT INTO tool_calls (id, request_id, conversation_id, call_id, tool, content, started_at)
		SELECT 'z' || n, request_id, conversation_id, 'z' || n, tool, content, 0 FROM number, (SELECT * FROM tool_calls LIMIT 1)`, many-1))
	gone := func() int {
		t.Helper()
		return h.query(t, `SELECT count(*) FROM tool_calls WHERE conversation_id = '`+id+`' AND content = '`+notKept+`'`)
	}
	last := h.query(t, fmt.Sprintf(`SELECT rowid FROM tool_calls ORDER BY id LIMIT 1 OFFSET %d`, many-1))
	free := h.fullFor(t, "UPDATE ON tool_calls", fmt.Sprintf("NEW.rowid = %d", last))
	if err := (collector{h.opts.DB}).collect(t.Context(), later(), noLimit); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Fatalf("the error is %v", err)
	}
	free()
	if n := gone(); n != collectedAtOnce {
		t.Errorf("%d results are gone, want those of the first transaction", n)
	}
	var processes sync.WaitGroup // each collects what the others have left
	for range 3 {
		processes.Go(func() {
			if err := (collector{h.opts.DB}).collect(t.Context(), later(), noLimit); err != nil {
				t.Error(err)
			}
		})
	}
	processes.Wait()
	if n := gone(); n != many {
		t.Errorf("%d results are gone, want all %d", n, many)
	}
}

// TestCollectLedger removes old entries, but never the newest ones.
func TestCollectLedger(t *testing.T) {
	h := start(t, tools.NewSet(), nil, says("hello"))
	h.ask(t, Prompt{Text: "go"})
	const young, old = 10*alwaysKept - 1, collectedAtOnce + 5
	h.exec(t, fmt.Sprintf(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < %d)
		INSERT INTO ledger (id, request_id, conversation_id, provider, model, created_at) SELECT 'x' || n, 'r', 'c', 'p', 'm', 0 FROM number`, young+old))
	if err := h.Collect(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if n := h.query(t, `SELECT count(*) FROM ledger`); n != young+old+1 {
		t.Errorf("%d entries are left where everything is kept", n)
	}
	if err := h.Collect(t.Context(), 24*time.Hour, 0); err != nil {
		t.Fatal(err)
	}
	if n := h.query(t, `SELECT count(*) FROM ledger WHERE created_at = 0`); n != young+1 {
		t.Errorf("%d old entries are left, want %d", n, young+1)
	}
	var sum int
	err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM ledger WHERE created_at > 0`).Scan(&sum)
	})
	if err != nil || sum != 1 {
		t.Errorf("%d young entries are left: %v", sum, err)
	}
}

// TestCollectLedgerBeyondItsSize removes the oldest entries, but never the newest ones.
func TestCollectLedgerBeyondItsSize(t *testing.T) {
	h := start(t, tools.NewSet(), nil)
	const entries, size = 10*alwaysKept + collectedAtOnce + 50, 1000
	h.exec(t, fmt.Sprintf(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < %d)
		INSERT INTO ledger (id, request_id, conversation_id, provider, model, created_at, sent, files)
		SELECT 'x' || n, 'r', 'c', 'p', 'm', 0, substr(hex(zeroblob(%[2]d)), 1, %[2]d - 2), '[]' FROM number`, entries, size))
	for _, tt := range []struct {
		limit int64
		left  int
	}{{entries * size, entries}, {entries*size - 1, entries - 1}, {(entries - 10) * size, entries - 10}, {1, 10 * alwaysKept}} {
		if err := h.Collect(t.Context(), 0, tt.limit); err != nil {
			t.Fatal(err)
		}
		if n, oldest := h.query(t, `SELECT count(*) FROM ledger`), h.query(t, `SELECT min(rowid) FROM ledger`); n != tt.left ||
			oldest != entries-tt.left+1 {
			t.Errorf("within %d bytes: %d entries are left, from number %d on, want %d", tt.limit, n, oldest, tt.left)
		}
	}
}
