package acptest

import (
	"os"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestWhatTheSchemaDoesNotNameIsAViolation checks messages with a field, a kind or a method that is not in the schema, and
// each beside the same message without it.
func TestWhatTheSchemaDoesNotNameIsAViolation(t *testing.T) {
	_, err := os.Stat(schemaFile())
	testbed.Need(t, "the schema of ACP", err)
	update := func(update string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + update + `}}`
	}
	for name, m := range map[string]struct{ from, line, known, unknown string }{
		"parameter":          {"client", `{"jsonrpc":"2.0","id":1,"method":"session/close","params":{"sessionId":"s"}}`, `"s"}`, `"s","force":true}`},
		"capability":         {"client", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{}}}}`, `{}`, `{"delete":true}`},
		"block of a message": {"client", `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}}`, `"x"}`, `"x","lines":1}`},
		"update":             {"agent", update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t"}`), `"t"}`, `"t","state":1}`},
		"kind of update":     {"agent", update(`{"sessionUpdate":"plan","entries":[]}`), `"plan"`, `"plans"`},
		"content of a call":  {"agent", update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"diff","path":"/a","newText":"x"}]}`), `"x"}`, `"x","text":"y"}`},
		"location":           {"agent", update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","locations":[{"path":"/a"}]}`), `"/a"}`, `"/a","column":1}`},
		"choice":             {"agent", `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"o","name":"n","kind":"allow_once"}]}}`, `"n"`, `"n","icon":"i"`},
		"method":             {"agent", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}`, `fs/read_text_file`, `fs/stat`},
	} {
		t.Run(name, func(t *testing.T) {
			if err := newChecker(t).check(m.from, m.line); err != nil {
				t.Error(err)
			}
			if wrong := strings.Replace(m.line, m.known, m.unknown, 1); wrong == m.line || newChecker(t).check(m.from, wrong) == nil {
				t.Errorf("%s is no violation", wrong)
			}
		})
	}
}
