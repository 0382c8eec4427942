package session

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// collectVariable names the state in which this program collects what is old instead of running tests.
const collectVariable = "PLOKE_TEST_COLLECT"

// bySizeVariable, if it is not empty, makes the program collect what is too much instead of what is old. As both
// leave the least that they may, it is the same.
const bySizeVariable = "PLOKE_TEST_COLLECT_BY_SIZE"

// The state that is collected. Of the conversations, the newest alwaysKept ones keep everything.
const (
	collectConversations = 2 * alwaysKept
	collectCalls         = 60   // of each conversation: in turn long ones, short ones, and those that staged something
	collectLedgerEntries = 1500 // of which the newest 10*alwaysKept stay
)

// collectUntilKilled says when it begins and when it is done.
func collectUntilKilled(path string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	events := bus.New()
	e, err := New(Options{DB: db, Bus: events, Tools: tools.NewSet(),
		Model: func(context.Context, string) (llm.Model, error) { return llm.Model{}, nil }})
	if err != nil {
		return err
	}
	fmt.Println("begins")
	until, limit := later(), int64(noLimit)
	if os.Getenv(bySizeVariable) != "" {
		until, limit = time.Time{}, 1
	}
	if err := (collector{e.opts.DB}).collect(ctx, until, limit); err != nil {
		return err
	}
	fmt.Println("done")
	e.Close()
	events.Close()
	return db.Close()
}

// fillForCollection stores conversations and entries of the ledger, and returns the calls whose results may go.
func fillForCollection(t *testing.T, db *store.DB) (mayGo map[string]bool) {
	t.Helper()
	mayGo = map[string]bool{}
	ctx, at := t.Context(), time.Now()
	err := db.Write(ctx, func(tx *sql.Tx) error {
		for i := range collectConversations {
			c := Conversation{ID: fmt.Sprintf("c%02d", i), Title: "old", CreatedAt: at, UpdatedAt: at}
			if err := insertConversation(ctx, tx, c); err != nil {
				return err
			}
			user := records.Message{ID: c.ID + "-u", ConversationID: c.ID, RequestID: c.ID + "-r", Role: llm.User, Text: "go",
				Status: records.Completed, CreatedAt: at, UpdatedAt: at}
			answer := records.Message{ID: c.ID + "-a", ConversationID: c.ID, ParentID: user.ID, RequestID: user.RequestID, Role: llm.Assistant,
				Text: "done", Status: records.Completed, CreatedAt: at, UpdatedAt: at}
			for j := range collectCalls {
				id := fmt.Sprintf("%s-%02d", c.ID, j)
				answer.Responses = append(answer.Responses, records.Response{Calls: []string{id}})
				content := fmt.Sprintf(`{"ok":true,"said":%q}`, longArgument()+id)
				switch j % 3 {
				case 0:
					mayGo[id] = i < collectConversations-alwaysKept
				case 1:
					content = `{"ok":true}`
				case 2:
					content = fmt.Sprintf(`{"ok":true,"proposal_id":"p%s","said":%q}`, id, longArgument())
				}
				r := bus.ToolCallRequested{CallRef: bus.CallRef{TurnRef: bus.TurnRef{ConversationID: c.ID, RequestID: user.RequestID}, ID: id,
					CallID: id, Name: "echo"}, Seq: j, Arguments: []byte(`{}`)}
				if _, err := records.StoreCall(ctx, tx, r, records.ToolCall{Content: []byte(content), Summary: id, StartedAt: at}); err != nil {
					return err
				}
			}
			for _, m := range []*records.Message{&user, &answer} {
				if err := records.InsertMessage(ctx, tx, m, m.Extra()); err != nil {
					return err
				}
			}
		}
		for i := range collectLedgerEntries {
			e := &ledgerRow{id: fmt.Sprintf("l%04d", i), requestID: "r", conversationID: "c", provider: "p", model: "m"}
			if err := e.insert(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return mayGo
}

// storedState is a state: the content of each call, the ids of the ledger, and all else.
type storedState struct {
	contents map[string]string
	ledger   []string
	rest     map[string]string // rows without the contents of calls, by table and id
}

func readState(t *testing.T, path string) (s storedState) {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s.contents, s.rest = map[string]string{}, map[string]string{}
	each := func(query string, take func(id string, text store.Text)) {
		t.Helper()
		rows, err := db.Read().QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			var text store.Text
			if err := rows.Scan(&id, &text); err != nil {
				t.Fatal(err)
			}
			take(id, text)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	each(`SELECT 'integrity', group_concat(integrity_check) FROM pragma_integrity_check`, func(_ string, found store.Text) {
		if found != "ok" {
			t.Fatalf("the state is damaged: %s", found)
		}
	})
	each(`SELECT id, content FROM tool_calls`, func(id string, text store.Text) { s.contents[id] = string(text) })
	each(`SELECT id, id FROM ledger ORDER BY rowid`, func(id string, _ store.Text) { s.ledger = append(s.ledger, id) })
	all := func(id string, row store.Text) { s.rest[id] = string(row) }
	each(`SELECT 'call ' || id, json_array(request_id, parent_id, conversation_id, call_id, seq, tool, summary, error, code, started_at,
		duration_ms, secrets, arguments) FROM tool_calls`, all)
	each(`SELECT 'message ' || id, json_array(conversation_id, parent_id, role, text, status, request_id, model, created_at, updated_at, extra,
		hex(long_extra)) FROM messages`, all)
	each(`SELECT 'conversation ' || id, json_array(title, created_at, updated_at) FROM conversations`, all)
	return s
}

// TestAKilledCollectionLosesNothing kills processes while they collect what is old. What should stay is there after each
// kill, and what is gone stays gone. The next process goes on, until one has collected everything.
func TestAKilledCollectionLosesNothing(t *testing.T) {
	testbed.Long(t)
	base := filepath.Join(t.TempDir(), "state.db")
	db, err := store.Open(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	mayGo := fillForCollection(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	filled := readState(t, base)
	check := func(path string, before storedState) (after storedState, collected int) {
		t.Helper()
		after = readState(t, path)
		if !maps.Equal(filled.rest, after.rest) {
			t.Fatalf("more than results and entries of the ledger has changed:\n%s", cmp.Diff(filled.rest, after.rest))
		}
		for id, content := range before.contents {
			switch after.contents[id] {
			case content:
			case notKept:
				if !mayGo[id] {
					t.Fatalf("the result of %s should have stayed", id)
				}
			default:
				t.Fatalf("the result of %s was %.80s and is %.80s", id, content, after.contents[id])
			}
			if after.contents[id] == notKept {
				collected++
			}
		}
		if n := len(after.ledger); n > len(before.ledger) || !slices.Equal(before.ledger[len(before.ledger)-n:], after.ledger) {
			t.Fatalf("the ledger had %d entries, and has %d, not the newest", len(before.ledger), n)
		}
		return after, collected
	}
	all := 0
	for _, goes := range mayGo {
		if goes {
			all++
		}
	}
	const kept = 10 * alwaysKept
	random := rand.New(rand.NewPCG(11, 5))
	took := runCollection(t, copyOfState(t, base), time.Hour, false) // so long does one take that nobody kills
	path, state := copyOfState(t, base), filled
	between, ended := 0, 0
	kills := testbed.Count(20, 0)
	for n := 0; n < kills || between == 0 && n < 10*kills; n++ { // a machine that was busy before may be quick now
		runCollection(t, path, time.Duration(random.Int64N(int64(took))), n%2 == 1)
		var collected int
		state, collected = check(path, state)
		if collected < all && (collected > 0 || len(state.ledger) < len(filled.ledger)) || collected == all && len(state.ledger) > kept {
			between++
		}
		if n%5 == 4 { // after several kills, one process may end
			runCollection(t, path, time.Hour, n%10 == 9)
			if state, collected = check(path, state); collected != all || len(state.ledger) != kept {
				t.Fatalf("the next process has collected %d of %d results, and left %d of %d entries of the ledger", collected, all,
					len(state.ledger), kept)
			}
			ended++
			path, state = copyOfState(t, base), filled
		}
	}
	t.Logf("%d collections were killed in the middle, %d went on to the end; one takes %v", between, ended, took)
	if between == 0 || ended == 0 {
		t.Error("no collection was killed in the middle")
	}
}

// runCollection runs a process that collects what is old, and kills it some time after it has begun, if it is not
// done then. It returns how long the process has collected.
func runCollection(t *testing.T, path string, killAfter time.Duration, bySize bool) (took time.Duration) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), collectVariable+"="+path)
	if bySize {
		child.Env = append(child.Env, bySizeVariable+"=1")
	}
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var began time.Time
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if said = append(said, lines.Text()); lines.Text() == "begins" {
			began = time.Now()
			defer time.AfterFunc(killAfter, func() { child.Process.Kill() }).Stop()
		} else {
			took = time.Since(began)
		}
	}
	if err := child.Wait(); len(said) == 0 || killAfter == time.Hour && err != nil {
		t.Fatalf("a process that should collect says %q: %v", said, err)
	}
	return took
}

// copyOfState returns the path of a copy of a database that nobody has open.
func copyOfState(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "state.db")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}
