package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ploke-lsp/session/llm"
)

// wireProtocol is a protocol of model servers, as far as it takes to answer in it.
type wireProtocol struct {
	name     string
	provider func(base string, firstByte, idle time.Duration) llm.Provider
	event    func(data string) string            // one piece of a stream
	text     func(quoted string) string          // of the answer, as a JSON string
	thought  func(quoted string) string          // likewise
	call     func(i int, id, args string) string // of the tool echo; args as they are
	end      func(finish string) string          // "stop", "length" or "calls"
}

// wireProtocols are all of them.
var wireProtocols = []wireProtocol{chatWire, responsesWire, anthropicWire, ollamaWire}

func data(s string) string { return "data: " + s + "\n\n" }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// answer is a whole answer that says text.
func (w wireProtocol) answer(text string) string { return w.text(quote(text)) + w.end("stop") }

func chatDelta(delta, finish string) string {
	return data(fmt.Sprintf(`{"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish))
}

var chatWire = wireProtocol{
	name: "chat completions",
	provider: func(base string, firstByte, idle time.Duration) llm.Provider {
		return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base + "/v1", FirstByte: firstByte, Idle: idle})
	},
	event:   data,
	text:    func(quoted string) string { return chatDelta(`{"content":`+quoted+`}`, "null") },
	thought: func(quoted string) string { return chatDelta(`{"reasoning_content":`+quoted+`}`, "null") },
	call: func(i int, id, args string) string {
		return chatDelta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%q,"function":{"name":"echo","arguments":%s}}]}`, i, id,
			quote(args)), "null")
	},
	end: func(finish string) string {
		return chatDelta("{}", quote(strings.Replace(finish, "calls", "tool_calls", 1))) + data("[DONE]")
	},
}

var responsesWire = wireProtocol{
	name: "responses",
	provider: func(base string, firstByte, idle time.Duration) llm.Provider {
		return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base + "/v1", Responses: true, FirstByte: firstByte, Idle: idle})
	},
	event: data,
	text: func(quoted string) string {
		return data(`{"type":"response.output_text.delta","delta":` + quoted + `}`)
	},
	thought: func(quoted string) string {
		return data(`{"type":"response.reasoning_summary_text.delta","delta":` + quoted + `}`)
	},
	call: func(_ int, id, args string) string {
		return data(fmt.Sprintf(`{"type":"response.output_item.done","item":{"type":"function_call","call_id":%q,"name":"echo","arguments":%s}}`,
			id, quote(args)))
	},
	end: func(finish string) string {
		if finish == "length" {
			return data(`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`)
		}
		return data(`{"type":"response.completed","response":{"status":"completed","error":null,"incomplete_details":null}}`)
	},
}

var anthropicWire = wireProtocol{
	name: "anthropic",
	provider: func(base string, firstByte, idle time.Duration) llm.Provider {
		return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base, FirstByte: firstByte, Idle: idle})
	},
	event: func(s string) string {
		var e struct{ Type string }
		_ = json.Unmarshal([]byte(s), &e) // what is no JSON is sent as a delta
		if e.Type == "" {
			e.Type = "content_block_delta"
		}
		return "event: " + e.Type + "\n" + data(s)
	},
	text: func(quoted string) string {
		return anthropicBlock(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":`+quoted+`}`)
	},
	thought: func(quoted string) string {
		return anthropicBlock(0, `{"type":"thinking","thinking":""}`, `{"type":"thinking_delta","thinking":`+quoted+`}`)
	},
	call: func(i int, id, args string) string {
		return anthropicBlock(i+1, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"echo","input":{}}`, id),
			`{"type":"input_json_delta","partial_json":`+quote(args)+`}`)
	},
	end: func(finish string) string {
		reason := map[string]string{"stop": "end_turn", "length": "max_tokens", "calls": "tool_use"}[finish]
		return "event: message_delta\n" + data(`{"type":"message_delta","delta":{"stop_reason":"`+reason+`"},"usage":{"output_tokens":1}}`) +
			"event: message_stop\n" + data(`{"type":"message_stop"}`)
	},
}

func anthropicBlock(index int, start, delta string) string {
	return "event: content_block_start\n" + data(fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)) +
		"event: content_block_delta\n" + data(fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta))
}

var ollamaWire = wireProtocol{
	name: "ollama",
	provider: func(base string, firstByte, idle time.Duration) llm.Provider {
		return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base, FirstByte: firstByte, Idle: idle})
	},
	event:   func(s string) string { return s + "\n" },
	text:    func(quoted string) string { return `{"message":{"content":` + quoted + "}}\n" },
	thought: func(quoted string) string { return `{"message":{"thinking":` + quoted + "}}\n" },
	call: func(_ int, id, args string) string {
		return fmt.Sprintf(`{"message":{"tool_calls":[{"id":%q,"function":{"name":"echo","arguments":%s}}]}}`+"\n", id, args)
	},
	end: func(finish string) string {
		return `{"message":{},"done":true,"done_reason":"` + strings.Replace(finish, "calls", "stop", 1) + `"}` + "\n"
	},
}
