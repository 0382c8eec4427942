package mux

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/wire"
)

// sink takes what is written, and has nothing to read until it is closed.
type sink struct {
	io.Reader
	io.Closer
	bytes.Buffer
}

func newSink() *sink {
	r, w := io.Pipe()
	return &sink{Reader: r, Closer: w}
}

func (s *sink) Read(p []byte) (int, error) { return s.Reader.Read(p) }

// bodies returns the messages that were written.
func (s *sink) bodies() (all []string) {
	for _, frame := range strings.Split(s.String(), "Content-Length: ")[1:] {
		_, body, _ := strings.Cut(frame, "\r\n\r\n")
		all = append(all, body)
	}
	return all
}

// FuzzMessages has an editor and two servers send lines: the first letter says who. Whatever they send, each request of
// the editor has at most one answer, and all that is sent is JSON.
func FuzzMessages(f *testing.F) {
	const start = `e{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}
i{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"hoverProvider":true,"codeActionProvider":true,"textDocumentSync":2}}}
o{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"hoverProvider":true,"codeActionProvider":{"codeActionKinds":["a"]}}}}
e{"jsonrpc":"2.0","method":"initialized","params":{}}
`
	f.Add(start + `e{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.go"}}}
i{"jsonrpc":"2.0","id":2,"result":{"contents":["x",{"language":"go","value":"y"}]}}
o{"jsonrpc":"2.0","id":2,"result":{"contents":{"kind":"plaintext","value":"z"}}}
i{"jsonrpc":"2.0","id":2,"result":null}`)
	f.Add(start + `i{"jsonrpc":"2.0","id":"x","method":"window/workDoneProgress/create","params":{"token":1}}
o{"jsonrpc":"2.0","id":7,"method":"window/workDoneProgress/create","params":{"token":1}}
i{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"t"}}}
e{"jsonrpc":"2.0","id":1,"result":null}
x
e{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":1}}`)
	const watchers = `"params":{"registrations":[{"id":"a","method":"m","registerOptions":{"watchers":[{"globPattern":"**/{a,[!b]}*"}]}}]}}`
	f.Add(start + `o{"jsonrpc":"2.0","id":3,"method":"client/registerCapability",` + watchers + `
i{"jsonrpc":"2.0","id":3,"method":"client/registerCapability",` + watchers + `
e{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"file:///c","type":1}]}}
i{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.go","version":1,"diagnostics":[{}]}}
o{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.go","diagnostics":[{},7]}}
e{"jsonrpc":"2.0","id":4,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///a.go"},"context":{"diagnostics":[{}]}}}
x
e{"jsonrpc":"2.0","id":5,"method":"shutdown"}`)
	f.Add(start + `e{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.go","version":1,"languageId":"go"}}}
o{"jsonrpc":"2.0","id":1,"method":"ploke/client/lspServers","params":{"uri":"file:///a.go"}}
o{"jsonrpc":"2.0","id":2,"method":"ploke/client/lsp","params":{"server":"inner","uri":"file:///a.go","version":1,` + `"method":"textDocument/definition","params":{}}}
e{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	f.Fuzz(func(t *testing.T, lines string) {
		m := New(Options{Command: []string{"inner"}, StartTime: time.Hour, Patience: time.Hour, CallTime: time.Hour,
			StopTime: time.Hour, Own: func(u string) bool { return strings.Contains(u, "own") }})
		editor, inner, ours := newSink(), newSink(), newSink()
		m.editor = wire.NewStream(editor, wire.Events{})
		m.inner.connect(inner, nil)
		m.ours.connect(ours, nil)
		asked := map[string]int{}
		for line := range strings.Lines(lines) {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			msg, err := jsonrpc2.DecodeMessage([]byte(line[1:]))
			if (err != nil || !json.Valid([]byte(line[1:]))) && line[0] != 'x' { // which a stream does not pass on
				continue
			}
			m.mu.Lock()
			switch line[0] {
			case 'e':
				if c, ok := msg.(*jsonrpc2.Call); ok {
					id := c.ID()
					asked[idKey(id)]++
				}
				m.fromEditor(msg)
			case 'i':
				m.fromServer(m.inner, msg)
			case 'o':
				m.fromServer(m.ours, msg)
			case 'x':
				m.endInner("it has crashed")
			}
			m.mu.Unlock()
		}
		for _, s := range []*wire.Stream{m.editor, m.inner.stream, m.ours.stream} {
			s.Flush(context.Background())
			s.Close()
		}
		for _, to := range []*sink{editor, inner, ours} {
			for _, body := range to.bodies() {
				if !json.Valid([]byte(body)) {
					t.Errorf("not JSON: %q", body)
				}
			}
		}
		for _, body := range editor.bodies() {
			msg, err := jsonrpc2.DecodeMessage([]byte(body))
			if err != nil {
				t.Errorf("%v: %s", err, body)
			}
			if r, ok := msg.(*jsonrpc2.Response); ok {
				if id := r.ID(); id.IsValid() {
					if asked[idKey(id)]--; asked[idKey(id)] < 0 {
						t.Errorf("an answer too many: %s", body)
					}
				}
			}
		}
	})
}

func idKey(id jsonrpc2.ID) string {
	if n, ok := id.Number(); ok {
		return string(mustMarshal(n))
	}
	text, _ := id.StringValue()
	return string(mustMarshal(text))
}
