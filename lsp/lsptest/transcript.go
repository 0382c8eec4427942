package lsptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A Transcript has the messages of a connection. The zero value is empty.
type Transcript struct {
	mu       sync.Mutex
	messages []message
}

// A message is one message of a transcript.
type message struct {
	sent    bool   // by the editor
	id      string // of a request or its response, "" for a notification
	method  string // "" for a response
	payload json.RawMessage
	failure error // of a response
}

// take returns the messages since the last call.
func (t *Transcript) take() []message {
	t.mu.Lock()
	defer t.mu.Unlock()
	messages := t.messages
	t.messages = nil
	return messages
}

// takeAsked returns what the editor has asked since the last call, with the answers. Other messages stay.
func (t *Transcript) takeAsked() (asked []message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := map[string]bool{}
	t.messages = slices.DeleteFunc(t.messages, func(m message) bool {
		if m.sent && m.method != "" {
			mine[m.id] = m.id != ""
		} else if m.sent || m.method != "" || !mine[m.id] {
			return false
		}
		asked = append(asked, m)
		return true
	})
	return asked
}

// has reports whether a message that was not taken has all of some texts.
func (t *Transcript) has(texts ...string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.messages {
		whole := append([]byte(m.method+" "), m.payload...)
		found := true
		for _, text := range texts {
			found = found && bytes.Contains(whole, []byte(text))
		}
		if found {
			return true
		}
	}
	return false
}

func (t *Transcript) add(sent bool, m jsonrpc2.Message) {
	entry := message{sent: sent}
	switch m := m.(type) {
	case *jsonrpc2.Call:
		entry.id, entry.method, entry.payload = fmt.Sprint(m.ID()), strings.Clone(m.Method()), bytes.Clone(m.Params())
	case *jsonrpc2.Notification:
		entry.method, entry.payload = strings.Clone(m.Method()), bytes.Clone(m.Params())
	case *jsonrpc2.Response:
		entry.id, entry.payload, entry.failure = fmt.Sprint(m.ID()), bytes.Clone(m.Result()), m.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.messages = append(t.messages, entry)
}

// A recordedStream adds all messages to a transcript.
type recordedStream struct {
	jsonrpc2.Stream
	to *Transcript
}

// recorded returns a stream that is recorded, if the options say so.
func (e *Editor) recorded(s jsonrpc2.Stream) jsonrpc2.Stream {
	if e.options.Transcript == nil {
		return s
	}
	return &recordedStream{s, e.options.Transcript}
}

// Read returns the next message of the server.
func (s *recordedStream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	m, n, err := s.Stream.Read(ctx)
	if err == nil {
		s.to.add(false, m)
	}
	return m, n, err
}

// Write sends a message of the editor. It is recorded as it is on the wire.
func (s *recordedStream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	text, err := jsonrpc2.EncodeMessage(m)
	if err != nil {
		return 0, err
	}
	onWire, err := jsonrpc2.DecodeMessage(text)
	if err != nil {
		return 0, err
	}
	s.to.add(true, onWire)
	return s.Stream.Write(ctx, m)
}

// A dialog has the messages of one step in an order that does not depend on goroutines: what each side asks, with its
// answer; then what the editor tells of documents that the server has changed; then what the server tells.
type dialog struct {
	exchanges []exchange
	told      []message
	published []message // the last diagnostics of each document
	events    []message
}

// An exchange is a message, and what belongs to it.
type exchange struct {
	message
	parts  []json.RawMessage // partial results
	answer *message
}

// hidden are messages whose number depends on time.
var hidden = map[string]bool{
	protocol.MethodWindowWorkDoneProgressCreate: true,
	protocol.MethodWorkspaceCodeLensRefresh:     true,
	protocol.MethodWindowLogMessage:             true,
	protocol.MethodClientRegisterCapability:     true,
}

// arrange arranges the messages of a step.
func arrange(messages []message) (d dialog) {
	for i, m := range messages {
		switch {
		case m.method == "":
			d.answer(m)
		case m.method == protocol.MethodProgress:
			d.progress(m)
		case m.method == ploke.MethodEvent:
			if !bytes.Contains(m.payload, []byte(`"type":"index"`)) { // how many come depends on time
				d.events = append(d.events, m)
			}
		case m.method == protocol.MethodTextDocumentPublishDiagnostics:
			d.publish(m)
		case m.sent && m.id == "" && i > 0:
			d.told = append(d.told, m)
		case !hidden[m.method]:
			d.exchanges = append(d.exchanges, exchange{message: m})
		}
	}
	return d
}

// answer adds a response to its request.
func (d *dialog) answer(m message) {
	for i := range d.exchanges {
		if asked := &d.exchanges[i]; asked.id == m.id && asked.sent != m.sent && asked.answer == nil {
			asked.answer = &m
			return
		}
	}
}

// progress adds a partial result to the request that has its token.
func (d *dialog) progress(m message) {
	var p struct{ Token, Value json.RawMessage }
	if json.Unmarshal(m.payload, &p) != nil {
		return
	}
	for i := range d.exchanges {
		var asked struct{ PartialResultToken json.RawMessage }
		if json.Unmarshal(d.exchanges[i].payload, &asked) == nil && bytes.Equal(asked.PartialResultToken, p.Token) {
			d.exchanges[i].parts = append(d.exchanges[i].parts, p.Value)
			return
		}
	}
}

// publish keeps the last diagnostics of a document.
func (d *dialog) publish(m message) {
	for i := range d.published {
		if documentOf(d.published[i]) == documentOf(m) {
			d.published[i] = m
			return
		}
	}
	d.published = append(d.published, m)
}

func documentOf(m message) string {
	var p struct {
		URI          string
		TextDocument struct{ URI string }
	}
	_ = json.Unmarshal(m.payload, &p)
	return p.URI + p.TextDocument.URI
}
