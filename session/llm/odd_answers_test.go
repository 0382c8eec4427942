package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// offering are the tools of the requests in tests of answers.
var offering = []llm.ToolSpec{
	{Name: "read_file", Schema: json.RawMessage(`{"type":"object","properties":{"file":{"type":"string"},"from":{"type":"integer"}}}`)},
	{Name: "list_dir", Schema: json.RawMessage(`{"type":"object","properties":{"dir":{"type":"string"}}}`)},
}

// readAnswer describes what a provider makes of a body: text, <thoughts>, calls, the reason to end or the error, and a notice.
// It checks what holds for each answer.
func readAnswer(t *testing.T, p llm.Provider, tools []llm.ToolSpec) string {
	t.Helper()
	var text, thoughts, notice strings.Builder
	var calls []string
	var ends int
	end := ""
	for c, err := range p.Send(t.Context(), &llm.Request{Model: "m", Messages: question("hi").Messages, Tools: tools}) {
		if ends > 0 {
			t.Errorf("%+v, %v comes behind the end", c, err)
		}
		if c.TextWasReasoning {
			thoughts.WriteString(text.String())
			text.Reset()
		}
		text.WriteString(c.Text)
		thoughts.WriteString(c.Reasoning)
		notice.WriteString(c.Notice)
		switch {
		case err != nil:
			ends, end = ends+1, errorOutcome(t, err)
		case c.Finish != "":
			ends, end = ends+1, string(c.Finish)
		case c.Call != nil:
			calls = append(calls, fmt.Sprintf("%s(%s)", c.Call.Name, c.Call.Arguments))
		}
	}
	if ends != 1 || len(calls) > 0 && end != string(llm.FinishToolCalls) {
		t.Errorf("%d ends, the last one %s, with %d calls", ends, end, len(calls))
	}
	said := text.String()
	if thoughts.Len() > 0 {
		said += "<" + thoughts.String() + ">"
	}
	if notice.Len() > 0 {
		end += " with a notice"
	}
	return strings.Join(append(append([]string{said}, calls...), end), " | ")
}

// pieces are pieces of an answer in a protocol, as they stand in a stream or as a body.
func pieces(all ...string) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString("data: " + p + "\n\n")
	}
	return b.String()
}

func delta(d string) string { return `{"choices":[{"delta":` + d + `}]}` }

func finished(reason string) string {
	return `{"choices":[{"delta":{},"finish_reason":"` + reason + `"}]}`
}

func callPieces(all ...string) string {
	var events []string
	for _, p := range all {
		events = append(events, delta(`{"tool_calls":[`+p+`]}`))
	}
	return pieces(append(events, finished("tool_calls"))...)
}

const readA, readB = `read_file({"file":"a.go"})`, `read_file({"file":"b.go"})`

// oddAnswer is a body that servers really send, and what it says.
type oddAnswer struct{ name, body, want string }

var chatAnswers = []oddAnswer{
	// assembling calls
	{"two calls of index 0 without ids", callPieces(`{"index":0,"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`,
		`{"index":0,"function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"two calls without index and id", callPieces(`{"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`,
		`{"function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"two calls without index in one piece", callPieces(`{"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}},` +
		`{"function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"two calls of one id", callPieces(`{"index":0,"id":"x","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`,
		`{"index":0,"id":"x","function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"two calls of one id and arguments", callPieces(`{"index":0,"id":"x","function":{"name":"list_dir","arguments":"{}"}}`, `{"index":1,"id":"x","function":{"name":"list_dir","arguments":"{}"}}`), " | list_dir({}) | list_dir({}) | tool_calls"},
	{"another call behind one that is cut off", callPieces(`{"function":{"name":"read_file","arguments":"{\"fi"}}`, `{"function":{"name":"list_dir","arguments":"{}"}}`), ` | read_file({"fi) | list_dir({}) | tool_calls`},
	{"calls in pieces, in turns, by index", callPieces(`{"index":0,"id":"x","function":{"name":"read_file","arguments":""}}`, `{"index":1,"id":"y","function":{"name":"read_file","arguments":""}}`,
		`{"index":0,"function":{"arguments":"{\"file\":"}}`, `{"index":1,"function":{"arguments":"{\"file\":\"b."}}`, `{"index":0,"function":{"arguments":"\"a.go\"}"}}`, `{"index":1,"function":{"arguments":"go\"}"}}`),
		" | " + readA + " | " + readB + " | tool_calls"},
	{"calls in pieces, in turns, by id alone", callPieces(`{"index":0,"id":"x","function":{"name":"read_file","arguments":""}}`, `{"index":0,"id":"y","function":{"name":"read_file","arguments":""}}`,
		`{"index":0,"id":"x","function":{"arguments":"{\"file\":\"a.go\"}"}}`, `{"index":0,"id":"y","function":{"arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"another id with each piece", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":""}}`, `{"index":0,"id":"2","function":{"arguments":"{\"file\":"}}`,
		`{"index":0,"id":"3","function":{"arguments":"\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"another id with each piece, no index", callPieces(`{"id":"1","function":{"name":"read_file","arguments":"{\"fi"}}`, `{"id":"2","function":{"name":null,"arguments":"le\":"}}`,
		`{"id":"3","function":{"name":"","arguments":"\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"another id and the name with each piece", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"fi"}}`, `{"index":0,"id":"2","function":{"name":"read_file","arguments":"le\":"}}`,
		`{"index":0,"id":"3","function":{"name":"read_file","arguments":"\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"another index with each piece", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":""}}`, `{"index":1,"function":{"arguments":"{\"file\":"}}`,
		`{"index":2,"function":{"arguments":"\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"the name with each piece", callPieces(`{"index":0,"function":{"name":"read_file","arguments":"{\"fi"}}`, `{"index":0,"function":{"name":"read_file","arguments":"le\":\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"the name in two pieces", callPieces(`{"index":0,"id":"1","function":{"name":"read_"}}`, `{"index":0,"function":{"name":"file","arguments":"{\"file\":\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"an empty object first", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{}"}}`, `{"index":0,"function":{"arguments":"{\"file\":"}}`, `{"index":0,"function":{"arguments":"\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"an empty object first, with the name again", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":" { } "}}`, `{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"arguments twice", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`, `{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\": \"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"arguments in pieces, then whole", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\""}}`, `{"index":0,"function":{"arguments":":\"a.go\"}"}}`, `{"index":0,"function":{"arguments":"{\"file\":\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"all calls again at the end", callPieces(`{"index":0,"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`, `{"index":0,"function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`,
		`{"index":0,"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}},{"index":1,"function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"arguments of two calls in one", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}{\"file\":\"b.go\"}"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"arguments that are an object", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":{"file":"a.go"}}}`), " | " + readA + " | tool_calls"},
	{"a call that is no list", pieces(delta(`{"tool_calls":{"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}}`), finished("tool_calls")), " | " + readA + " | tool_calls"},
	{"arguments that grow", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":"}}`, `{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a."}}`,
		`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`), " | " + readA + " | tool_calls"},
	{"pieces that begin alike", callPieces(`{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"a\":"}}`, `{"index":0,"function":{"arguments":"{\"a\":1}"}}`, `{"index":0,"function":{"arguments":"}"}}`), ` | read_file({"a":{"a":1}}) | tool_calls`},
	{"the name as function", callPieces(`{"index":0,"id":"1","function":"read_file","arguments":"{\"file\":\"a.go\"}"}`), " | " + readA + " | tool_calls"},
	{"input instead of arguments", callPieces(`{"index":0,"id":"1","name":"read_file","input":{"file":"a.go"}}`), " | " + readA + " | tool_calls"},
	{"no arguments", callPieces(`{"index":0,"id":"1","function":{"name":"list_dir"}}`), " | list_dir({}) | tool_calls"},
	{"a function call", pieces(delta(`{"function_call":{"name":"read_file","arguments":""}}`), delta(`{"function_call":{"arguments":"{\"file\":\"a.go\"}"}}`), finished("function_call")), " | " + readA + " | tool_calls"},
	{"a function call and a list", pieces(delta(`{"tool_calls":[{"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}],"function_call":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`), finished("stop")), " | " + readA + " | tool_calls"},
	{"messages", pieces(`{"choices":[{"message":{"content":"a"}}]}`, `{"choices":[{"message":{"content":"b","tool_calls":[{"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]},"finish_reason":"stop"}]}`), "ab | " + readA + " | tool_calls"},
	{"deltas, then the whole message", pieces(delta(`{"content":"a"}`), `{"choices":[{"delta":{},"message":{"content":"a","tool_calls":[{"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]},"finish_reason":"stop"}]}`), "a | " + readA + " | tool_calls"},
	{"an empty delta beside the message", pieces(`{"choices":[{"delta":{"role":"assistant","content":""},"message":{"content":"a"},"finish_reason":"stop"}]}`), "a | stop"},
	{"text of an older API", pieces(`{"choices":[{"text":"a"}]}`, `{"choices":[{"text":"b","finish_reason":"stop"}]}`), "ab | stop"},
	{"a reason for calls without one", pieces(delta(`{"content":"a"}`), finished("tool_calls")), "a | tool_calls"},
	{"white space", pieces(delta(`{"content":"a"}`), delta(`{"content":" "}`), delta(`{"content":"\n"}`), delta(`{"content":"b"}`), finished("stop")), "a \nb | stop"},

	{"a call that is also in the text", pieces(delta(`{"content":"<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>"}`), delta(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]}`), finished("tool_calls")),
		" | " + readA + " | tool_calls"},
	{"another call that is also in the text", pieces(delta(`{"content":"<tool_call>{\"name\":\"read_file\",\"arguments\":{\"file\":\"a.go\"}}</tool_call>"}`), delta(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"b.go\"}"}}]}`), finished("tool_calls")),
		`<tool_call>{"name":"read_file","arguments":{"file":"a.go"}}</tool_call> | ` + readB + " | tool_calls"},

	// the end
	{"DONE without a reason", pieces(delta(`{"content":"a"}`), "[DONE]"), "a | stop"},
	{"DONE with an empty reason", pieces(`{"choices":[{"delta":{"content":"a"},"finish_reason":""}]}`, "[DONE]"), "a | stop"},
	{"a call, then DONE", pieces(delta(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]}`), "[DONE]"), " | " + readA + " | tool_calls"},
	{"done in small letters", pieces(delta(`{"content":"a"}`), "[done]"), "a | stop"},
	{"a reason that says there is none", pieces(`{"choices":[{"delta":{"content":"a"},"finish_reason":"null"}]}`), `a | network "the answer broke off" after it began`},
	{"the whole answer as an event", pieces(`{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"a"}}]}`), "a | stop"},
	{"the field twice", "data: data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n", "a | stop"},
	{"no DONE and no reason", pieces(delta(`{"content":"a"}`)), `a | network "the answer broke off" after it began`},
	{"words instead of an end", pieces(delta(`{"content":"a"}`), `{"message":"worker died"}`, "[DONE]"), `a | bad_response "worker died" after it began`},

	// thoughts
	{"parts", pieces(delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}`), finished("stop")), "a<hm> | stop"},
	{"parts with reasoning", pieces(delta(`{"content":[{"type":"reasoning","text":"hm"},{"type":"output_text","text":"a"},"b"]}`), finished("stop")), "ab<hm> | stop"},
	{"a tag", pieces(delta(`{"content":"<think>\nhm</think>\n\na"}`), finished("stop")), "a<hm> | stop"},
	{"a tag in pieces", pieces(delta(`{"content":"\n<th"}`), delta(`{"content":"ink>hm"}`), delta(`{"content":", well</"}`), delta(`{"content":"think"}`), delta(`{"content":">\n"}`), delta(`{"content":"\na <b>"}`), finished("stop")), "a <b><hm, well> | stop"},
	{"a thought without words", pieces(delta(`{"content":"<think>\n\n</think>\n\na"}`), finished("stop")), "a | stop"},
	{"other tags", pieces(delta(`{"content":"<Thinking>x</Thinking>"}`), delta(`{"content":"<reasoning>y</reasoning>[THINK]z[/THINK]a"}`), finished("stop")), "a<xyz> | stop"},
	{"a tag that is closed only", pieces(delta(`{"content":"hm\n</think>\n\na"}`), finished("stop")), "a<hm\n> | stop"},
	{"a tag that is closed only, in pieces", pieces(delta(`{"content":"hm"}`), delta(`{"content":", well\n</th"}`), delta(`{"content":"ink>"}`), delta(`{"content":"\n\n"}`), delta(`{"content":"a"}`), finished("stop")), "a<hm, well\n> | stop"},
	{"a tag that is closed only, at the end of a line", pieces(delta(`{"content":"hm"}`), delta(`{"content":".</think>"}`), delta(`{"content":" \r\n\r\na"}`), finished("stop")), "a<hm.> | stop"},
	{"a tag that is closed only, at the end", pieces(delta(`{"content":"hm"}`), delta(`{"content":"\n</think>"}`), delta(`{"tool_calls":[{"id":"1","function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]}`), finished("stop")), "<hm\n> | " + readA + " | tool_calls"},
	{"words about a tag", pieces(delta(`{"content":"the tag"}`), delta(`{"content":" </think> ends it"}`), delta(`{"content":"\n"}`), finished("stop")), "the tag </think> ends it\n | stop"},
	{"an example of both tags", pieces(delta(`{"content":"So:\n"}`), delta(`{"content":"<think>\nhm\n"}`), delta(`{"content":"</think>\n"}`), finished("stop")), "So:\n<think>\nhm\n</think>\n | stop"},
	{"a tag in a fence", pieces(delta(`{"content":"So:\n"}`), delta("{\"content\":\"```\\n</think>\\n```\\n\"}"), finished("stop")), "So:\n```\n</think>\n```\n | stop"},
	{"a tag that is not closed", pieces(delta(`{"content":"<think>hm"}`), finished("stop")), "<hm> | stop"},
	{"a tag within the answer", pieces(delta(`{"content":"a <think>b</think>"}`), finished("stop")), "a <think>b</think> | stop"},
	{"a tag as code", pieces(delta(`{"content":"use `+"`</think>`"+`"}`), finished("stop")), "use `</think>` | stop"},
	{"half a tag at the end", pieces(delta(`{"content":"<thi"}`), finished("stop")), "<thi | stop"},
	{"channels", pieces(delta(`{"content":"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>fi"}`), delta(`{"content":"nal<|message|>a<|ret"}`), delta(`{"content":"urn|>"}`), finished("stop")), "a<hm> | stop"},
	{"only the last channel", pieces(delta(`{"content":"<|channel|>final<|message|>a"}`), finished("stop")), "a | stop"},
	{"a channel within the answer", pieces(delta(`{"content":"say <|channel|>final<|message|>"}`), finished("stop")), "say <|channel|>final<|message|> | stop"},
	{"reasoning as text", pieces(delta(`{"reasoning_text":"h","reasoning_opaque":"o"}`), delta(`{"thinking_blocks":[{"type":"thinking","thinking":"m","signature":"s"}]}`), delta(`{"content":"a"}`), finished("stop")), "a<hm> | stop"},
	{"reasoning under three names", pieces(delta(`{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]}`), delta(`{"reasoning_details":[{"type":"reasoning.text","text":"b"}]}`), delta(`{"reasoning_content":"c"}`), finished("stop")), "<abc> | stop"},

	// bodies
	{"one object", `{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`, "a | stop"},
	{"one object over several lines", "\n {\n\"choices\": [\n\n{\"message\": {\"content\":\"a\",\n\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"file\\\":\\\"a.go\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n", "a | " + readA + " | tool_calls"},
	{"one object behind a mark", "\ufeff" + `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, "a | stop"},
	{"one object without a reason", `{"choices":[{"message":{"content":"a"}}]}`, "a | stop"},
	{"one object as one event", pieces(`{"object":"chat.completion","choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`), "a | stop"},
	{"half an object", `{"choices":[{"message":{"content":"a"`, `network "the answer broke off" after it began`},
	{"a list of chunks", "[" + delta(`{"content":"a"}`) + ",\n" + delta(`{"content":"b"}`) + "," + finished("stop") + "]", "ab | stop"},
	{"a chunk a line", delta(`{"content":"a"}`) + "\n" + finished("stop") + "\n", "a | stop"},
	{"chunks one after the other", delta(`{"content":"a"}`) + finished("stop"), "a | stop"},
	{"a body behind comments", ": x\n\n\n" + `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, "a | stop"},

	// the reader
	{"comments as data", "data: : keep-alive\n\n" + pieces(delta(`{"content":"a"}`)) + "data: : x\n\ndata:\n\ndata\n\ndata: null\n\n\n\n: x\n:\n" + pieces(finished("stop")), "a | stop"},
	{"words as data", "data: keep-alive\n\n" + pieces(delta(`{"content":"a"}`), "ping", finished("stop")), "a | stop"},
	{"errors without content", pieces(`{"error":null,"choices":[{"delta":{"content":"a"}}]}`, `{"error":{},"choices":[{"delta":{"content":"b"}}]}`, `{"error":"","choices":[]}`,
		`{"error":{"code":0,"message":""},"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}`, `{"error":[],"choices":[]}`, `{"error":false}`), "abc | stop"},
	{"one line end between events", "data: " + delta(`{"content":"a"}`) + "\ndata: " + delta(`{"content":"b"}`) + "\ndata: " + finished("stop") + "\ndata: [DONE]\n", "ab | stop"},
	{"no line end between events", "data: " + delta(`{"content":"a"}`) + "data: " + finished("stop"), "a | stop"},
	{"fields in capitals, indented", " Data: " + delta(`{"content":"a"}`) + "\n\nDATA:" + finished("stop") + "\n\n", "a | stop"},

	// errors
	{"a reason that is an error", pieces(delta(`{"content":"a"}`), finished("error")), `a | overloaded "the server ended the answer with an error" after it began`},
	{"a server without room", pieces(finished("insufficient_system_resource")), `overloaded "the server ended the answer with an error" after it began`},
	{"a reason in capitals", pieces(delta(`{"content":"a"}`), finished("MAX_TOKENS")), "a | length"},
	{"a filter of another name", pieces(finished("SAFETY")), "content_filter"},
	{"an error in a choice", pieces(`{"choices":[{"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"Provider returned error"}}]}`), `overloaded "Provider returned error" HTTP 502 after it began`},
	{"an error type and a message", `{"error_type":"upstream_error","error_message":"the pool is empty"}`, `overloaded "the pool is empty"`},
	{"an error object", `{"error":{"message":"words","code":"rate_limit_exceeded"}}`, `rate_limit "words"`},
	{"an error as text", `{"error":"words"}`, `bad_response "words"`},
	{"a detail", `{"detail":"Model not loaded"}`, `bad_response "Model not loaded"`},
	{"a list of details", `{"detail":[{"loc":["body"],"msg":"field required"}]}`, `bad_response "field required"`},
	{"a code and a message", `{"code":429,"msg":"slow down"}`, `rate_limit "slow down" HTTP 429`},
	{"an object of errors", `{"object":"error","message":"model is overloaded","code":503}`, `overloaded "model is overloaded" HTTP 503`},
	{"a status of its own", `{"base_resp":{"status_code":1004,"status_msg":"login fail"},"choices":null}`, `bad_response "login fail"`},
	{"an error as an event", pieces(`{"error_type":"x","error_message":"try again later"}`), `overloaded "try again later"`},
	{"an error of another name", pieces(`{"fault":{"faultstring":"the quota of this proxy is used up","detail":{"errorcode":"x"}}}`), `bad_response "the quota of this proxy is used up"`},
	{"several errors", `{"success":false,"errors":[{"code":7003,"message":"no route"},{"message":"and no model"}]}`, `bad_response "no route; and no model"`},
	{"an error behind the text, without a field", pieces(delta(`{"content":"a"}`)) + `{"error":{"message":"words","type":"server_error"}}`, `a | overloaded "words" after it began`},
}

var responsesAnswers = []oddAnswer{
	{"arguments at their end", pieces(`{"type":"response.output_item.added","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c","name":"read_file","arguments":""}}`,
		`{"type":"response.function_call_arguments.done","output_index":0,"item_id":"f","arguments":"{\"file\":\"a.go\"}"}`, `{"type":"response.output_item.done","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c","name":"read_file"}}`,
		`{"type":"response.completed","response":{"status":"completed"}}`), " | " + readA + " | tool_calls"},
	{"arguments in pieces", pieces(`{"type":"response.output_item.added","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c","name":"read_file","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"f","delta":"{\"file\":"}`, `{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"f","delta":"\"a.go\"}"}`,
		`{"type":"response.completed","response":{"status":"completed"}}`), " | " + readA + " | tool_calls"},
	{"two calls of one id", pieces(`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"c","name":"list_dir","arguments":"{}"}}`, `{"type":"response.output_item.done","item":{"type":"function_call","call_id":"c","name":"list_dir","arguments":"{}"}}`,
		`{"type":"response.completed","response":{}}`), " | list_dir({}) | list_dir({}) | tool_calls"},
	{"two calls of one index", pieces(`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c","name":"read_file"}}`, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"file\":\"a.go\"}"}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"d","name":"read_file"}}`, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"file\":\"b.go\"}"}`,
		`{"type":"response.completed","response":{}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"two calls in pieces, in turns, other ids", pieces(`{"type":"response.output_item.added","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c","name":"read_file"}}`,
		`{"type":"response.output_item.added","output_index":1,"item":{"id":"g","type":"function_call","call_id":"d","name":"read_file"}}`,
		`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"x","delta":"{\"file\":"}`, `{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"y","delta":"{\"file\":\"b.go\"}"}`,
		`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"z","delta":"\"a.go\"}"}`, `{"type":"response.completed","response":{}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"all at the end of the items", pieces(`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}}`,
		`{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"a"}]}}`,
		`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c","name":"read_file","arguments":"{\"file\":\"a.go\"}"}}`, `{"type":"response.completed","response":{}}`), "a<hm> | " + readA + " | tool_calls"},
	{"all at the end of the response", pieces(`{"type":"response.completed","response":{"output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}]},{"type":"message","content":[{"type":"output_text","text":"a"}]},` +
		`{"type":"function_call","call_id":"c","name":"read_file","arguments":"{\"file\":\"a.go\"}"}]}}`), "a<hm> | " + readA + " | tool_calls"},
	{"all three times", pieces(`{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","content":[]}}`, `{"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"a"}`,
		`{"type":"response.output_text.done","item_id":"m","output_index":0,"text":"a"}`, `{"type":"response.content_part.done","item_id":"m","output_index":0,"part":{"type":"output_text","text":"a"}}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","content":[{"type":"output_text","text":"a"}]}}`,
		`{"type":"response.completed","response":{"output":[{"id":"m","type":"message","content":[{"type":"output_text","text":"a"}]}]}}`), "a | stop"},
	{"the end of a text is missing", pieces(`{"type":"response.output_text.delta","delta":"a"}`, `{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"ab"}]}]}}`), "ab | stop"},
	{"the text of a part", pieces(`{"type":"response.output_text.done","item_id":"m","output_index":0,"text":"a"}`, `{"type":"response.completed","response":{}}`), "a | stop"},
	{"two messages without places", pieces(`{"type":"response.output_text.delta","delta":"a"}`, `{"type":"response.output_item.done","item":{"type":"message","content":[{"type":"output_text","text":"a"}]}}`,
		`{"type":"response.output_text.delta","delta":"b"}`, `{"type":"response.output_item.done","item":{"type":"message","content":[{"type":"output_text","text":"b"}]}}`, `{"type":"response.completed","response":{}}`), "ab | stop"},
	{"only names of events", "event: response.output_text.delta\ndata: {\"delta\":\"a\"}\n\nevent: response.completed\ndata: {\"response\":{}}\n\n", "a | stop"},
	{"only the text of the response", `{"object":"response","status":"completed","output_text":"a","output":[]}`, "a | stop"},
	{"the text of the response beside a message", pieces(`{"type":"response.output_text.delta","delta":"a"}`, `{"type":"response.completed","response":{"output_text":"a","output":[]}}`), "a | stop"},
	{"not complete, without a reason", pieces(`{"type":"response.output_text.delta","delta":"a"}`, `{"type":"response.incomplete","response":{"status":"incomplete"}}`), "a | length"},
	{"one object", `{"object":"response","status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":1}}`, "a | stop"},
	{"one object that failed", `{"object":"response","status":"failed","error":{"code":"server_error","message":"words"},"output":[]}`, `overloaded "words"`},
	{"DONE without an end", pieces(`{"type":"response.output_text.delta","delta":"a"}`, "[DONE]"), "a | stop"},
	{"no end", pieces(`{"type":"response.output_text.delta","delta":"a"}`), `a | network "the answer broke off" after it began`},
	{"a call and too many tokens", pieces(`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"function_call","call_id":"c","name":"read_file","arguments":"{\"fi"}]}}`), " | in_call"},
	{"a tag", pieces(`{"type":"response.output_text.delta","delta":"<think>hm</think>a"}`, `{"type":"response.completed","response":{}}`), "a<hm> | stop"},
}

var anthropicAnswers = []oddAnswer{
	{"no types", pieces(`{"message":{"usage":{"input_tokens":1}}}`, `{"index":0,"content_block":{"type":"text","text":""}}`, `{"index":0,"delta":{"type":"text_delta","text":"a"}}`, `{"delta":{"stop_reason":"end_turn"}}`), "a | stop"},
	{"only names of events", "event: content_block_start\ndata: {\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"read_file\",\"input\":{}}}\n\n" +
		"event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"partial_json\":\"{\\\"file\\\":\\\"a.go\\\"}\"}}\n\nevent: message_stop\ndata: {}\n\n", " | " + readA + " | tool_calls"},
	{"a call and another reason", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"read_file","input":{"file":"a.go"}}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`), " | " + readA + " | tool_calls"},
	{"two calls in pieces, in turns", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"read_file","input":{}}}`, `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"d","name":"read_file","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"partial_json":"{\"file\":"}}`, `{"type":"content_block_delta","index":1,"delta":{"partial_json":"{\"file\":\"b.go\"}"}}`, `{"type":"content_block_delta","index":0,"delta":{"partial_json":"\"a.go\"}"}}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`), " | " + readA + " | " + readB + " | tool_calls"},
	{"arguments at once and in pieces", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"read_file","input":{"file":"a.go"}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"partial_json":"{\"file\":"}}`, `{"type":"content_block_delta","index":0,"delta":{"partial_json":"\"a.go\"}"}}`, `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`), " | " + readA + " | tool_calls"},
	{"one object", `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"tool_use","id":"c","name":"read_file","input":{"file":"a.go"}}],"stop_reason":"tool_use","usage":{"input_tokens":1}}`, "a<hm> | " + readA + " | tool_calls"},
	{"a call, then the server's own", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"read_file","input":{"file":"a.go"}}}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s","name":"search","input":{}}}`, `{"type":"content_block_delta","index":1,"delta":{"partial_json":"{\"q\":1}"}}`, `{"type":"message_stop"}`), " | " + readA + " | tool_calls"},
	{"a text as content", `{"type":"message","role":"assistant","content":"a","stop_reason":"end_turn"}`, "a | stop"},
	{"an answer in another protocol", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, `bad_response "the answer is empty: it has no content"`},
	{"one object as one event", pieces(`{"type":"message","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn"}`), "a | stop"},
	{"a pause", pieces(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`, `{"type":"message_delta","delta":{"stop_reason":"pause_turn"}}`), "a | paused"},
	{"a pause without an answer", pieces(`{"type":"message_delta","delta":{"stop_reason":"pause_turn"}}`), `overloaded "the model paused before it answered"`},
	{"no reason", pieces(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`, `{"type":"message_stop"}`), "a | stop"},
	{"no end", pieces(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`), `a | network "the answer broke off" after it began`},
	{"an error object", `{"type":"error","error":{"type":"overloaded_error","message":"words"}}`, `overloaded "words"`},
}

func ollamaLines(all ...string) string { return strings.Join(all, "\n") + "\n" }

var ollamaAnswers = []oddAnswer{
	{"an empty line", ollamaLines("", `{"message":{"content":"a"}}`, "", `{"done":true}`), "a | stop"},
	{"events", pieces(`{"message":{"content":"a"},"done":false}`, `{"message":{"content":""},"done":true,"done_reason":"stop"}`), "a | stop"},
	{"one object", `{"message":{"role":"assistant","content":"a","thinking":"hm","tool_calls":[{"function":{"name":"read_file","arguments":{"file":"a.go"}}}]},"done":true,"done_reason":"stop"}`, "a<hm> | " + readA + " | tool_calls"},
	{"arguments as text", ollamaLines(`{"message":{"tool_calls":[{"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}"}}]}}`, `{"done":true}`), " | " + readA + " | tool_calls"},
	{"only loaded", ollamaLines(`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`), `overloaded "the server has only loaded the model"`},
	{"values of other types", ollamaLines(`{"message":{"content":null,"thinking":7,"tool_calls":"x","images":{}},"created_at":1}`, `{"message":{"content":"a"}}`, `{"done":true,"eval_count":"x"}`), "a<7> | stop"},
	{"an error without content", ollamaLines(`{"message":{"content":"a"},"error":""}`, `{"done":true,"error":null}`), "a | stop"},
	{"an error object", ollamaLines(`{"error":{"message":"words"}}`), `overloaded "words"`},
	{"more behind the end", ollamaLines(`{"message":{"content":"a"},"done":true}`, `{"message":{"content":"b"}}`), "a | stop"},
	{"no end", ollamaLines(`{"message":{"content":"a"},"done":false}`), `a | network "the answer broke off" after it began`},
	{"a tag", ollamaLines(`{"message":{"content":"<think>hm"}}`, `{"message":{"content":"</think>a"}}`, `{"done":true}`), "a<hm> | stop"},
}

// TestOddAnswers reads answers as servers send them that keep to their protocol only in part.
func TestOddAnswers(t *testing.T) {
	var body string
	for protocol, answers := range map[string][]oddAnswer{"chat": chatAnswers, "responses": responsesAnswers, "anthropic": anthropicAnswers,
		"ollama": ollamaAnswers} {
		for _, content := range []string{"text/event-stream", "application/json"} {
			p := providerAt(protocol, answering(t, content, &body), nil)
			for _, a := range answers {
				body = a.body
				if got := readAnswer(t, p, offering); strings.TrimPrefix(got, " | ") != strings.TrimPrefix(a.want, " | ") {
					t.Errorf("%s, %s, %s:\n got %s\nwant %s", protocol, a.name, content, got, a.want)
				}
			}
		}
	}
}

// providerAt returns the provider of a protocol.
func providerAt(protocol, base string, c *http.Client) llm.Provider {
	switch protocol {
	case "anthropic":
		return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base, HTTPClient: c})
	case "ollama":
		return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base, HTTPClient: c})
	}
	return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, HTTPClient: c, Responses: protocol == "responses"})
}
