package lsp_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// fault is a faulty model server. The turn fails with an error that contains wantError or,
// if that is empty, succeeds with wantText.
type fault struct {
	name, wantError, wantText string
	kind                      ploke.ErrorKind
	serve                     http.HandlerFunc
}

func httpError(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		http.Error(w, `{"error":{"message":"the server's words"}}`, code)
	}
}

// stream sends the deltas of an answer, as JSON.
func stream(deltas ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range deltas {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", d)
		}
		w.(http.Flusher).Flush()
	}
}

// end sends an answer and its end.
func end(answer http.HandlerFunc, finish string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, r)
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	}
}

// toolCalls sends an answer with tool calls that all have the same id.
func toolCalls(name string, arguments ...string) http.HandlerFunc {
	var deltas []string
	for i, a := range arguments {
		deltas = append(deltas, fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"same","function":{"name":%q,"arguments":%q}}]}`, i, name, a))
	}
	return end(stream(deltas...), "tool_calls")
}

// stall sends an answer, if it is not nil, and then nothing more.
func stall(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // else the server does not notice that the client has disconnected
		if answer != nil {
			answer(w, r)
		}
		<-r.Context().Done()
	}
}

func abort(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, r)
		panic(http.ErrAbortHandler)
	}
}

var (
	partial = stream(`{"content":"half"}`)
	fine    = end(stream(`{"content":"fine"}`), "stop")

	faults = []fault{
		{name: "401", kind: ploke.ErrorAuth, wantError: "check the API key", serve: httpError(401)},
		{name: "402", kind: ploke.ErrorQuota, wantError: "no credit or quota", serve: httpError(402)},
		{name: "403", kind: ploke.ErrorAuth, wantError: "its permissions", serve: httpError(403)},
		{name: "404", kind: ploke.ErrorModel, wantError: "check the model's name", serve: httpError(404)},
		{name: "408", kind: ploke.ErrorBusy, wantError: "try again later", serve: httpError(408)},
		{name: "413", kind: ploke.ErrorContext, wantError: "too long for this model", serve: httpError(413)},
		{name: "429", kind: ploke.ErrorBusy, wantError: "too many requests", serve: httpError(429)},
		{name: "429 with Retry-After", kind: ploke.ErrorBusy, wantError: "it asks to wait 1h0m0s", serve: httpError(429, "Retry-After", "3600")},
		{name: "500", kind: ploke.ErrorBusy, wantError: "overloaded or down", serve: httpError(500)},
		{name: "502", kind: ploke.ErrorBusy, wantError: "overloaded or down", serve: httpError(502)},
		{name: "503", kind: ploke.ErrorBusy, wantError: "overloaded or down", serve: httpError(503)},
		{name: "529", kind: ploke.ErrorBusy, wantError: "overloaded or down", serve: httpError(529)},
		{name: "stall before the first byte", kind: ploke.ErrorNetwork, wantError: "the server sent nothing for 50ms", serve: stall(nil)},
		{name: "stall in mid-stream", kind: ploke.ErrorNetwork, wantError: "the server sent nothing for 50ms", serve: stall(partial)},
		{name: "cut stream", kind: ploke.ErrorNetwork, wantError: "the answer broke off", serve: abort(partial)},
		{name: "invalid JSON", kind: ploke.ErrorModel, wantError: "does not have the format of this type of provider", serve: stream("{nonsense")},
		{name: "empty choices", kind: ploke.ErrorModel, wantError: "it has no choices", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"choices\":[]}\n\ndata: [DONE]\n\n")
		}},
		{name: "invalid UTF-8", wantText: "a\uFFFDb", serve: end(stream("{\"content\":\"a\xffb\"}"), "stop")},
		{name: "truncated tool arguments", wantText: "fine", serve: toolCalls("list_dir", `{"dir":"`)},
		{name: "unknown tool", wantText: "fine", serve: toolCalls("nonesuch", `{}`)},
		{name: "duplicate call ids", wantText: "fine", serve: toolCalls("list_dir", `{}`, `{"dir":"shapes"}`)},
	}
)

// TestFaultsOverTheWire checks for each fault that the answer and the history have one
// error message, and that the conversation can continue.
func TestFaultsOverTheWire(t *testing.T) {
	t.Parallel()
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) { checkServedFault(t, tt) })
	}
	t.Run("connection refused", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		checkFault(t, fault{kind: ploke.ErrorNetwork, wantError: "the server is running"}, "http://"+l.Addr().String())
	})
	t.Run("TLS error", func(t *testing.T) {
		untrusted := newServer(t, fine)
		untrusted.StartTLS()
		checkFault(t, fault{kind: ploke.ErrorNetwork, wantError: "trusts the server's certificate"}, untrusted.URL)
	})
}

// TestAHugeAnswerOverTheWire checks that 10 MB arrive.
func TestAHugeAnswerOverTheWire(t *testing.T) {
	testbed.Long(t)
	huge := strings.Repeat("ten megabytes of it ", 10<<20/20)
	checkServedFault(t, fault{wantText: huge, serve: end(stream(fmt.Sprintf(`{"content":%q}`, huge)), "stop")})
}

// checkServedFault checks a fault of the first request to a server.
func checkServedFault(t *testing.T, tt fault) {
	t.Helper()
	var requests atomic.Int32
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			tt.serve(w, r)
		} else { // the next turn
			fine(w, r)
		}
	})
	server.Start()
	checkFault(t, tt, server.URL)
}

// newServer returns a server that logs nothing.
func newServer(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	s := httptest.NewUnstartedServer(llmtest.ChatOnly(serve))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// checkFault asks the server at url, and then a sound one in the same conversation.
func checkFault(t *testing.T, tt fault, url string) {
	healthy := httptest.NewServer(llmtest.ChatOnly(fine))
	defer healthy.Close()
	timeout := 60.0 // in seconds
	if strings.Contains(tt.wantError, "50ms") {
		timeout = 0.05
	}
	f := newFixture(t)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil, `{"limits": {"retries": 0}, "providers": {
		"faulty": {"type": "openai", "baseUrl": %q, "firstByteTimeout": %g, "idleTimeout": %[2]g},
		"sound":  {"type": "openai", "baseUrl": %[3]q}}}`, url+"/v1", timeout, healthy.URL+"/v1"))}
	e := f.startIndexed()
	before := len(e.Messages())
	result := e.Send(t.Context(), ploke.ChatSendParams{Text: "go", Model: "faulty/model"})
	reason, stored := ploke.StopDone, "completed"
	if tt.wantError != "" {
		reason, stored = ploke.StopError, "failed"
	}
	if result.StopReason != reason || tt.wantError == "" && result.Text != tt.wantText {
		t.Errorf("%s: %d bytes, %.80q", result.StopReason, len(result.Text), result.Text)
	}
	if !strings.Contains(result.Error, tt.wantError) || (tt.wantError == "") != (result.Error == "") ||
		strings.Count(result.Error, "faulty: ") > 1 {
		t.Errorf("the error is %q; want one that contains %q", result.Error, tt.wantError)
	}
	if more := e.Messages()[before:]; len(more) > 0 {
		t.Errorf("the person gets the error more than once: %+v", more)
	}
	var h ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: result.ConversationID}, &h)
	if m := h.Messages[1]; string(m.Status) != stored || m.Error != result.Error || m.ErrorKind != tt.kind || result.ErrorKind != tt.kind {
		t.Errorf("in the history the message is %s: %s %q; the result is %s", m.Status, m.ErrorKind, m.Error, result.ErrorKind)
	}
	next := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: result.ConversationID, Text: "and now?", Model: "sound/model"})
	if next.StopReason != ploke.StopDone || next.Text != "fine" {
		t.Errorf("the next turn is %+v", next)
	}
}

// TestAPlainEditorShowsWhyATurnEnded runs turns of commands in editors that do not support
// events. A turn without any answer is one error message, and no document.
func TestAPlainEditorShowsWhyATurnEnded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, message, document string
		turn                    llmtest.Turn
	}{
		{"a failure", "ploke: go: scripted: scripted error (HTTP 401): check the API key", "", llmtest.Turn{Status: 401}},
		{
			"a limit", "ploke: the answer is in ", "Half of it.\n\nThe turn ended early: the answer was cut off",
			llmtest.Turn{Text: []string{"Half of it."}, Finish: "length"},
		},
	} {
		for opens, capabilities := range map[bool]*protocol.ClientCapabilities{true: plain(nil), false: plain(withoutEdits)} {
			t.Run(fmt.Sprintf("%s, documents %v", tt.name, opens), func(t *testing.T) {
				f := newFixture(t)
				f.useModel(tt.turn)
				e := f.start(lsptest.Options{Capabilities: capabilities})
				e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandAsk, `"go"`), nil)
				awaitLine(t, e, tt.message)
				documents := mustGlob(t, filepath.Join(f.state, "*/documents/*"))
				if (len(documents) > 0) != (tt.document != "") || len(documents) > 0 && strings.Count(read(t, documents[0]), tt.document) != 1 {
					t.Errorf("the documents are %v", documents)
				}
				if got := len(e.Shown()) > 0; got != (opens && tt.document != "") {
					t.Errorf("a document was shown: %v", got)
				}
			})
		}
	}
}
