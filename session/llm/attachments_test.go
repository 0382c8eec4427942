package llm_test

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm"
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
			{"more names of thoughts", pieces(delta(`{"thoughts":"h","thought_signature":"s","thought_":"x","afterthought":"y"}`), delta(`{"thoughts":"m"}`), delta(`{"content":"a"}`),
				finished("stop")), `{"chat":{"more":{"thought_signature":"s","thoughts":"hm"}}}`},
			{"other fields of thoughts", pieces(delta(`{"reasoning_text":"h","reasoning_opaque":"o"}`), delta(`{"reasoning_text":"m","thought":null}`), delta(`{"content":"a","extra_content":{"google":{"thought_signature":"s"}},"annotations":[]}`), finished("stop")),
				`{"chat":{"more":{"extra_content":{"google":{"thought_signature":"s"}},"reasoning_opaque":"o","reasoning_text":"hm"}}}`},
			{"blocks of thoughts", pieces(delta(`{"reasoning_content":"h","thinking_blocks":[{"type":"thinking","thinking":"h","signature":""}]}`), delta(`{"thinking_blocks":[{"type":"thinking","thinking":"m","signature":"s"}]}`), delta(`{"content":"a"}`), finished("stop")),
				`{"chat":{"reasoning_content":"h","more":{"thinking_blocks":[{"signature":"s","thinking":"hm","type":"thinking"}]}}}`},
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

// TestWhatServersAttachGoesBack sends an answer back to its author with all that came with it, and to another model with nothing of it.
func TestWhatServersAttachGoesBack(t *testing.T) {
	call := `{"index":0,"id":"abc","function":{"name":"list_dir","arguments":"{}"},"extra_content":{"google":{"thought_signature":"sig"}}}`
	for _, tt := range []struct {
		protocol, answer string
		want             []string
	}{
		{"chat", pieces(delta(`{"reasoning_content":"hm."}`), delta(`{"tool_calls":[`+call+`]}`), finished("tool_calls")),
			[]string{`"reasoning_content":"hm."`, `"extra_content":{"google":{"thought_signature":"sig"}}`, `"id":"abc"`}},
		{"chat", pieces(delta(`{"reasoning":"hm.","reasoning_details":[{"type":"reasoning.encrypted","data":"xy","index":0}]}`), delta(`{"tool_calls":[`+call+`]}`), finished("tool_calls")),
			[]string{`"reasoning":"hm."`, `"reasoning_details":[{"type":"reasoning.encrypted","data":"xy","index":0}]`}},
		{"chat", pieces(delta(`{"reasoning_text":"hm.","reasoning_opaque":"op","extra_content":{"a":1}}`), delta(`{"tool_calls":[`+call+`]}`), finished("tool_calls")),
			[]string{`"reasoning_text":"hm."`, `"reasoning_opaque":"op"`, `"extra_content":{"a":1}`}},
		{"chat", pieces(delta(`{"thinking_blocks":[{"type":"thinking","thinking":"hm.","signature":"sig"}]}`), delta(`{"content":"a"}`), finished("stop")),
			[]string{`"thinking_blocks":[{"type":"thinking","thinking":"hm.","signature":"sig"}]`}},
		{"anthropic", pieces(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"hm."}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"abc","name":"list_dir","input":{}}}`, `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`),
			[]string{`{"thinking":"hm.","type":"thinking"}`, `"id":"abc"`}},
		{"responses", pieces(`{"type":"response.completed","response":{"output":[{"type":"reasoning","id":"r","encrypted_content":"enc","summary":[]},{"type":"function_call","call_id":"abc","name":"list_dir","arguments":"{}"}]}}`),
			[]string{`{"type":"reasoning","id":"r","encrypted_content":"enc","summary":[]}`, `"call_id":"abc"`}},
		{"ollama", ollamaLines(`{"message":{"thinking":"hm."}}`, `{"message":{"tool_calls":[{"id":"abc","function":{"name":"list_dir"}}]}}`, `{"done":true}`), []string{`"thinking":"hm."`}},
	} {
		server := record(t, tt.answer, tt.answer, tt.answer)
		p := providerAt(tt.protocol, server.URL, nil)
		req := question("hi")
		_, _, calls, last, err := collect(t.Context(), p, req)
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: calls, Opaque: last.Opaque, Text: "a"})
		for _, c := range calls {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, Text: "ok", CallID: c.ID, Name: c.Name})
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: "go on"})
		for range 2 {
			if _, _, _, _, err := collect(t.Context(), p, req); err != nil {
				t.Fatal(err)
			}
			req.Model = "other"
		}
		for _, want := range tt.want {
			if !strings.Contains(server.bodies[1], want) {
				t.Errorf("%s: %s does not go back:\n%s", tt.protocol, want, server.bodies[1])
			}
			if strings.Contains(server.bodies[2], want) {
				t.Errorf("%s: %s goes to another model:\n%s", tt.protocol, want, server.bodies[2])
			}
		}
	}
}
