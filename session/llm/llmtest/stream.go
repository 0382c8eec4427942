package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// argumentRunes is the number of runes of a call's arguments in one delta. It is
// small, so that even short arguments are split.
const argumentRunes = 7

type object = map[string]any

// stream writes one answer.
type stream struct {
	w       http.ResponseWriter
	r       *http.Request
	model   string
	created int64
}

func (s *stream) answer(t *Turn) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.delta(object{"role": "assistant", "content": ""}, nil)
	for _, text := range t.Reasoning {
		s.delta(object{"reasoning_content": text}, nil)
	}
	for _, text := range t.Text {
		s.delta(object{"content": text}, nil)
	}
	if t.Hold != nil && !s.hold(t.Hold) {
		return
	}
	if t.Cut {
		panic(http.ErrAbortHandler) // closes the connection
	}
	for i, c := range t.Calls {
		s.call(i, c)
	}
	finish := t.Finish
	if finish == "" && len(t.Calls) > 0 {
		finish = "tool_calls"
	} else if finish == "" {
		finish = "stop"
	}
	s.delta(object{}, finish)
	s.usage(t.Usage)
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}

// hold waits for the gate and reports whether the client is still connected.
func (s *stream) hold(g *Gate) bool {
	close(g.reached)
	select {
	case <-g.open:
		return true
	case <-s.r.Context().Done():
		return false
	}
}

func (s *stream) call(index int, c Call) {
	piece := func(call object) {
		call["index"] = index
		s.delta(object{"tool_calls": []object{call}}, nil)
	}
	piece(object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}})
	for args := range slices.Chunk([]rune(c.Arguments), argumentRunes) {
		piece(object{"function": object{"arguments": string(args)}})
	}
}

func (s *stream) delta(delta object, finish any) {
	s.send(object{"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (s *stream) usage(u Usage) {
	s.send(object{"choices": []object{}, "usage": object{
		"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Prompt + u.Completion,
		"prompt_tokens_details": object{"cached_tokens": u.Cached},
	}})
}

func (s *stream) send(chunk object) {
	chunk["id"], chunk["object"] = "chatcmpl-test", "chat.completion.chunk"
	chunk["model"], chunk["created"] = s.model, s.created
	b, err := json.Marshal(chunk)
	if err != nil {
		panic(err) // maps of plain values
	}
	fmt.Fprintf(s.w, "data: %s\n\n", b)
	s.w.(http.Flusher).Flush()
}
