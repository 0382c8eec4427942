package mcpclient

import (
	"slices"
	"strings"
	"testing"
)

// TestFormsOfAnswers has servers that print their log between messages, and that answer in other forms than the one of the
// specification. All are understood.
func TestFormsOfAnswers(t *testing.T) {
	const whole = `{"jsonrpc":"2.0","id":ID,"result":RESULT}`
	for name, form := range map[string]string{
		"as specified":      whole,
		"words":             "[INFO] started\nlistening ...\n" + whole + "\nDEBUG: sent",
		"words in brackets": "[2026-01-02 03:04:05] ready\n[]\n[1,2]\n[" + "\n" + whole,
		"words in braces":   "{\n  \"level\": \"info\"\n}\n{starting}\n{}\n" + whole,
		"log in JSON": `{"level":"info","id":1,"method":"tools/list","result":{}}` + "\n" + whole + "\n" +
			`{"level":"debug","msg":"{\"jsonrpc\":\"2.0\"}"}`,
		"log of messages": `DEBUG <- {"jsonrpc":"2.0","id":ID,"method":"x"}` + "\n" + `[LOG] {"jsonrpc":"2.0","id":ID,"result":{}}` +
			"\n" + whole,
		"values":               "null\ntrue\n17\n\"jsonrpc\"\n" + whole,
		"bytes":                "\xff\xfe\x01\x1b[2J\x1b[32mready\x1b[0m\n" + whole,
		"byte order mark":      "\uFEFF" + whole,
		"a long log":           strings.Repeat("x", 100_000) + "\n" + whole,
		"a long log in braces": "{" + strings.Repeat("x", 100_000) + "\n" + whole,
		"empty lines, CRLF":    "\r\n\r\n  \t" + whole + " \r\n\r",
		"a batch":              "[" + whole + "]",
		"a batch and others":   `[{"level":"info"},` + whole + `,1]`,
		"id is a string":       `{"jsonrpc":"2.0","id":"ID","result":RESULT}`,
		"id is a fraction":     `{"jsonrpc":"2.0","id":ID.0,"result":RESULT}`,
		"id is both":           `{"jsonrpc":"2.0","id":"ID.0","result":RESULT}`,
		"id has an exponent":   `{"jsonrpc":"2.0","id":IDe0,"result":RESULT}`,
		"other ids before": strings.Join(allWith(`{"jsonrpc":"2.0","id":%,"result":{"wrong":1}}`, "null", "1.5", "99999", `"x"`, `""`, "-1",
			"true", "{}", "[ID]", "1e99"), "\n") + "\n" + whole,
		"errors of nothing": `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}` + "\n" +
			`{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}` + "\n" + whole,
		"no id":                 `{"jsonrpc":"2.0","result":{}}` + "\n" + whole,
		"an answer twice":       whole + "\n" + whole,
		"an error that is null": `{"jsonrpc":"2.0","id":ID,"error":null,"result":RESULT}`,
		"other order, members":  `{"result":RESULT,"more":[1],"id":ID,"jsonrpc":"2.0"}`,
		"notifications": `{"jsonrpc":"2.0","method":"notifications/unheard/of","params":[1]}` + "\n" +
			`{"jsonrpc":"2.0","id":null,"method":"x"}` + "\n" + whole,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{floodBytes: 256 << 10}, programOf(t, "it", "form", form))
			set := w.tools()
			for range 2 {
				w.expect(set, "it__go", `{}`, "it"+says+"went")
			}
		})
	}
}

// allWith returns the form with each of the values.
func allWith(form string, values ...string) (all []string) {
	for _, v := range values {
		all = append(all, strings.ReplaceAll(form, "%", v))
	}
	return all
}

// TestErrorsOfServers are told, whatever their form, and none is waited for.
func TestErrorsOfServers(t *testing.T) {
	for form, want := range map[string]string{
		`{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no database"}}`: "no database",
		`{"jsonrpc":"2.0","id":"ID","error":{"code":"E1","message":"no database"}}`: `{"code":"E1","message":"no database"}`,
		`{"jsonrpc":"2.0","id":ID,"error":"no database"}`:                           "no database",
		`{"jsonrpc":"2.0","id":ID,"error":["no database"]}`:                         "no database",
		`{"jsonrpc":"2.0","id":ID}`:                                                 "the answer is empty",
		`{"jsonrpc":"2.0","id":ID,"result":7}`:                                      "what it sends is not MCP",
		`{"jsonrpc":"1.0","id":ID,"result":RESULT}`:                                 "what it sends is not MCP",
		`{"jsonrpc":"2.0","id":ID,"result":RESULT`:                                  "what it sends is not MCP",
		`{ "jsonrpc" : "2.0", "id": ID, result: {}}`:                                "what it sends is not MCP",
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{}, programOf(t, "it", "form", form))
			_, notices := w.turn()
			if len(notices) != 1 || !strings.HasPrefix(notices[0], "the MCP server it can't be used now: ") || !strings.Contains(notices[0], want) {
				t.Errorf("notices: %q", notices)
			}
		})
	}
}

// TestPagesOfServers uses what was listed if the pages of a list repeat, have no end or break off.
func TestPagesOfServers(t *testing.T) {
	for kind, notice := range map[string]string{
		"same cursor":        "",
		"other cursors":      "",
		"two cursors":        "",
		"empty pages":        "its list of tools has more than 64 pages",
		"refuses the second": "a page of its list of tools is missing",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{}, programOf(t, "it", "pages", kind))
			set, notices := w.turn()
			if (notice != "") != (len(notices) == 1) || notice != "" && !strings.Contains(notices[0], notice) {
				t.Errorf("notices: %q", notices)
			}
			if got := names(set); !slices.Equal(got, []string{"it__go"}) {
				t.Fatalf("the tools are %q", got)
			}
			w.expect(set, "it__go", `{}`, "it"+says+"went")
		})
	}
}
