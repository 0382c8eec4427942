package acp_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinesThatAreNoMessages are answered with the error of JSON-RPC, and end nothing.
func TestLinesThatAreNoMessages(t *testing.T) {
	t.Parallel()
	const ping = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}`
	for name, tt := range map[string]struct {
		line string
		code int
		id   string
	}{
		"half a line":         {ping[:40], -32700, "null"},
		"half of a UTF-8":     {`{"jsonrpc":"2.0","id":1,"method":"` + "\xe2\x82", -32700, "null"},
		"words":               {"hello", -32700, "null"},
		"two messages":        {ping + ping, -32700, "null"},
		"a comma too much":    {`{"jsonrpc":"2.0","id":1,"method":"initialize",}`, -32700, "null"},
		"NUL":                 {"\x00", -32700, "null"},
		"NULs around":         {"\x00" + ping + "\x00", -32700, "null"},
		"UTF-16":              {"\xff\xfe{\x00}\x00", -32700, "null"},
		"a head":              {"Content-Length: 20\r", -32700, "null"},
		"10 MB of words":      {strings.Repeat("hello ", 10<<20/6), -32700, "null"},
		"10 MB of brackets":   {strings.Repeat("[", 10<<20), -32700, "null"},
		"deep":                {`{"jsonrpc":"2.0","id":1,"method":"x","params":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}", -32700, "null"},
		"number":              {"1", -32600, "null"},
		"null":                {"null", -32600, "null"},
		"nothing in it":       {"{}", -32600, "null"},
		"an empty batch":      {"[]", -32600, "null"},
		"a batch":             {"[" + ping + "]", -32600, "null"},
		"no version":          {`{"id":"a b","method":"initialize"}`, -32600, `"a b"`},
		"other version":       {`{"jsonrpc":"1.0","id":1,"method":"initialize"}`, -32600, "1"},
		"version is a number": {`{"jsonrpc":2.0,"id":1,"method":"initialize"}`, -32600, "1"},
		"method is a number":  {`{"jsonrpc":"2.0","id":1,"method":1}`, -32600, "1"},
		"id is an object":     {`{"jsonrpc":"2.0","id":{},"method":"initialize"}`, -32600, "null"},
		"id is a truth":       {`{"jsonrpc":"2.0","id":true,"method":"initialize"}`, -32600, "null"},
		"params is a number":  {`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":1}`, -32602, "1"},
		"params is a list":    {`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":["x"]}`, -32602, "1"},
		"wrong types within":  {`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":1,"prompt":"x"}}`, -32602, "1"},
		"10 MB of prompt":     {`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"` + strings.Repeat("x", 10<<20) + `"}}`, -32602, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, lines, _ := dial(t, newFixture(t))
			lines.Buffer(nil, 32<<20)
			expect := func(sent string, parts ...string) {
				t.Helper()
				go fmt.Fprint(conn, sent)
				if !lines.Scan() {
					t.Fatal(lines.Err())
				}
				for _, part := range parts {
					if !strings.Contains(lines.Text(), part) {
						t.Errorf("answered with %.300s, want %s", lines.Text(), part)
					}
				}
			}
			expect(tt.line+"\n", `"id":`+tt.id+",", fmt.Sprintf(`"code":%d,`, tt.code))
			expect("\uFEFF\r\n\r\n \t\n\uFEFF "+ping+" \r\n", `"id":7,`, `"result"`)
		})
	}
}
