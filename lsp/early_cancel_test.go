package lsp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/wire/wiretest"
	"ploke-lsp/session/llm/llmtest"
)

// useEndlessModel makes the fixture's model one whose answers don't end, and counts the
// requests to it.
func (f *fixture) useEndlessModel() (asked *atomic.Int32) {
	asked = new(atomic.Int32)
	server := httptest.NewServer(llmtest.ChatOnly(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"The beginning"}}]}`+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	f.t.Cleanup(server.Close)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "scripted/model", "providers": {"scripted": {"type": "openai", "baseUrl": %q}}}`, server.URL+"/v1"))}
	return asked
}

const cancelW = `{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":"w"}}`

// TestCancelByATokenBeforeItsProgressBegins holds the request back by a client that is
// slow to send its settings.
func TestCancelByATokenBeforeItsProgressBegins(t *testing.T) {
	f := newFixture(t)
	asked := f.useEndlessModel()
	e := f.startBare(t, `{"workspace":{"configuration":true}}`)
	settings := e.await("the request for settings", method("workspace/configuration"))
	e.send(`{"jsonrpc":"2.0","id":1,"method":"ploke/chat/send","params":{"text":"talk","workDoneToken":"w"}}`)
	e.send(cancelW)
	e.send(`{"jsonrpc":"2.0","id":2,"method":"ploke/index/status"}`)
	e.await("the reply to a later request", replyTo("2")) // so the cancellation has been read
	e.send(`{"jsonrpc":"2.0","id":%s,"result":[null]}`, settings.ID)
	if reply := e.await("the reply", replyTo("1")); reply.Error == nil || reply.Error.Code != -32800 {
		t.Errorf("the cancelled request was answered with %s", reply.Result)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// TestCancelByATokenRightAfterTheRequest sends both at once, in each spelling of the token.
func TestCancelByATokenRightAfterTheRequest(t *testing.T) {
	f := newFixture(t)
	f.useEndlessModel()
	e := f.startBare(t, `{}`)
	for i, tokens := range [][2]string{{`"w"`, `"w"`}, {`"w"`, `"\u0077"`}, {`7`, `7`}, {`7`, `7.0`}, {`1e2`, `100`}, {`18446744073709551616`, `18446744073709551616`}} {
		text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ploke/chat/send","params":{"text":"talk","workDoneToken":%s}}`, i, tokens[0])
		cancel := fmt.Sprintf(`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":%s}}`, tokens[1])
		if _, err := io.WriteString(e.conn, wiretest.Frame(text)+wiretest.Frame(cancel)); err != nil {
			t.Fatal(err)
		}
		reply := e.await("the reply", replyTo(strconv.Itoa(i)))
		if cancelled := reply.Error != nil && reply.Error.Code == -32800; !cancelled &&
			!strings.Contains(string(reply.Result), `"stopReason":"cancelled"`) {
			t.Errorf("with the token %s, cancelled as %s: %s", tokens[0], tokens[1], reply.Result)
		}
	}
}

// TestCancelOfAProgressThatIsBeingCreated cancels before it answers that there is one.
func TestCancelOfAProgressThatIsBeingCreated(t *testing.T) {
	f := newFixture(t)
	f.useEndlessModel()
	e := f.startBare(t, `{"window":{"workDoneProgress":true}}`)
	e.send(`{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"ploke.ask","arguments":[{"text":"talk"}]}}`)
	for {
		create := e.await("the progress of the turn", method("window/workDoneProgress/create"))
		var p struct{ Token json.RawMessage }
		if err := json.Unmarshal(create.Params, &p); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(p.Token), "indexing") {
			e.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"not now"}}`, create.ID)
			continue
		}
		e.send(`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":%s}}`, p.Token)
		e.send(`{"jsonrpc":"2.0","id":%s,"result":null}`, create.ID)
		if end := e.await("the end of the progress", progressOf(string(p.Token), `"end"`)); !strings.Contains(string(end.Params), "cancelled") {
			t.Errorf("the progress ended with %s", end.Params)
		}
		return
	}
}

// TestEveryProgressEndsBeforeTheServer lets the editor leave while two turns are shown.
func TestEveryProgressEndsBeforeTheServer(t *testing.T) {
	for _, farewell := range []string{
		`{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		f := newFixture(t)
		f.useEndlessModel()
		e := f.startBare(t, `{"window":{"workDoneProgress":true}}`)
		e.send(`{"jsonrpc":"2.0","id":1,"method":"ploke/chat/send","params":{"text":"talk","workDoneToken":"w"}}`)
		e.send(`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"ploke.ask","arguments":[{"text":"talk"}]}}`)
		begun := map[string]bool{}
		record := func(m message) (kind string) {
			var p struct {
				Token json.RawMessage
				Value struct{ Kind string }
			}
			switch m.Method {
			case "window/workDoneProgress/create":
				e.send(`{"jsonrpc":"2.0","id":%s,"result":null}`, m.ID)
			case "$/progress":
				if err := json.Unmarshal(m.Params, &p); err != nil {
					t.Fatal(err)
				}
				switch p.Value.Kind {
				case "begin":
					begun[string(p.Token)] = true
				case "end":
					delete(begun, string(p.Token))
				}
			}
			return p.Value.Kind
		}
		for turns := 0; turns < 2; {
			m := e.await("the progress of two turns", func(m message) bool { return record(m) == "begin" })
			if !strings.Contains(string(m.Params), "indexing") {
				turns++
			}
		}
		e.send("%s", farewell)
		for m := range e.received {
			record(m)
			if string(m.ID) == `"shutdown"` {
				break
			}
		}
		if len(begun) > 0 {
			t.Errorf("after %s these had not ended: %v", farewell, begun)
		}
	}
}
