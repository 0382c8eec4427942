package session

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

const (
	killsAConversation = 8 // then another begins, so that none gets long
	killRequests       = 6 // the child is killed after less than so many: two turns' and a bit
	killWithin         = 10 * time.Millisecond
)

// killJob configures the child process. It is passed as JSON in the environment.
type killJob struct{ State, Workspace, URL, Conversation string }

const killVariable = "PLOKE_KILL_TEST"

// acknowledged is a line of the child's output: a fact that others rely on from then
// on.
type acknowledged struct{ Kind, ID, Text string }

func TestMain(m *testing.M) {
	if job := os.Getenv(killVariable); job != "" {
		var j killJob
		if err := json.Unmarshal([]byte(job), &j); err != nil {
			panic(err)
		}
		j.runUntilKilled()
	}
	if path := os.Getenv(collectVariable); path != "" {
		if err := collectUntilKilled(path); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// TestKill kills a process in the middle of its turns, checks that all acknowledged
// data is stored, and continues the conversation.
func TestKill(t *testing.T) {
	asked := make(chan struct{}, 1000)
	server := httptest.NewServer(killModel(t, asked))
	defer server.Close()
	dir := t.TempDir()
	job := killJob{State: filepath.Join(dir, "state.db"), Workspace: filepath.Join(dir, "workspace"), URL: server.URL + "/v1"}
	if err := os.Mkdir(job.Workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 0))
	seen, kills := map[string]int{}, testbed.Count(60, 8)
	for i := range kills {
		if i%killsAConversation == 0 {
			job.Conversation = ""
		}
		promises := job.killChild(t, asked, r.IntN(killRequests), time.Duration(r.Int64N(int64(killWithin))))
		job.Conversation = job.restart(t, promises)
		for _, p := range promises {
			seen[p.Kind]++
		}
		if t.Failed() {
			t.Fatalf("after %d kills", i+1)
		}
	}
	t.Logf("%d kills; acknowledged: %v", kills, seen)
	for _, kind := range []string{"message", "call", "edit", "answer"} {
		if seen[kind] == 0 {
			t.Errorf("the kills left no %s behind to look for", kind)
		}
	}
}

// killChild runs a process until it has acknowledged its first message and has
// asked the model some times, and kills it some time after that. It returns all
// that was acknowledged.
func (j killJob) killChild(t *testing.T, asked chan struct{}, requests int, after time.Duration) (promises []acknowledged) {
	t.Helper()
	env, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killVariable+"="+string(env))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(6*testbed.Soon, func() {
		t.Error("the process was not killed in time: it says nothing, or asks the model too seldom")
		child.Process.Kill()
	})
	defer late.Stop()
	for len(asked) > 0 { // by whoever ran before
		<-asked
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a acknowledged
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			continue // cut off: nobody has read it as a whole
		}
		if len(promises) == 0 {
			go func() {
				for range requests {
					<-asked
				}
				time.AfterFunc(after, func() { child.Process.Kill() })
			}()
		}
		promises = append(promises, a)
	}
	child.Wait() // it was killed
	return promises
}

// restart opens what the child left, compares it with what was promised, and
// runs another turn of the conversation, which it returns.
func (j killJob) restart(t *testing.T, promises []acknowledged) (conversation string) {
	t.Helper()
	e, closeAll, err := j.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	db := e.opts.DB.Read()
	var sound string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity: %s %v", sound, err)
	}
	var pending int
	err = db.QueryRow(`SELECT (SELECT count(*) FROM messages WHERE status = 'pending') +
		(SELECT count(*) FROM tool_calls WHERE content = '')`).Scan(&pending)
	if err != nil || pending != 0 {
		t.Errorf("%d messages and calls are still pending: %v", pending, err)
	}
	queries := map[string]string{
		"message": `SELECT text FROM messages WHERE id = ? AND role = 'user'`,
		"answer":  `SELECT text FROM messages WHERE id = ? AND status = 'completed'`,
		"call":    `SELECT content FROM tool_calls WHERE id = ?`,
		"edit":    `SELECT request_id FROM proposals WHERE id IN (SELECT proposal_id FROM proposal_changes WHERE instr(change, ?) > 0)`,
	}
	for _, p := range promises {
		var text string
		if err := db.QueryRow(queries[p.Kind], p.ID).Scan(&text); err != nil || text != p.Text {
			t.Errorf("%s %s is %q; %q was acknowledged: %v", p.Kind, p.ID, text, p.Text, err)
		}
	}
	err = db.QueryRow(`SELECT conversation_id FROM messages WHERE id = ?`, promises[0].ID).Scan(&conversation)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := e.Start(t.Context(), Prompt{ConversationID: conversation, Text: "go on"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 6*testbed.Soon)
	defer cancel()
	if outcome, err := turn.Wait(ctx); err != nil || outcome.StopReason != bus.StopDone {
		t.Errorf("the conversation does not go on: %+v, %v", outcome, err)
	}
	return conversation
}

// open starts an engine on the job's files.
func (j killJob) open(ctx context.Context) (e *Engine, closeAll func(), err error) {
	db, err := store.Open(ctx, j.State)
	if err != nil {
		return nil, nil, err
	}
	space, err := workspace.New([]string{j.Workspace}, workspace.Options{})
	if err != nil {
		return nil, nil, err
	}
	manager := edits.New(db, space, edits.Options{})
	stage := changing("stage", func(ctx context.Context, env tools.Env, name string) (any, error) {
		c := env.Call()
		_, err := manager.Staging.Stage(ctx,
			edits.Batch{ConversationID: c.ConversationID, RequestID: c.RequestID, CallID: c.CallID, Title: "new", Visible: env.Visible,
				Operations: []edits.Operation{{Op: edits.OpCreate, Path: filepath.Join(space.Roots()[0], c.ID, name), Text: "x\n"}}})
		if err != nil {
			return nil, err
		}
		acknowledge("edit", c.ID, c.RequestID) // the call's id is in the path
		return "staged", nil
	})
	stage.Class = tools.Staging
	b := bus.New()
	provider := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: j.URL})
	e, err = New(Options{DB: db, Bus: b, Tools: tools.NewSet(stage, echo("echo")), Model: func(context.Context, string) (llm.Model, error) {
		return llm.Model{Provider: provider, ID: "m", ContextTokens: 1_000_000}, nil
	}})
	return e, func() { e.Close(); b.Close(); db.Close() }, err
}

// runUntilKilled runs turn after turn and acknowledges what it was told.
func (j killJob) runUntilKilled() {
	ctx := context.Background()
	e, _, err := j.open(ctx)
	if err != nil {
		panic(err)
	}
	all := e.opts.Bus.Participant("child")
	go func() {
		for {
			event, err := all.Next(ctx)
			if err != nil {
				return
			}
			if call, ok := event.(bus.ToolCallCompleted); ok {
				acknowledge("call", call.ID, string(call.Content))
			}
		}
	}()
	for i := 0; ; i++ {
		turn, err := e.Start(ctx, Prompt{ConversationID: j.Conversation, Text: fmt.Sprint("message ", i)})
		if err != nil {
			panic(err)
		}
		acknowledge("message", turn.UserMessageID, fmt.Sprint("message ", i))
		j.Conversation = turn.ConversationID
		outcome, err := turn.Wait(ctx)
		if err != nil || outcome.StopReason != bus.StopDone {
			panic(fmt.Sprint(outcome, err))
		}
		acknowledge("answer", turn.AssistantMessageID, outcome.Text)
	}
}

var acknowledging sync.Mutex

// acknowledge writes one line for the parent, if this is the child.
func acknowledge(kind, id, text string) {
	if os.Getenv(killVariable) == "" {
		return
	}
	line, err := json.Marshal(acknowledged{kind, id, text})
	if err != nil {
		panic(err)
	}
	acknowledging.Lock()
	defer acknowledging.Unlock()
	os.Stdout.Write(append(line, '\n'))
}

// killModel answers a message with two batches of calls and then with text, and
// requires of each request that its calls have their results.
func killModel(t *testing.T, asked chan<- struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var req llmtest.Request
		if err != nil || json.Unmarshal(body, &req) != nil {
			return // it was killed while it was sending
		}
		asked <- struct{}{}
		checkResults(t, []llmtest.Request{req})
		batches, n := 0, len(req.Messages)
		for _, m := range req.Messages {
			if m.Role == "user" {
				batches = 0
			} else if len(m.ToolCalls) > 0 {
				batches++
			}
		}
		answer := says("It ", "is ", "done.")
		if batches < 2 {
			id := fmt.Sprintf("call%04d", n) // of the form that each server takes: the next one has not given it
			answer = llmtest.Turn{Text: []string{"Let me ", "see."}, Calls: []llmtest.Call{
				call(id+"a", "stage", "a.txt"), call(id+"b", "stage", "b.txt"), call(id+"c", "echo", "c"),
				call(id+"d", "echo", strings.Repeat("d", 100)),
				call(id+"e", "stage", "e.txt")}}
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		llmtest.NewScript(answer).ServeHTTP(w, r)
	})
}
