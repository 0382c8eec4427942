package session

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// quiet keeps what a server says of a bad client out of the test's output.
var quiet = log.New(io.Discard, "", 0)

// fault is one way in which a model server fails.
type fault struct {
	name   string
	class  llm.Class
	says   string // the one message that the user gets
	serve  func(w http.ResponseWriter, r *http.Request, p wireProtocol)
	server func(t *testing.T) (base string) // instead of serve
	limit  time.Duration                    // of silence
	only   string                           // the wire that can say this, if not all can
}

// refuses answers with a status and an error object.
func refuses(status int, header ...string) func(http.ResponseWriter, *http.Request, wireProtocol) {
	return func(w http.ResponseWriter, _ *http.Request, _ wireProtocol) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"the_type","message":"the server's words"}}`)
	}
}

// sends answers with a stream, which then ends.
func sends(body func(p wireProtocol) string) func(http.ResponseWriter, *http.Request, wireProtocol) {
	return func(w http.ResponseWriter, _ *http.Request, p wireProtocol) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body(p))
		w.(http.Flusher).Flush()
	}
}

func half(p wireProtocol) string { return p.text(`"half"`) }

// breaksOff sends the beginning of an answer, and closes the connection.
func breaksOff(w http.ResponseWriter, r *http.Request, p wireProtocol) {
	sends(half)(w, r, p)
	panic(http.ErrAbortHandler)
}

// goesQuiet sends the beginning of an answer, and no more.
func goesQuiet(w http.ResponseWriter, r *http.Request, p wireProtocol) {
	sends(half)(w, r, p)
	<-r.Context().Done()
}

func staysQuiet(_ http.ResponseWriter, r *http.Request, _ wireProtocol) {
	_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client leave
	<-r.Context().Done()
}

func nobodyListens(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return "http://" + l.Addr().String()
}

// untrusted has a self-signed certificate.
func untrusted(t *testing.T) string {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func plainBehindHTTPS(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "http:", "https:", 1)
}

// oldTLS speaks a version that is no longer taken.
func oldTLS(t *testing.T) string {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.TLS = &tls.Config{MaxVersion: tls.VersionTLS10}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

var faults = []fault{
	{name: "connection refused", class: llm.Network, says: "the server is running", server: nobodyListens},
	{name: "untrusted certificate", class: llm.TLS, says: "trusts the server's certificate", server: untrusted},
	{name: "HTTP where HTTPS is expected", class: llm.TLS, says: "right scheme, http or https", server: plainBehindHTTPS},
	{name: "TLS of another age", class: llm.TLS, says: "right scheme, http or https", server: oldTLS},
	{name: "401", class: llm.Auth, says: "the server's words (HTTP 401): check the API key", serve: refuses(401)},
	{name: "402", class: llm.Quota, says: "no credit or quota", serve: refuses(402)},
	{name: "403", class: llm.Auth, says: "its permissions", serve: refuses(403)},
	{name: "404", class: llm.NotFound, says: "check the model's name", serve: refuses(404)},
	{name: "408", class: llm.Overloaded, says: "try again later", serve: refuses(408)},
	{name: "413", class: llm.ContextTooLong, says: "too long for this model", serve: refuses(413)},
	{name: "429", class: llm.RateLimit, says: "too many requests", serve: refuses(429)},
	{name: "429, soon", class: llm.RateLimit, says: "it asks to wait 2s", serve: refuses(429, "Retry-After", "2")},
	{name: "429, in an hour", class: llm.RateLimit, says: "it asks to wait 1h0m0s", serve: refuses(429, "Retry-After", "3600")},
	{name: "500", class: llm.Overloaded, says: "overloaded or down", serve: refuses(500)},
	{name: "502", class: llm.Overloaded, says: "overloaded or down", serve: refuses(502)},
	{name: "503", class: llm.Overloaded, says: "overloaded or down", serve: refuses(503)},
	{name: "529", class: llm.Overloaded, says: "(HTTP 529): the provider is overloaded or down", serve: refuses(529)},
	{name: "silence before the first byte", class: llm.Stalled, says: "the server sent nothing for 50ms", serve: staysQuiet, limit: 50 * time.Millisecond},
	{name: "silence in mid-stream", class: llm.Stalled, says: "the server sent nothing for 50ms", serve: goesQuiet, limit: 50 * time.Millisecond},
	{name: "a stream that breaks off", class: llm.Network, says: "the answer broke off", serve: breaksOff},
	{name: "a stream without an end", class: llm.Network, says: "the answer broke off", serve: sends(half)},
	{name: "invalid JSON", class: llm.BadResponse, says: "does not have the format of this type of provider", serve: sends(func(p wireProtocol) string { return p.event("{nonsense") })},
	{name: "a stream of nothing", class: llm.BadResponse, says: "the answer is empty", serve: sends(func(wireProtocol) string { return "" })},
	{name: "empty choices", class: llm.BadResponse, says: "it has no choices", serve: sends(func(wireProtocol) string { return data(`{"choices":[]}`) + data("[DONE]") }),
		only: "chat completions"},
}

// TestFaults requires for each fault and protocol that the turn ends with one clear
// message, and that the conversation continues once the server works.
func TestFaults(t *testing.T) {
	for _, p := range wireProtocols {
		for _, f := range faults {
			if f.only == "" || f.only == p.name {
				t.Run(p.name+"/"+f.name, func(t *testing.T) { checkFault(t, p, f) })
			}
		}
	}
}

func checkFault(t *testing.T, p wireProtocol, f fault) {
	h, well := startFaulty(t, p, f)
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	var e *llm.Error
	if !errors.As(outcome.Err, &e) || e.Class != f.class || outcome.StopReason != bus.StopError {
		t.Fatalf("%+v", outcome)
	}
	message := outcome.Err.Error()
	if !strings.HasPrefix(message, "test: ") || strings.Count(message, "test: ") != 1 || !strings.Contains(message, f.says) {
		t.Errorf("the message is %q; want one that says %q", message, f.says)
	}
	if ends := seen[bus.TurnFinished](h); len(ends) != 1 || ends[0].Error != message {
		t.Errorf("published: %+v", ends)
	}
	if m := h.history(t, turn.ConversationID)[1]; m.Status != records.Failed || m.Error != message {
		t.Errorf("stored: %+v", m)
	}
	well.Store(true)
	if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"}); outcome.Text != "fine" || outcome.Err != nil {
		t.Errorf("afterwards: %+v", outcome)
	}
}

// startFaulty runs an engine whose server fails as f says until well is set.
func startFaulty(t *testing.T, p wireProtocol, f fault) (h *harness, well *atomic.Bool) {
	t.Helper()
	well = new(atomic.Bool)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if well.Load() {
			sends(func(p wireProtocol) string { return p.answer("fine") })(w, r, p)
		} else {
			f.serve(w, r, p)
		}
	}))
	server.Config.ErrorLog = quiet
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	base := server.URL
	if f.server != nil {
		base = f.server(t)
	}
	faulty, sound := p.provider(base, f.limit, f.limit), p.provider(server.URL, 0, 0)
	h = start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			m := llm.Model{Provider: faulty, ID: "m", ContextTokens: 100_000}
			if well.Load() {
				m.Provider = sound
			}
			return m, nil
		}
	})
	return h, well
}

// TestOddAnswers sends unusual but valid answers.
func TestOddAnswers(t *testing.T) {
	pieces := testbed.Size(1<<10, 1<<6)
	huge := strings.Repeat("twenty bytes of much", pieces*(10<<10)/20)
	tests := []struct {
		name   string
		answer func(p wireProtocol) string
		text   string // of the whole turn
		says   string // the limit that ended it
		calls  string // codes of the calls
		except string // the wire that can't say this
	}{
		{name: "invalid UTF-8", answer: func(p wireProtocol) string { return p.text("\"a\xffb\"") + p.end("stop") }, text: "a\uFFFDb"},
		{name: "truncated arguments", answer: func(p wireProtocol) string { return p.call(0, "a", `{"text":"`) + p.end("calls") },
			text: "fine", calls: "invalid", except: "ollama"},
		{name: "arguments cut at the limit", answer: func(p wireProtocol) string { return half(p) + p.call(0, "a", `{"text":"`) + p.end("length") },
			text: "half\n\nfine", except: "ollama"},
		{name: "arguments that are no object", answer: func(p wireProtocol) string { return p.call(0, "a", `[1]`) + p.end("calls") }, text: "fine", calls: "invalid"},
		{name: "no arguments", answer: func(p wireProtocol) string { return p.call(0, "a", `{}`) + p.end("calls") }, text: "fine", calls: "ok"},
		{name: "duplicate call ids", answer: func(p wireProtocol) string { return p.call(0, "a", `{}`) + p.call(1, "a", `{}`) + p.end("calls") }, text: "fine", calls: "ok ok"},
		{name: "no call ids", answer: func(p wireProtocol) string { return p.call(0, "", `{}`) + p.call(1, "", `{}`) + p.end("calls") }, text: "fine", calls: "ok ok", except: "chat completions"},
		{name: "unknown tool", answer: func(p wireProtocol) string {
			return strings.ReplaceAll(p.call(0, "a", `{}`), "echo", "nonesuch") + p.end("calls")
		},
			text: "fine", calls: "invalid"},
		{name: "no answer", answer: func(p wireProtocol) string { return p.end("stop") }, text: "fine"},
		{name: "thoughts alone", answer: func(p wireProtocol) string { return p.thought(`"hm"`) + p.end("stop") }, text: "fine"},
		{name: "much in many pieces", answer: func(p wireProtocol) string {
			return strings.Repeat(p.text(quote(huge[:10<<10])), pieces) + p.end("stop")
		}, text: strings.Repeat(huge[:10<<10], pieces)},
		{name: "much in one piece", answer: func(p wireProtocol) string { return p.answer(huge) }, text: huge},
	}
	for _, p := range wireProtocols {
		for _, tt := range tests {
			if tt.except == p.name {
				continue
			}
			t.Run(p.name+"/"+tt.name, func(t *testing.T) {
				var asked atomic.Int32
				h, well := startFaulty(t, p, fault{serve: sends(func(p wireProtocol) string {
					if asked.Add(1) == 1 {
						return tt.answer(p)
					}
					return p.answer("fine")
				})})
				h.patience = time.Minute // many megabytes come without an event
				turn, outcome := h.ask(t, Prompt{Text: "go"})
				if outcome.Text != tt.text || (outcome.Err == nil) != (tt.says == "") ||
					outcome.Err != nil && !strings.Contains(outcome.Err.Error(), tt.says) {
					t.Errorf("%d bytes, %q, %v", len(outcome.Text), outcome.Text[:min(len(outcome.Text), 80)], outcome.Err)
				}
				if got := codes(h.history(t, turn.ConversationID)[1].Calls); got != tt.calls {
					t.Errorf("calls: %q, want %q", got, tt.calls)
				}
				well.Store(true)
				if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"}); outcome.Text != "fine" || outcome.Err != nil {
					t.Errorf("afterwards: %+v", outcome)
				}
			})
		}
	}
}

func codes(calls []records.ToolCall) string {
	var out []string
	for _, c := range calls {
		out = append(out, cmp.Or(string(c.Code), "ok"))
	}
	return strings.Join(out, " ")
}

// TestStopOnEachProtocol requires that a stop reaches the server, and that the text
// so far is kept.
func TestStopOnEachProtocol(t *testing.T) {
	for _, p := range wireProtocols {
		t.Run(p.name, func(t *testing.T) {
			gone := make(chan struct{})
			h, _ := startFaulty(t, p, fault{serve: func(w http.ResponseWriter, r *http.Request, p wireProtocol) {
				goesQuiet(w, r, p)
				close(gone)
			}})
			turn, err := h.Start(t.Context(), Prompt{Text: "go"})
			if err != nil {
				t.Fatal(err)
			}
			await(h, func(e bus.MessageDelta) bool { return e.Text == "half" })
			turn.Stop()
			if outcome := h.wait(t, turn); outcome.Text != "half" || outcome.StopReason != bus.StopCancelled || outcome.Err != nil {
				t.Errorf("%+v", outcome)
			}
			testbed.Receive(t, gone, "the server to see the client leave")
		})
	}
}
