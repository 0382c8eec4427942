package llm

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"ploke-lsp/session/llm/repair"

	"github.com/tidwall/gjson"
)

// streamedAnswer is the part of a streamed answer received so far, in one of the protocols.
type streamedAnswer interface {
	// knows reports whether an event is one of the protocol. name is that of the event, "" if it has none.
	knows(name string, event gjson.Result) bool
	// add adds such an event and returns the text and reasoning in it, with [io.EOF] if nothing may
	// follow. Thoughts may stand in the text.
	add(name string, event gjson.Result) (Chunk, error)
	// complete returns the error of a stream that ended without error but too early, or nil. done says that the stream has
	// said that it ends.
	complete(done bool) error
	// unknownError returns the class of an error that the server reports without saying its kind.
	unknownError() Class
	// ended returns what is known at the end of the stream, of which [ending.finish] may be empty: the
	// answer has ended as usual.
	ended() ending
}

// ask sends a request and reads the answer to it, which is a stream or one body.
func (e endpoint) ask(ctx context.Context, client *http.Client, path string, body []byte, tools []ToolSpec,
	a streamedAnswer, emit func(Chunk) bool) error {
	response, err := e.do(ctx, client, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	r := answerReader{body: response.Body, events: newEventStream(response.Body), answer: a,
		thoughts: repair.NewThoughts(), written: newWrittenCalls(tools), emit: emit}
	if err = r.read(); err != nil {
		r.flush()
		return requestError(err, r.begun || r.events.cut)
	}
	if r.left {
		return nil
	}
	return r.end()
}

// answerReader reads one answer.
type answerReader struct {
	body     io.Reader // of the response
	events   *eventStream
	answer   streamedAnswer
	thoughts repair.Thoughts
	written  writtenCalls
	emit     func(Chunk) bool
	begun    bool   // an event of the protocol has come
	answered bool   // text has come
	left     bool   // the caller takes no more
	strange  []byte // the first event that is none of the protocol and has words, nil if there is none
}

// read reads the answer to its end, or until the caller takes no more.
func (r *answerReader) read() error {
	for r.events.next() {
		if err := r.addEvent(); err != nil {
			return err
		}
		if !keepsAlive(r.events.data) {
			noteEvent(r.body)
		}
		if r.left {
			return nil
		}
	}
	return r.missing()
}

// keepsAlive reports whether an event only says that the server lives. Some servers leave out the
// name of such an event.
func keepsAlive(data []byte) bool { return gjson.GetBytes(data, "type").Str == "ping" }

// addEvent adds an event of the stream, or each one of a list.
func (r *answerReader) addEvent() error {
	named := r.events.name == "error"
	event, err := parseJSON(r.events.data)
	switch {
	case err != nil && named:
		return r.failed(r.events.data)
	case err != nil && !beginsObject(r.events.data): // words in brackets
		r.events.note(r.events.data)
		return nil
	case err != nil:
		return err
	case event.IsArray():
		for _, each := range event.Array() {
			if err := r.addObject(named, each); err != nil {
				return err
			}
		}
		return nil
	}
	return r.addObject(named, event)
}

// addObject adds an event. Servers put errors into an event with this name, or into any event.
func (r *answerReader) addObject(named bool, event gjson.Result) error {
	switch {
	case !event.IsObject():
		r.events.note([]byte(event.Raw))
		return nil
	case hasContent(event.Get("error")), named && !r.answer.knows("error", event):
		return r.failed([]byte(event.Raw))
	case !r.answer.knows(r.events.name, event):
		if r.strange == nil && wordsIn(event, 0) != "" {
			r.strange = []byte(event.Raw)
		}
		return nil
	}
	c, err := r.answer.add(r.events.name, event)
	if err == io.EOF {
		r.events.done, err = true, nil
	}
	if err == nil && named {
		err = r.failed([]byte(event.Raw))
	}
	if err != nil {
		return err
	}
	r.begun = true
	r.pass(c)
	return nil
}

// failed returns the error that the server put into the stream.
func (r *answerReader) failed(data []byte) *Error {
	e := streamedError(data, r.begun)
	if e.Class == BadResponse {
		e.Class = r.answer.unknownError()
	}
	return e
}

// beginsObject reports whether a text begins with an object, or with a list of them.
func beginsObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, "[ \t\r\n"), []byte("{"))
}

// pass passes the text and reasoning of a chunk on, except what may be a call that the model has written as text.
func (r *answerReader) pass(c Chunk) {
	if c.Text == "" {
		r.send("", c.Reasoning, false)
		return
	}
	text, thought, was := r.thoughts.Add(c.Text)
	if was {
		thought = r.written.drop() + thought
	}
	r.send(r.written.add(text), c.Reasoning+thought, was)
}

// send passes text and reasoning on. was says that all text before was reasoning.
func (r *answerReader) send(text, reasoning string, was bool) {
	was = was && r.answered
	r.answered = r.answered && !was || text != ""
	if (text != "" || reasoning != "" || was) && !r.left {
		r.left = !r.emit(Chunk{Text: text, Reasoning: reasoning, TextWasReasoning: was})
	}
}

// flush passes on what was held back of an answer that has failed.
func (r *answerReader) flush() {
	text, thought, _ := r.thoughts.End()
	r.send(r.written.drop()+text, thought, false)
}

// missing returns the error of an answer that is not complete, or nil. What the server has said instead is the cause.
func (r *answerReader) missing() error {
	if err := r.events.err(); err != nil {
		return err
	}
	err := r.answer.complete((r.events.done || r.events.whole()) && r.strange == nil)
	switch {
	case err == nil:
		return nil
	case r.strange != nil:
		return r.failed(r.strange)
	case !r.begun && !r.events.cut && r.events.words != "":
		return &Error{Class: BadResponse,
			Message: "the answer does not have the format of this type of provider; the server says: " + r.events.words}
	}
	return err
}

// end passes on what was held back, the calls, which are now complete, and the last chunk.
func (r *answerReader) end() error {
	end := r.answer.ended()
	text, thought, was := r.thoughts.End()
	if was {
		thought = r.written.drop() + thought
	}
	shown, written := r.written.end(text, &end)
	r.send(shown, thought, was)
	if err := end.settle(written, r.answered); err != nil {
		return err
	}
	if !r.left {
		end.emit(r.emit)
	}
	return nil
}
