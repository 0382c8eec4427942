package llm

import (
	"encoding/json"
	"fmt"
)

// ollamaChat is a request to /api/chat.
type ollamaChat struct {
	Model    string          `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []ollamaTool    `json:"tools,omitempty"`
	Stream   bool            `json:"stream"`
	Think    bool            `json:"think,omitempty"`
	Options  struct {
		ContextTokens int `json:"num_ctx,omitempty"`
		AnswerTokens  int `json:"num_predict,omitempty"`
	} `json:"options,omitzero"`
}

type ollamaMessage struct {
	Role       string       `json:"role"`
	Content    string       `json:"content"`
	Thinking   string       `json:"thinking,omitempty"`
	ToolCalls  []ollamaCall `json:"tool_calls,omitempty"`
	ToolName   string       `json:"tool_name,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type ollamaTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func newOllamaChat(origin string, req *Request) ollamaChat {
	chat := ollamaChat{Model: req.Model, Stream: true, Think: req.Reasoning}
	chat.Options.ContextTokens, chat.Options.AnswerTokens = req.ContextTokens, req.MaxTokens
	messages := layout(req.Messages)
	for i := range messages {
		chat.Messages = append(chat.Messages, newOllamaMessage(&messages[i], attachedBy(origin, &messages[i]).Ollama, ownsCalls(origin, messages, i)))
	}
	for _, t := range req.Tools {
		tool := ollamaTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		chat.Tools = append(chat.Tools, tool)
	}
	return chat
}

func newOllamaMessage(m *Message, thoughts string, own bool) ollamaMessage {
	out := ollamaMessage{Role: string(m.Role), Content: m.Text, Thinking: thoughts}
	if m.Role == Tool {
		out.ToolName, out.ToolCallID = wireName(m.Name), wireID(m.CallID, own)
	}
	for _, c := range m.Calls {
		call := ollamaCall{ID: wireID(c.ID, own)}
		call.Function.Name, call.Function.Arguments = wireName(c.Name), objectOf(c.Arguments)
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return out
}

// ollamaAnswer is the part of a streamed response received so far. Each piece is a
// line of JSON.
type ollamaAnswer struct {
	begun  bool
	calls  []Call
	usage  Usage
	finish Finish
}

func (a *ollamaAnswer) add(line []byte) (Chunk, error) {
	var piece struct {
		Message    ollamaMessage
		Error      string
		Done       bool
		DoneReason string `json:"done_reason"`
		In         int    `json:"prompt_eval_count"`
		Out        int    `json:"eval_count"`
	}
	if err := json.Unmarshal(line, &piece); err != nil {
		return Chunk{}, fmt.Errorf("line of an answer: %w", err)
	}
	if piece.Error != "" {
		return Chunk{}, &Error{Class: ollamaClass(piece.Error), Message: piece.Error, BrokeOff: a.begun}
	}
	a.begun = true
	for _, c := range piece.Message.ToolCalls {
		a.calls = append(a.calls, Call{ID: c.ID, Name: c.Function.Name, Arguments: orEmptyObject(c.Function.Arguments)})
	}
	if piece.Done {
		a.usage = Usage{In: piece.In, Out: piece.Out}
		a.finish = a.finishOf(piece.DoneReason)
	}
	return Chunk{Text: piece.Message.Content, Reasoning: piece.Message.Thinking}, nil
}

// ollamaClass returns the class of an error in a stream, which has neither status nor
// code. After a response has begun, only failures of the server are left.
func ollamaClass(message string) Class {
	if class := classify(0, "", message); class != BadResponse {
		return class
	}
	return Overloaded
}

func (a *ollamaAnswer) finishOf(reason string) Finish {
	switch {
	case reason == "length":
		return FinishLength
	case len(a.calls) > 0:
		return FinishToolCalls
	default:
		return FinishStop
	}
}

// end yields the calls, which are now complete, and the last chunk.
func (a *ollamaAnswer) end(emit func(Chunk) bool) {
	if a.finish == FinishToolCalls {
		for _, c := range a.calls {
			if !emit(Chunk{Call: &c}) {
				return
			}
		}
	}
	emit(Chunk{Usage: &a.usage, Finish: a.finish})
}
