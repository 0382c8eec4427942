package llm_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// writtenCalls are answers with calls as text, in the formats of models, and what they mean.
var writtenCalls = []struct{ name, text, want string }{
	{"Hermes", "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"file\":\"a.go\"}}\n</tool_call>", " | " + readA + " | tool_calls"},
	{"Hermes, not closed", "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"file\":\"a.go\"}}", " | " + readA + " | tool_calls"},
	{"Hermes, twice", "<tool_call>\n{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}\n</tool_call>\n<tool_call>\n{\"arguments\":{\"file\":\"b.go\"},\"name\":\"read_file\"}\n</tool_call>", " | " + readA + " | " + readB + " | tool_calls"},
	{"Hermes, behind text", "I look.\n\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\n", "I look.\n\n | " + readA + " | tool_calls"},
	{"Hermes, behind a thought", "<think>hm</think>\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\n", "<hm> | " + readA + " | tool_calls"},
	{"Hermes, arguments as text", `<tool_call>{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}</tool_call>`, " | " + readA + " | tool_calls"},
	{"Hermes, a fence within", "<tool_call>\n```json\n{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}\n```\n</tool_call>", " | " + readA + " | tool_calls"},
	{"Hermes, a brace too many", `<tool_call>{"name":"Read_File","arguments":{"file":"a.go"}}}</tool_call>`, " | " + readA + " | tool_calls"},
	{"a list", `<tool_calls>[{"name":"read_file","arguments":{"file":"a.go"}},{"name":"read_file","parameters":{"file":"b.go"}}]</tool_calls>`, " | " + readA + " | " + readB + " | tool_calls"},
	{"Qwen's coder", "<tool_call>\n<function=read_file>\n<parameter=file>\na.go\n</parameter>\n<parameter=from>\n7\n</parameter>\n</function>\n</tool_call>", ` | read_file({"file":"a.go","from":7}) | tool_calls`},
	{"Qwen's coder, alone", "<function=read_file><parameter=file>a.go</parameter></function>", " | " + readA + " | tool_calls"},
	{"Qwen's coder, nothing closed", "<function=read_file>\n<parameter=file>\na.go\n", " | " + readA + " | tool_calls"},
	{"Qwen's coder, no parameters", "<function=list_dir>\n</function>", " | list_dir({}) | tool_calls"},
	{"Llama", `<function=read_file>{"file":"a.go"}</function>`, " | " + readA + " | tool_calls"},
	{"Llama, with a mark", `<|python_tag|>{"type":"function","name":"read_file","parameters":{"file":"a.go"}}<|eom_id|>`, " | " + readA + " | tool_calls"},
	{"a comma too many", `<tool_call>{"name": "read_file", "arguments": {"file":"a.go",}}</tool_call>`, " | " + readA + " | tool_calls"},
	{"single quotes", `<tool_call>{'name': 'read_file', 'arguments': {'file':'a.go'}}</tool_call>`, " | " + readA + " | tool_calls"},
	{"Nemotron", `<TOOLCALL>[{"name":"read_file","arguments":{"file":"a.go"}}]</TOOLCALL>`, " | " + readA + " | tool_calls"},
	{"Phi", `functools[{"name":"read_file","arguments":{"file":"a.go"}}]`, " | " + readA + " | tool_calls"},
	{"Command", `<|START_ACTION|>[{"tool_call_id":"0","tool_name":"read_file","parameters":{"file":"a.go"}}]<|END_ACTION|>`, " | " + readA + " | tool_calls"},
	{"Python", `[read_file(file="a.go"), read_file(file='b.go', from=7)]`, ` | ` + readA + ` | read_file({"file":"b.go","from":7}) | tool_calls`},
	{"Python, values", `[read_file(file="a, (b)]'\"", from=[1, {"x": True}], none=None), list_dir()]`, ` | read_file({"file":"a, (b)]'\"","from":[1, {"x": true}],"none":null}) | list_dir({}) | tool_calls`},
	{"LFM2", `<|tool_call_start|>[read_file(file="a.go")]<|tool_call_end|>`, " | " + readA + " | tool_calls"},
	{"tags", "I look.\n<read_file>\n<file>a.go</file>\n<from>7</from>\n</read_file>", "I look.\n | read_file({\"file\":\"a.go\",\"from\":7}) | tool_calls"},
	{"Mistral", `[TOOL_CALLS][{"name": "read_file", "arguments": {"file":"a.go"}}]`, " | " + readA + " | tool_calls"},
	{"Mistral, newer", `[TOOL_CALLS]read_file[ARGS]{"file":"a.go"}[TOOL_CALLS]read_file{"file":"b.go"}</s>`, " | " + readA + " | " + readB + " | tool_calls"},
	{"gpt-oss", `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"file":"a.go"}<|call|>`, " | " + readA + " | tool_calls"},
	{"gpt-oss, with its beginning", `<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"file":"a.go"}`, " | " + readA + " | tool_calls"},
	{"gpt-oss, behind its thoughts", `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"file":"a.go"}<|call|>`, "<hm> | " + readA + " | tool_calls"},
	{"Anthropic", `<invoke name="read_file"><parameter name="file">a.go</parameter></invoke>`, " | " + readA + " | tool_calls"},
	{"Anthropic, around several", "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"file\">a.go</parameter>\n</invoke>\n<invoke name=\"read_file\">\n<parameter name=\"file\">b.go</parameter>\n</invoke>\n</function_calls>", " | " + readA + " | " + readB + " | tool_calls"},
	{"MiniMax", "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"file\">a.go</parameter>\n</invoke>\n</minimax:tool_call>", " | " + readA + " | tool_calls"},
	{"GLM", "<tool_call>read_file\n<arg_key>file</arg_key>\n<arg_value>a.go</arg_value>\n</tool_call>", " | " + readA + " | tool_calls"},
	{"Kimi", `<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"file":"a.go"}<|tool_call_end|><|tool_calls_section_end|>`, " | " + readA + " | tool_calls"},
	{"DeepSeek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"file\":\"a.go\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", " | " + readA + " | tool_calls"},
	{"DeepSeek, newer", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"file":"a.go"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, " | " + readA + " | tool_calls"},
	{"only JSON", `{"name": "read_file", "arguments": {"file":"a.go"}}`, " | " + readA + " | tool_calls"},
	{"only JSON, over lines", "{\n  \"name\": \"read_file\",\n  \"arguments\": {\"file\":\"a.go\"}\n}\n", " | " + readA + " | tool_calls"},
	{"only a list of JSON", `[{"name":"read_file","arguments":{"file":"a.go"}}]`, " | " + readA + " | tool_calls"},
	{"only JSON, the whole call", `{"type":"function","function":{"name":"read_file","arguments":{"file":"a.go"}}}`, " | " + readA + " | tool_calls"},

	{"in a fence", "```xml\n<tool_call>\n{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}\n</tool_call>\n```", "= | stop"},
	{"in a fence of tildes", "So:\n~~~\n<function=read_file><parameter=file>a.go</parameter></function>\n~~~\n", "= | stop"},
	{"Python in a fence", "```tool_code\n[read_file(file=\"a.go\")]\n```", "= | stop"},
	{"Python without names", `[read_file("a.go")]`, "= | stop"},
	{"Python of another tool", `[rm(file="a.go")]`, "= | stop"},
	{"Python and more", `[list_dir()] returns a list`, "= | stop"},
	{"a link to a tool", `[list_dir](https://a.b) and [list_dir()](x)`, "= | stop"},
	{"a tag and text", "<read_file>the file</read_file>", "= | stop"},
	{"a tag that is not closed", "<list_dir><dir>a</dir>", "= | stop"},
	{"the mark of an end", "That is all.<|return|>", "That is all. | stop"},
	{"only the tags of a call", "<tool_call></tool_call>", "= | stop"},
	{"the mark of an end within", "A <|return|> ends it.", "= | stop"},
	{"JSON in a fence", "```json\n{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}\n```", "= | stop"},
	{"as code in a line", "It writes `<tool_call>{\"name\":\"read_file\",\"arguments\":{}}</tool_call>` there.", "= | stop"},
	{"words about the tags", "The <tool_call> tag is used by Qwen.", "= | stop"},
	{"in a longer fence", "````md\n```\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\n````", "= | stop"},
	{"in a fence with another mark", "```\n~~~\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\n```", "= | stop"},
	{"in a fence with another fence's beginning", "```\n```x\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\n```", "= | stop"},
	{"in a fence that is not closed", "```\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>", "= | stop"},
	{"as code between two marks", "It is ``<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>``", "= | stop"},
	{"behind code", "Use `x` and ``y ` z``: <function=list_dir></function>", "Use `x` and ``y ` z``:  | list_dir({}) | tool_calls"},
	{"behind a line of code", "```x```\n<function=list_dir></function>", "```x```\n | list_dir({}) | tool_calls"},
	{"behind a fence", "```\nx\n```\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>", "```\nx\n```\n | " + readA + " | tool_calls"},
	{"before text", "<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>\nThat was it.", "= | stop with a notice"},
	{"another tool", `<tool_call>{"name":"rm","arguments":{}}</tool_call>`, "= | stop with a notice"},
	{"cut off", `<tool_call>{"name":"read_file","arguments":{"fi`, "= | stop with a notice"},
	{"JSON that is something else", `{"name": "Ann", "arguments": {"file":"a.go"}}`, "= | stop"},
	{"JSON with more in it", `{"name": "read_file", "arguments": {}, "why": "so"}`, "= | stop with a notice"},
	{"JSON without arguments", `{"name": "Ann"}`, "= | stop"},
	{"a list", "[1] is a note, and [a link](b)\n[x] done\n{y}", "= | stop"},
	{"HTML", "<table><tr><td>1</td></tr></table>\n<invoke>x", "= | stop"},
	{"a comparison", "a <b and [c\n{", "= | stop"},
}

// TestCallsWrittenAsText reads calls that a server did not parse, whole and in pieces of a few letters.
func TestCallsWrittenAsText(t *testing.T) {
	var body string
	p := providerAt("chat", answering(t, "text/event-stream", &body), nil)
	for _, c := range writtenCalls {
		want := c.want
		if rest, ok := strings.CutPrefix(want, "="); ok {
			want = c.text + rest
		}
		for _, size := range []int{len(c.text), 1, 3, 7} {
			body = textPieces(c.text, size) + pieces(finished("stop"))
			if got := readAnswer(t, p, offering); got != want {
				t.Errorf("%s, in pieces of %d letters:\n got %s\nwant %s", c.name, size, got, want)
			}
		}
		body = textPieces(c.text, 5) + pieces(finished("stop"))
		if got := readAnswer(t, p, nil); !strings.HasSuffix(got, " | stop") {
			t.Errorf("%s, no tools: %s", c.name, got)
		}
		body = textPieces(c.text, 5) + pieces(finished("length"))
		if got := readAnswer(t, p, offering); !strings.HasSuffix(got, " | length") {
			t.Errorf("%s, cut off: %s", c.name, got)
		}
	}
}

// textPieces returns a text as pieces of a stream.
func textPieces(text string, size int) string {
	var all strings.Builder
	letters := []rune(text)
	for len(letters) > 0 {
		n := min(size, len(letters))
		fmt.Fprintf(&all, "data: %s\n\n", delta(`{"content":`+strconv.Quote(string(letters[:n]))+`}`))
		letters = letters[n:]
	}
	return all.String()
}

// TestTextIsNotHeldBack shows text up to what may be a call, and text about calls.
func TestTextIsNotHeldBack(t *testing.T) {
	var body string
	p := providerAt("chat", answering(t, "text/event-stream", &body), nil)
	for _, text := range []string{"a < b, c[0], {d}", "`<tool_call>` begins one. ", "The <tool_call> tag: ", "```\n<tool_call>\n"} {
		body = textPieces(text, 1) + "data: {broken\n\n"
		req := question("hi")
		req.Tools = offering
		if shown, _, _, _, err := collect(t.Context(), p, req); err == nil || strings.Join(shown, "") != text ||
			shown[len(shown)-1] != text[len(text)-1:] {
			t.Errorf("%q is shown as %q, %v", text, shown, err)
		}
	}
	for _, text := range []string{"I look. <tool_call>\n{\"name\":\"read", "<thi", "a</think> "} { // held back until the answer fails
		body = textPieces(text, len(text)) + "data: {broken\n\n"
		req := question("hi")
		req.Tools = offering
		if shown, thoughts, _, _, err := collect(t.Context(), p, req); err == nil ||
			strings.Join(thoughts, "")+strings.Join(shown, "") != strings.TrimSpace(strings.Replace(text, "</think>", "", 1)) {
			t.Errorf("%q is shown as %q, %q, %v", text, shown, thoughts, err)
		}
	}
}
