package llm

import (
	"cmp"
	"io"

	"github.com/tidwall/gjson"
)

// ollamaAnswer is the part of a streamed response received so far. Each piece is a line of JSON.
type ollamaAnswer struct {
	begun    bool // text, reasoning or a call has come
	finished bool
	thoughts []byte
	calls    []Call
	usage    Usage
	finish   Finish
}

func (a *ollamaAnswer) knows(_ string, piece gjson.Result) bool {
	return piece.Get("message").IsObject() || piece.Get("done").Exists() || wordsIn(piece, 0) == ""
}

// add adds a piece and returns the text and reasoning in it.
func (a *ollamaAnswer) add(_ string, piece gjson.Result) (Chunk, error) {
	message := piece.Get("message")
	text, thought := textParts(message.Get("content"))
	thinking := firstText(message, "thinking")
	a.thoughts = append(a.thoughts, thinking...)
	c := Chunk{Text: text, Reasoning: cmp.Or(thinking, thought)}
	for _, call := range listOf(message, "tool_calls") {
		if call.IsObject() {
			given := pieceOf(call, 0, false)
			a.calls = append(a.calls, Call{ID: given.id, Name: given.name, Arguments: orEmptyObject([]byte(given.args))})
		}
	}
	a.begun = a.begun || c.Text+c.Reasoning != "" || len(a.calls) > 0
	if piece.Get("done").Bool() {
		a.finished = true
		a.usage = Usage{In: int(piece.Get("prompt_eval_count").Int()), Out: int(piece.Get("eval_count").Int())}
		return c, a.finishWith(piece.Get("done_reason").String())
	}
	return c, nil
}

// finishWith takes the reason to end. A server that was asked while it loaded a model may say no more than that.
func (a *ollamaAnswer) finishWith(reason string) error {
	switch {
	case reason == "length":
		a.finish = FinishLength
	case (reason == "load" || reason == "unload") && !a.begun:
		return &Error{Class: Overloaded, Message: "the server has only loaded the model"}
	}
	return io.EOF
}

func (a *ollamaAnswer) complete(bool) error {
	if !a.finished {
		return errBrokeOff
	}
	return nil
}

// unknownError implements [streamedAnswer]. After a response has begun, only failures of the server are left.
func (a *ollamaAnswer) unknownError() Class { return Overloaded }

func (a *ollamaAnswer) ended() ending {
	return ending{calls: a.calls, usage: &a.usage, finish: a.finish, attached: opaque{Ollama: string(a.thoughts)}}
}
