package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/wire/wiretest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// leaveTime is how long a server may take to end after its client has left it.
const leaveTime = 2 * time.Second

// leaveLimit is leaveTime, or five times as long with -short, which the tests under the race detector have: it makes
// everything several times as slow.
func leaveLimit() time.Duration {
	return time.Duration(testbed.Size(1, 5)) * leaveTime
}

// spokenWords is more text than the pipe and the server's queue hold together.
var spokenWords = strings.Repeat("word ", 1<<20)

// talkingModel runs a model server that streams spokenWords and then stays silent. The
// channel is closed when the words are sent.
func talkingModel(t *testing.T) (said <-chan struct{}) {
	t.Helper()
	done := make(chan struct{})
	model := httptest.NewServer(llmtest.ChatOnly(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for part := range chunks(spokenWords, 1<<15) {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", part)
			w.(http.Flusher).Flush()
		}
		close(done)
		<-r.Context().Done()
	}))
	t.Cleanup(func() { model.CloseClientConnections(); model.Close() })
	t.Setenv("PLOKE_BASE_URL", model.URL+"/v1")
	t.Setenv("PLOKE_API_KEY", "none")
	t.Setenv("PLOKE_MODEL", "m")
	return done
}

func chunks(text string, size int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(size, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// initialize sends initialize and initialized and does not wait for the reply.
func (p *process) initialize(t *testing.T, root string, processID int) {
	t.Helper()
	p.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"capabilities":{},`+
		`"workspaceFolders":[{"uri":%q,"name":"w"}]}}`,
		processID, uri.File(root)))
	p.send(t, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

func (p *process) send(t *testing.T, body string) {
	t.Helper()
	if _, err := io.WriteString(p.WriteCloser, wiretest.Frame(body)); err != nil {
		t.Fatal(err)
	}
}

// receiveID reads a message and returns the JSON of its id.
func receiveID(t *testing.T, in *textproto.Reader) string {
	t.Helper()
	header, err := in.ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		t.Fatal(err)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in.R, body); err != nil {
		t.Fatal(err)
	}
	var message struct{ ID json.RawMessage }
	if err := json.Unmarshal(body, &message); err != nil {
		t.Fatal(err)
	}
	return string(message.ID)
}

// awaitLeave fails the test if the process has not ended in time.
func (p *process) awaitLeave(t *testing.T) {
	t.Helper()
	began, ended := time.Now(), make(chan error, 1)
	go func() { ended <- p.Cmd.Wait() }()
	select {
	case err := <-ended:
		t.Logf("the server ended after %v: %v", time.Since(began), err)
	case <-time.After(leaveLimit()):
		p.Process.Signal(syscall.SIGQUIT) // prints what it does
		<-ended
		t.Errorf("the server was still there after %v", leaveLimit())
	}
}

// neighbor starts a process that only waits.
func neighbor(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(named(t, "neighbor"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return cmd
}

// TestTheServerLeavesAClientThatDoesNotRead has a turn that streams more than the client
// reads, which is nothing. Whatever happens then, the server ends, and keeps what it was
// told and what the model said.
func TestTheServerLeavesAClientThatDoesNotRead(t *testing.T) {
	testbed.Long(t)
	for _, tt := range []struct {
		name  string
		leave func(p *process, client *exec.Cmd) error
	}{
		{"SIGTERM", func(p *process, _ *exec.Cmd) error { return p.Process.Signal(syscall.SIGTERM) }},
		{"stdin is closed", func(p *process, _ *exec.Cmd) error { return p.WriteCloser.Close() }},
		{"stdout is closed", func(p *process, _ *exec.Cmd) error { return p.ReadCloser.Close() }},
		{"exit", func(p *process, _ *exec.Cmd) error {
			_, err := io.WriteString(p.WriteCloser, wiretest.Frame(`{"jsonrpc":"2.0","method":"exit"}`))
			return err
		}},
		{"the client's process is killed", func(_ *process, client *exec.Cmd) error { return client.Process.Kill() }},
		{"the client's process is killed and waited for", func(_ *process, client *exec.Cmd) error {
			if err := client.Process.Kill(); err != nil {
				return err
			}
			client.Wait()
			return nil
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			said := talkingModel(t)
			state, root, client := t.TempDir(), manyFiles(t, 1), neighbor(t)
			p := serve(t, state)
			p.initialize(t, root, client.Process.Pid)
			p.send(t, `{"jsonrpc":"2.0","id":2,"method":"ploke/chat/send","params":{"text":"talk","workDoneToken":"w","partialResultToken":"p"}}`)
			<-said
			if err := tt.leave(p, client); err != nil {
				t.Fatal(err)
			}
			p.awaitLeave(t)

			p, e := startServer(t, state, root)
			var list ploke.ChatListResult
			e.Call(ploke.MethodChatList, nil, &list)
			if len(list.Conversations) != 1 {
				t.Fatalf("%d conversations, want 1", len(list.Conversations))
			}
			kept := messages(e, list.Conversations[0].ID)
			if len(kept) != 2 || kept[0] != "talk (completed)" || !strings.HasPrefix(kept[1], "word word") {
				t.Errorf("kept %d messages: %.20q", len(kept), kept)
			}
			stop(t, p, e)
		})
	}
}

// TestTheServerLeavesWithItsClient keeps both streams open after the client's process has
// ended, as another process that has inherited them does.
func TestTheServerLeavesWithItsClient(t *testing.T) {
	client := neighbor(t)
	p := serve(t, t.TempDir())
	p.initialize(t, manyFiles(t, 1), client.Process.Pid)
	in := textproto.NewReader(bufio.NewReader(p.ReadCloser))
	for receiveID(t, in) != "1" {
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.awaitLeave(t)
}

// TestWrongFramesOverAProcess sends each wrong frame and then a request, all to one
// process, and at last exit.
func TestWrongFramesOverAProcess(t *testing.T) {
	p := serve(t, t.TempDir())
	in := textproto.NewReader(bufio.NewReader(p.ReadCloser))
	for i, wrong := range wiretest.WrongFrames() {
		id := strconv.Itoa(100 + i)
		go io.WriteString(p.WriteCloser, wrong.Bytes+wiretest.Frame(`{"jsonrpc":"2.0","id":`+id+`,"method":"shutdown"}`))
		errors := 0
		for got := receiveID(t, in); got != id; got = receiveID(t, in) {
			errors++
		}
		if errors == 0 && !wrong.Silent {
			t.Errorf("%s: there was no error reply", wrong.Name)
		}
	}
	if _, err := io.WriteString(p.WriteCloser, "Content-Length: 1.5\r\n\r\n"+wiretest.Frame(`{"jsonrpc":"2.0","method":"exit"}`)); err != nil {
		t.Fatal(err)
	}
	p.awaitLeave(t)
}

// TestExitAfterEachWrongFrame ends one process for each wrong frame with exit.
func TestExitAfterEachWrongFrame(t *testing.T) {
	for _, wrong := range wiretest.WrongFrames() {
		t.Run(wrong.Name, func(t *testing.T) {
			p := serve(t, t.TempDir())
			p.send(t, `{"jsonrpc":"2.0","id":1,"method":"none"}`)
			in := textproto.NewReader(bufio.NewReader(p.ReadCloser))
			receiveID(t, in) // the time until the process has started is not its time to leave
			go io.Copy(io.Discard, in.R)
			if _, err := io.WriteString(p.WriteCloser, wrong.Bytes+wiretest.Frame(`{"jsonrpc":"2.0","method":"exit"}`)); err != nil {
				t.Fatal(err)
			}
			p.awaitLeave(t)
		})
	}
}
