//go:build unix

package session

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

const (
	sleeperVariable = "PLOKE_SLEEPER_TEST" // makes a process of this test the child; value: a sleeper as JSON
	sleeperLease    = time.Second
)

// sleeper is a process that runs one turn and is put to sleep meanwhile.
type sleeper struct{ State, URL string }

func init() {
	if job := os.Getenv(sleeperVariable); job != "" {
		runSleeper(job)
	}
}

// runSleeper runs a turn, and prints its conversation and then its outcome.
func runSleeper(job string) {
	var s sleeper
	err := json.Unmarshal([]byte(job), &s)
	if err == nil {
		err = s.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func (s sleeper) run(ctx context.Context) error {
	db, err := store.Open(ctx, s.State)
	if err != nil {
		return err
	}
	e, err := New(Options{DB: db, Bus: bus.New(), Tools: tools.NewSet(echo("echo")), Lease: sleeperLease,
		Model: func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: s.URL}), ID: "m", ContextTokens: 100_000}, nil
		}})
	if err != nil {
		return err
	}
	turn, err := e.Start(ctx, Prompt{Text: "go"})
	if err != nil {
		return err
	}
	fmt.Println(turn.ConversationID)
	outcome, err := turn.Wait(ctx)
	fmt.Println(outcome.StopReason, outcome.Err)
	return err
}

// TestATurnSleepsPastItsLease stops a process in the middle of its turn for longer than its
// lease, as a laptop that sleeps does. Processes on the same host leave the turn alone, and it
// ends as if nothing had happened. A process on another host, which can't see the sleeper, takes
// the conversation over. Then the sleeper's turn fails with an error that says so, and changes
// nothing any more.
func TestATurnSleepsPastItsLease(t *testing.T) {
	for name, tt := range map[string]struct {
		otherHost bool
		outcome   string
		tree      []string
	}{
		"on this host": {false, "done <nil>", []string{"user: go (completed)", "assistant: first\n\nlast (completed)"}},
		"on another host": {true, "error another process took the conversation over", []string{
			"user: go (completed)", "assistant: first (interrupted)", "user: and now? (completed)", "assistant: from the other one (completed)"}},
	} {
		t.Run(name, func(t *testing.T) {
			gate := llmtest.NewGate()
			script := []llmtest.Turn{{Text: []string{"first"}, Calls: []llmtest.Call{{ID: "1", Name: "echo", Arguments: `{"text":"x"}`}}},
				{Text: []string{"last"}, Hold: gate}}
			server := llmtest.NewServer(t, script...)
			db := openDB(t, filepath.Join(t.TempDir(), "state.db"))
			child, lines := startSleeper(t, sleeper{State: db.Path(), URL: server.URL})
			conversation := nextLine(t, lines)
			reached(t, gate)
			before := pendingOwner(t, db).Until
			awaitOwner(t, db, func(o *lease.Owner) bool { return o.Until != before }) // so that the process does not stop in the middle of a renewal
			signal(t, child, syscall.SIGSTOP)
			if tt.otherHost {
				err := db.Write(t.Context(), func(tx *sql.Tx) error {
					_, err := tx.Exec(`UPDATE messages SET extra = json_set(extra, '$.owner.host', 'elsewhere') WHERE status = ?`, records.Pending)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			awaitOwner(t, db, func(o *lease.Owner) bool { return o.Until < time.Now().UnixMilli() })

			var others []llmtest.Turn
			if tt.otherHost {
				others = append(others, says("from the other one"))
			}
			h := &harness{server: llmtest.NewServer(t, others...), db: db, bus: bus.New()}
			h.run(t, tools.NewSet(), nil)
			if !tt.otherHost {
				_, err := h.Start(t.Context(), Prompt{ConversationID: conversation, Text: "and now?"})
				if err == nil || !strings.Contains(err.Error(), "another window") {
					t.Errorf("a message to the sleeper's conversation: %v", err)
				}
			} else {
				h.ask(t, Prompt{ConversationID: conversation, Text: "and now?"})
			}
			signal(t, child, syscall.SIGCONT)
			gate.Open()
			if got := nextLine(t, lines); !strings.HasPrefix(got, tt.outcome) {
				t.Errorf("the sleeper's turn ends with %q, want %q", got, tt.outcome)
			}
			if err := child.Wait(); err != nil {
				t.Error(err)
			}
			if d := cmp.Diff(tt.tree, h.tree(t, conversation)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestAnEarlierServerMayTakeASecondToEnd reads a conversation while another process runs a turn in it. The turn
// stays as it is while the process lives, and is interrupted once it has ended, also long after this engine began.
func TestAnEarlierServerMayTakeASecondToEnd(t *testing.T) {
	gate := llmtest.NewGate()
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"first"}, Hold: gate})
	db := openDB(t, filepath.Join(t.TempDir(), "state.db"))
	child, lines := startSleeper(t, sleeper{State: db.Path(), URL: server.URL})
	conversation := nextLine(t, lines)
	reached(t, gate)
	h := &harness{server: llmtest.NewServer(t), db: db, bus: bus.New()}
	h.run(t, tools.NewSet(), nil)
	status := func() records.Status {
		t.Helper()
		if err := h.SettleOthers(t.Context(), conversation); err != nil {
			t.Fatal(err)
		}
		return h.history(t, conversation)[1].Status
	}
	var waited time.Duration
	h.sleep = func(_ context.Context, d time.Duration) error { waited += d; return nil }
	if got := status(); got != records.Pending || waited != time.Second {
		t.Errorf("%s after %v", got, waited)
	}
	h.sleep = func(context.Context, time.Duration) error {
		child.Process.Kill()
		child.Wait()
		return nil
	}
	if got := status(); got != records.Interrupted {
		t.Errorf("after the end of its process: %s", got)
	}
	h.sleep = func(context.Context, time.Duration) error { t.Error("nothing is to be waited for"); return nil }
	status()
}

func startSleeper(t *testing.T, s sleeper) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), sleeperVariable+"="+records.Marshal(s))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill() })
	return child, bufio.NewScanner(out)
}

// nextLine returns the next line that a sleeper prints.
func nextLine(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	testbed.Returns(t, func() { lines.Scan() }, "a line of the other process")
	return lines.Text()
}

func signal(t *testing.T, child *exec.Cmd, s syscall.Signal) {
	t.Helper()
	if err := child.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// pendingOwner returns the owner of the only pending message.
func pendingOwner(t *testing.T, db *store.DB) *lease.Owner {
	t.Helper()
	var x []byte
	var owner lease.Owner
	err := db.Read().QueryRow(`SELECT extra -> '$.owner' FROM messages WHERE status = ?`, records.Pending).Scan(&x)
	if err == nil {
		err = json.Unmarshal(x, &owner)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &owner
}

// awaitOwner waits until the owner of the only pending message is as wanted.
func awaitOwner(t *testing.T, db *store.DB, wanted func(*lease.Owner) bool) {
	t.Helper()
	testbed.Eventually(t, func() bool { return wanted(pendingOwner(t, db)) },
		func() string { return fmt.Sprintf("the owner is %+v", pendingOwner(t, db)) })
}
