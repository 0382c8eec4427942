package llm_test

import (
	"strings"
	"testing"
)

// TestWhatServersAttach reads what a server wants back with its answer, as it came.
func TestWhatServersAttach(t *testing.T) {
	var body string
	call := func(id, name, more string) string {
		return `{"index":` + id + `,"id":"` + id + `","type":"function"` + more + `,"function":{"name":"` + name + `","arguments":"{}"}}`
	}
	for protocol, answers := range map[string][]oddAnswer{
		"chat": {
			{"nothing", pieces(delta(`{"content":"a"}`), finished("stop")), ""},
			{"reasoning", pieces(delta(`{"reasoning_content":"h"}`), delta(`{"reasoning_content":"m","content":""}`), delta(`{"content":"a"}`), finished("stop")), `{"chat":{"reasoning_content":"hm"}}`},
			{"reasoning in a body", `{"choices":[{"message":{"content":"a","reasoning":"hm"},"finish_reason":"stop"}]}`, `{"chat":{"reasoning":"hm"}}`},
			{"details in pieces", pieces(delta(`{"reasoning":"h","reasoning_details":[{"type":"reasoning.text","text":"h","index":0,"format":"f","signature":null}]}`),
				delta(`{"reasoning":"m","reasoning_details":[{"type":"reasoning.text","text":"m","index":0,"format":"f"}]}`),
				delta(`{"reasoning_details":[{"type":"reasoning.text","signature":"s<","index":0,"format":"f"},{"type":"reasoning.encrypted","data":"x","id":"1","index":0}]}`), finished("stop")),
				`{"chat":{"reasoning":"hm","reasoning_details":[{"format":"f","index":0,"signature":"s<","text":"hm","type":"reasoning.text"},{"type":"reasoning.encrypted","data":"x","id":"1","index":0}]}}`},
			{"details of several places", pieces(delta(`{"reasoning_details":[{"type":"reasoning.summary","summary":"a","index":0},{"type":"reasoning.summary","summary":"b","index":1}]}`),
				delta(`{"reasoning_details":[{"type":"reasoning.summary","summary":"A","index":0}]}`), finished("stop")),
				`{"chat":{"reasoning_details":[{"index":0,"summary":"aA","type":"reasoning.summary"},{"type":"reasoning.summary","summary":"b","index":1}]}}`},
			{"details without a place", pieces(delta(`{"reasoning_details":[{"type":"reasoning.text","text":"a"}]}`), delta(`{"reasoning_details":[{"type":"reasoning.text","text":"b"}]}`),
				delta(`{"reasoning_details":[{"type":"reasoning.encrypted","id":"1","data":"x"},{"type":"reasoning.encrypted","id":"2","data":"y"}]}`), finished("stop")),
				`{"chat":{"reasoning_details":[{"text":"ab","type":"reasoning.text"},{"type":"reasoning.encrypted","id":"1","data":"x"},{"type":"reasoning.encrypted","id":"2","data":"y"}]}}`},
			{"the second call", callPieces(call("0", "list_dir", ""), call("1", "list_dir", `,"extra_content":{"google":{"thought_signature":"s"}}`), `{"index":1,"more":1}`),
				`{"chat":{"calls":[null,{"extra_content":{"google":{"thought_signature":"s"}},"more":1}]}}`},
			{"a call that is two", callPieces(`{"index":0,"id":"1","extra":1,"function":{"name":"read_file","arguments":"{\"file\":\"a.go\"}{\"file\":\"b.go\"}"}}`), `{"chat":{"calls":[{"extra":1},null]}}`},
			{"a call that is none", callPieces(`{"index":0,"id":"1","extra":1}`, call("1", "list_dir", "")), ""},
		},
		"anthropic": {
			{"signed", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"thinking":"hm"}}`,
				`{"type":"content_block_delta","index":0,"delta":{"signature":"s"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`), `{"anthropic":[{"signature":"s","thinking":"hm","type":"thinking"}]}`},
			{"unsigned", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"hm"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`), `{"anthropic":[{"thinking":"hm","type":"thinking"}]}`},
			{"without a beginning", pieces(`{"type":"content_block_delta","index":0,"delta":{"thinking":"h"}}`, `{"type":"content_block_delta","index":0,"delta":{"thinking":"m"}}`, `{"type":"message_stop"}`), `{"anthropic":[{"thinking":"hm","type":"thinking"}]}`},
			{"in a body", `{"type":"message","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"a"}],"stop_reason":"end_turn"}`, `{"anthropic":[{"signature":"s","thinking":"hm","type":"thinking"}]}`},
			{"of the server's own tool", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"search","input":{}}}`, `{"type":"content_block_delta","index":0,"delta":{"partial_json":"{\"q\":1}"}}`,
				`{"type":"message_stop"}`), ""},
		},
		"responses": {
			{"encrypted, at the end", pieces(`{"type":"response.completed","response":{"output":[{"type":"reasoning","id":"r","encrypted_content":"x","summary":[]}]}}`), `{"openai":[{"type":"reasoning","id":"r","encrypted_content":"x","summary":[]}]}`},
			{"encrypted, twice", pieces(`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r","encrypted_content":"x"}}`, `{"type":"response.completed","response":{"output":[{"type":"reasoning","id":"r","encrypted_content":"x"}]}}`),
				`{"openai":[{"type":"reasoning","id":"r","encrypted_content":"x"}]}`},
		},
		"ollama": {
			{"thoughts", ollamaLines(`{"message":{"thinking":"h"}}`, `{"message":{"thinking":"m"}}`, `{"done":true}`), `{"ollama":"hm"}`},
		},
	} {
		p := providerAt(protocol, answering(t, "text/event-stream", &body), nil)
		for _, a := range answers {
			body = a.body
			_, _, _, last, err := collect(t.Context(), p, question("hi"))
			if got := attached(last.Opaque); err != nil || strings.ReplaceAll(got, `\u003c`, "<") != a.want {
				t.Errorf("%s, %s:\n got %s %v\nwant %s", protocol, a.name, got, err, a.want)
			}
		}
	}
}
