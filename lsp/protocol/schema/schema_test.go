package schema

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name  string
		check func(string, []byte) error
		of    string
		raw   string
		ok    bool
	}{
		{"a result", CheckResult, "ploke/chat/create", `{"conversationId":"c"}`, true},
		{"a field is missing", CheckResult, "ploke/chat/create", `{}`, false},
		{"a field too many", CheckResult, "ploke/chat/create", `{"conversationId":"c","id":"c"}`, false},
		{"a field too many, deep down", CheckResult, "ploke/chat/list", `{"conversations":[{"id":"c","title":"","updatedAt":1,"messages":0,"more":1}]}`, false},
		{"a null list", CheckResult, "ploke/chat/list", `{"conversations":null}`, false},
		{"no result", CheckResult, "ploke/chat/create", `null`, false},
		{"no parameters, which all may be omitted", CheckParams, "ploke/chat/create", ``, true},
		{"no parameters, which are needed", CheckParams, "ploke/chat/delete", ``, false},
		{"no parameters, of which there are none", CheckParams, "ploke/chat/list", ``, true},
		{"an empty object, where there are none", CheckParams, "ploke/chat/list", `{}`, true},
		{"an unknown method", CheckParams, "ploke/chat/dance", `{}`, false},
		{"a value that does not exist", CheckParams, "ploke/chat/send", `{"text":"t","whileBusy":"hurry"}`, false},
		{"a command's argument", CheckParams, "ploke.chat.stop", `{}`, true},
		{"a command's words", CheckParams, "ploke.chat.stop", ``, true},
		{"a command without a result", CheckResult, "ploke.ask", `null`, true},
		{"a wrong result of a command", CheckResult, "ploke.ask", `{"turnId":1}`, false},
		{"a part", Check, "Event", `{"seq":1,"type":"notice","text":"t","turnId":"t","conversationId":"c"}`, true},
		{"a part with another one's field", Check, "Event", `{"seq":1,"type":"notice","text":"t","usage":{"in":1,"out":1,"cached":0}}`, false},
		{"a part of an unknown type", Check, "Event", `{"seq":1,"type":"dance"}`, false},
		{"a diagnostic with what LSP says", Check, "DocumentDiagnostics",
			`{"uri":"file:///a","diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"m","severity":1}]}`, true},
	} {
		if err := tt.check(tt.of, []byte(tt.raw)); (err == nil) != tt.ok {
			t.Errorf("%s: the check says %v", tt.name, err)
		}
	}
}

// TestExamplesOfThePage checks the messages that docs/protocol.md shows.
func TestExamplesOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	methods := map[int]string{}
	checked := 0
	for line := range strings.Lines(string(page)) {
		arrow, text, _ := strings.Cut(line, " ")
		if arrow != "-->" && arrow != "<--" {
			continue
		}
		var m struct {
			ID             int
			Method         string
			Params, Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var progress struct{ Value json.RawMessage }
		switch {
		case m.Result != nil:
			err = CheckResult(methods[m.ID], m.Result)
		case strings.HasPrefix(m.Method, "ploke/"):
			methods[m.ID] = m.Method
			err = CheckParams(m.Method, m.Params)
		case m.Method == "$/progress" && json.Unmarshal(m.Params, &progress) == nil:
			err = Check("Event", progress.Value)
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		checked++
	}
	if checked < 5 {
		t.Errorf("only %d messages were found", checked)
	}
}
