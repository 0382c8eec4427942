package lsp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// slip is a call with a slip, and a part of the result that the model reads.
type slip struct{ tool, args, result string }

// responses are what a model may send that has learned other tools: five responses, of which the
// second has only invalid calls.
var responses = [][]slip{
	{
		{"code_item_lookup", `{"symbol":"Circle"}`, `"canon":"Circle"`},
		{"code_item_lookup", `{"name":"Circle","kind":"class"}`, `"canon":"Circle"`},
		{"code_item_lookup", `{"name":"shapes.Rect"}`, `shapes/rect.go`},
		{"code_item_lookup", `{"file":"circle.go:13"}`, `"canon":"Circle::Area"`},
		{"code_item_lookup", `{"name":"(c Circle) Area"}`, `"code":"not_found"`},
		{"code_item_edges", `{"name":"square","direction":"CALLERS","limit":"5"}`, `"from":"cube"`},
		{"read_file", `{"file_path":"circle.go"}`, `shapes/circle.go`},
		{"read_file", `{"path":"shapes/circle.go:7"}`, `"start_line":7`},
		{"read_file", `{"filePath":"shapes/rect.go","startLine":"3","endLine":4,"max_bytes":null}`, `"start_line":3,"end_line":4`},
		{"read_file", `{"file":"shapes/rect.go","start_line":900}`, `"the file has no line 900"`},
		{"read_file", `{"target_file":"shapes/rect.go","should_read_entire_file":true,"offset":3}`, `"start_line":3`},
		{"Read", `{"file_path":"shapes/rect.go","offset":3,"limit":1}`, `"start_line":3,"end_line":4`},
		{"list_dir", `{"path":"shapes","depth":"1"}`, `rect.go`},
		{"search_text", `{"query":"func cube","include_pattern":"*.go"}`, `"line":9`},
		{"search_text", `{"pattern":"cube(","include":"[\"*.go\"]"}`, `"code":"bad_value"`},
		{"search_text", `{"pattern":"cube","limit":-1}`, `"limit is -1"`},
		{"request_code_context", `{"token_budget":-1}`, `"token_budget is -1"`},
		{"request_code_context", `{"hint":"  ","token_budget":"1000"}`, `"query":"make the shapes better"`},
		{"get_file_metadata", `"{\"file\":\"report.py\"}"`, `"canon":"report"`},
	},
	{
		{"grep", `{"pattern":"cube(x"}`, `"code":"bad_value"`},
		{"Edit", `{"file_path":"a.go","diff":"x"}`, `call apply_code_edit`},
		{"bash", `{"command":"cat shapes/rect.go","run_in_background":true}`, `call run_command`},
		{"read_file", `{"file":"shapes/rect.go","path":"shapes/circle.go"}`, "unknown field `path`; did you mean `file`?"},
		{"read_file", `{}`, `"file is missing"`},
		{"search_text", `{"pattern":"cube","shape":"round"}`, "unknown field `shape`"},
		{"search_text", `{"pattern":"cube"`, `the arguments are not JSON`},
		{"apply_code_edit", `{"file_path":"shapes/rect.go","old_string":"x","new_string":"y","dry_run":true}`, "unknown field"},
		{"create_file", `{"path":"a.json","content":{"a":1}}`, `content must be of type string`},
		{"code_item_edges", `{"canon":"cube","direction":"up"}`, `use one of callers`},
	},
	{
		{"apply_code_edit", `{"file_path":"shapes/rect.go","old_string":"x * square(x)","new_string":"square(x) * x"}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":"[{\"file\":\"circle.go\",\"canon\":\"shapes.Circle.Area\",\"kind\":\"function\",\"code\":\"func (c Circle) Area() float64 {\\n\\treturn square(c.Radius) * math.Pi\\n}\"}]"}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"shapes/rect.go"}]}`, `"field":"edits[0].mode"`},
		{"create_file", `{"file_path":"shapes/new.go","text":"package shapes\n"}`, `"status":"staged"`},
	},
	{
		{"rename_file", `{"old_path":"report.py","new_path":"tools/print.py"}`, `"renamed_to"`},
		{"delete_file", `{"target_file":"shapes/new.go","explanation":"not needed"}`, `"status":"staged"`},
	},
	{ // of sums.go, each on what the ones before it have left
		{"apply_code_edit", `{"file_path":"sums.go","old_string":"sum++","new_string":"sum += 1"}`, `"code":"ambiguous"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","old":"sum++","new":"sum += 1","line":"9"}]}`, `"status":"staged"`},
		{"apply_code_edit", `{"file_path":"sums.go","old_string":"sum","new_string":"total","replace_all":"true"}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","old":"  4  \ttotal := 0\n  5  \ttotal++","new":"  4  \ttotal := 1\n  5  \ttotal++"}]}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","old":"    total := 1\n    total++","new":"    total := 2\n    total++"}]}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","old":"total := 3\n\ttotal++","new":"total := 4"}]}`, `"code":"not_found"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","old":"nowhere at all","new":""},{"file":"none.go","old":"x","new":"y"}]}`, `nothing was staged`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","canon":"second","code":"func second() int {\n    return 2\n}"}]}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","canon":"second","code":"func second() int {\n\t// ... rest unchanged\n}"}]}`, `"code":"incomplete"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","canon":"first","new_name":"begin"}]}`, `"status":"staged"`},
		{"apply_code_edit", `{"edits":[{"file":"sums.go","canon":"begin","code":"func begin() {}","expected_hash":"0123"}]}`, `"ok":false`},
	},
}

// TestSlipsDontEndATurn runs a turn in which nearly every call has a slip. Each is understood, or
// its result says what to do, and the turn goes on to the model's answer.
func TestSlipsDontEndATurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("sums.go", "package sums\n\nfunc first() int {\n\tsum := 0\n\tsum++\n\treturn sum\n}\n\nfunc second() int {\n\tsum := first()\n"+
		"\tsum++\n\treturn sum\n}\n")
	var script []llmtest.Turn
	want := map[string]slip{}
	for i, slips := range responses {
		var turn llmtest.Turn
		for j, s := range slips {
			id := fmt.Sprintf("call_%d_%d", i, j)
			turn.Calls, want[id] = append(turn.Calls, llmtest.Call{ID: id, Name: s.tool, Arguments: s.args}), s
		}
		script = append(script, turn)
	}
	server := f.useModel(append(script, llmtest.Turn{Text: []string{"Done."}})...)
	e := f.startIndexed()
	result := e.Ask("make the shapes better")
	if result.StopReason != ploke.StopDone || result.Text != "Done." {
		t.Errorf("the turn ended with %s %q", result.StopReason, result.Text)
	}
	if len(want) < 30 {
		t.Errorf("there are only %d slips", len(want))
	}
	requests := server.Requests()
	for id, s := range want {
		got := toolJSON(e, result.ConversationID, id)
		if !strings.Contains(got, s.result) {
			t.Errorf("%s %s: %s\nwant %s", s.tool, s.args, got, s.result)
		}
		text := toolResult(&requests[len(requests)-1], id)
		if strings.HasPrefix(text, "{") {
			t.Errorf("%s %s: the model reads JSON: %s", s.tool, s.args, text)
		}
		if strings.HasPrefix(text, "error: ") != strings.HasPrefix(got, `{"ok":false`) {
			t.Errorf("%s %s: the model reads %s\nof %s", s.tool, s.args, text, got)
		}
	}
	for i := 1; i < len(requests); i++ {
		before, after := messagesOf(requests[i-1]), messagesOf(requests[i])
		if !bytes.HasPrefix(after, before) {
			t.Errorf("request %d does not begin with the one before it:\n%s\n%s", i, before, after)
		}
	}
}

// messagesOf returns the messages of a request as they were sent.
func messagesOf(r llmtest.Request) []byte {
	var all []byte
	for _, m := range r.Messages {
		all = append(all, m.Raw...)
	}
	return all
}
