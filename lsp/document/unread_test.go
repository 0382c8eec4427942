package document

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/wire"
	"ploke-lsp/internal/wire/wiretest"
)

// A scriptedConn is a client whose messages come from a reader.
type scriptedConn struct {
	io.Reader
	bytes.Buffer
}

func (c *scriptedConn) Read(p []byte) (int, error) { return c.Reader.Read(p) }
func (*scriptedConn) Close() error                 { return nil }

// TestASkippedDocumentIsNamed reads didOpen messages over the limit, with the members in
// several orders, and a text that looks like members.
func TestASkippedDocumentIsNamed(t *testing.T) {
	testbed.Long(t)
	text := `"text":"` + strings.Repeat(`\"uri\":\"file:///wrong\",\"method\":\"textDocument/didChange\"\n`, wire.MaxMessageBytes/60) + `"`
	uri := `"uri":"file:///right/\"%C3%A9\".go"`
	for name, tt := range map[string]struct{ method, body string }{
		"the text last":    {"textDocument/didOpen", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{` + uri + `,"version":1,` + text + `}}}`},
		"the text first":   {"textDocument/didOpen", `{"params":{"textDocument":{` + text + `,"version":1, "uri" : ` + uri[6:] + `}},"method":"textDocument/didOpen","jsonrpc":"2.0"}`},
		"the URI first":    {"textDocument/didOpen", `{"params":{"textDocument":{` + uri + `,` + text + `}},"method":"textDocument/didOpen","jsonrpc":"2.0"}`},
		"a didChange":      {"textDocument/didChange", `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{` + uri + `,"version":1},"contentChanges":[{` + text + `}]}}`},
		"a notebook":       {"notebookDocument/didOpen", `{"jsonrpc":"2.0","method":"notebookDocument/didOpen","params":{"notebookDocument":{` + uri + `,"cells":[]},"cellTextDocuments":[{` + text + `}]}}`},
		"no URI":           {"", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{` + text + `}}}`},
		"another message":  {"", `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{` + uri + `},` + text + `}}`},
		"nothing but text": {"", `{` + text + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			conn := &scriptedConn{Reader: strings.NewReader(wiretest.Frame(tt.body) + wiretest.Frame(`{"jsonrpc":"2.0","method":"next"}`))}
			s := wire.NewStream(conn, wire.Events{Unread: Unread})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			msg, _, err := s.Read(context.Background())
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
				t.Errorf("skipping the message allocated %d bytes", allocated)
			}
			n := msg.(*jsonrpc2.Notification)
			s.Flush(t.Context())
			s.Close()
			if told := conn.String(); !strings.Contains(told, "over the limit") {
				t.Errorf("the client was told %s", told)
			}
			if tt.method == "" {
				if n.Method() != "next" {
					t.Errorf("got %s", n.Method())
				}
				return
			}
			var params struct {
				TextDocument, NotebookDocument struct{ URI string }
				Unread                         unreadError
			}
			if err := json.Unmarshal(n.Params(), &params); err != nil {
				t.Fatal(err)
			}
			named := params.TextDocument
			if strings.HasPrefix(tt.method, "notebook") {
				named = params.NotebookDocument
			}
			if n.Method() != tt.method || named.URI != `file:///right/%22%C3%A9%22.go` || !params.Unread.TooLong {
				t.Errorf("got %s of %+v", n.Method(), params)
			}
		})
	}
}
