package lsp

import (
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// TestASkippedDocumentIsNamed reads didOpen messages over the limit, with the members in
// several orders, and a text that looks like members.
func TestASkippedDocumentIsNamed(t *testing.T) {
	text := `"text":"` + strings.Repeat(`\"uri\":\"file:///wrong\",\"method\":\"textDocument/didChange\"\n`, maxMessageBytes/60) + `"`
	uri := `"uri":"file:///right/\"%C3%A9\".go"`
	for name, tt := range map[string]struct{ method, body string }{
		"the text last":    {"textDocument/didOpen", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{` + uri + `,"version":1,` + text + `}}}`},
		"the text first":   {"textDocument/didOpen", `{"params":{"textDocument":{` + text + `,"version":1, "uri" : ` + uri[6:] + `}},"method":"textDocument/didOpen","jsonrpc":"2.0"}`},
		"the URI first":    {"textDocument/didOpen", `{"params":{"textDocument":{` + uri + `,` + text + `}},"method":"textDocument/didOpen","jsonrpc":"2.0"}`},
		"a didChange":      {"textDocument/didChange", `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{` + uri + `,"version":1},"contentChanges":[{` + text + `}]}}`},
		"no URI":           {"", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{` + text + `}}}`},
		"another message":  {"", `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{` + uri + `},` + text + `}}`},
		"nothing but text": {"", `{` + text + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			wire := &fakeConn{Reader: strings.NewReader(framed(tt.body) + framed(`{"jsonrpc":"2.0","method":"next"}`))}
			s := newStream(wire)
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
			drain(s)
			if tt.method == "" {
				if n.Method() != "next" || !strings.Contains(wire.String(), "over the limit") {
					t.Errorf("got %s, and the client was told %s", n.Method(), wire.String())
				}
				return
			}
			var params struct {
				TextDocument struct{ URI string }
				Unread       unreadError
			}
			if err := json.Unmarshal(n.Params(), &params); err != nil {
				t.Fatal(err)
			}
			if n.Method() != tt.method || params.TextDocument.URI != `file:///right/%22%C3%A9%22.go` || !params.Unread.TooLong {
				t.Errorf("got %s of %+v", n.Method(), params)
			}
		})
	}
}

func TestTheEndsOfASkippedBodyAreKept(t *testing.T) {
	body := strings.Repeat("a", endBytes) + strings.Repeat("b", 3*endBytes) + strings.Repeat("c", endBytes)
	for _, step := range []int{1, 7, endBytes - 1, endBytes, endBytes + 1, len(body)} {
		var e ends
		if _, err := io.CopyBuffer(&e, struct{ io.Reader }{strings.NewReader(body)}, make([]byte, step)); err != nil {
			t.Fatal(err)
		}
		if string(e.head) != body[:endBytes] || string(e.tail) != body[len(body)-endBytes:] {
			t.Errorf("in steps of %d, the ends are %.9q… and %.9q…", step, e.head, e.tail)
		}
	}
}
