package llm

import (
	"bytes"
	"encoding/json"
	"io"
)

// ending is what is known of an answer at its end.
type ending struct {
	calls    []Call
	usage    *Usage
	finish   Finish
	attached opaque
	notice   string // for the person
}

// settle makes the calls and the reason to end agree, whatever the server gave as the reason.
// written are calls that the model wrote as text. answered says that the answer has text.
func (e *ending) settle(written []Call, answered bool) error {
	e.splitCalls()
	e.calls = append(e.calls, written...)
	switch e.finish {
	case FinishLength, FinishContentFilter:
		if e.finish == FinishLength && len(e.calls) > 0 {
			e.finish = FinishInCall
		}
		e.calls = nil
		return nil
	case FinishPaused:
		if !answered && len(e.calls) == 0 {
			return &Error{Class: Overloaded, Message: "the model paused before it answered"}
		}
	case "":
		e.finish = FinishStop
	}
	if len(e.calls) > 0 {
		e.finish = FinishToolCalls
	}
	return nil
}

// splitCalls makes several calls of one whose arguments are several objects: the server has joined
// the calls of one tool.
func (e *ending) splitCalls() {
	var calls []Call
	var unknown []json.RawMessage
	for i, c := range e.calls {
		for n, arguments := range argumentsOf(c.Arguments) {
			given := json.RawMessage("null")
			if n > 0 {
				c.ID = ""
			} else if chat := e.attached.Chat; chat != nil && i < len(chat.Calls) {
				given = chat.Calls[i]
			}
			calls = append(calls, Call{ID: c.ID, Name: c.Name, Arguments: arguments})
			unknown = append(unknown, given)
		}
	}
	e.calls = calls
	if chat := e.attached.Chat; chat != nil && chat.Calls != nil {
		chat.Calls = unknown
	}
}

// argumentsOf returns the objects that stand in the arguments of a call one after the other, less
// those that are empty or repeat the one before; the arguments as they are if there are other
// things.
func argumentsOf(arguments json.RawMessage) []json.RawMessage {
	whole := []json.RawMessage{orEmptyObject(bytes.TrimSpace(arguments))}
	if !json.Valid(arguments) && bytes.HasPrefix(whole[0], []byte("{")) {
		if all := objectsIn(arguments); len(all) > 0 {
			return all
		}
	}
	return []json.RawMessage{orEmptyObject(arguments)}
}

func objectsIn(text []byte) (all []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var object json.RawMessage
		err := d.Decode(&object)
		if err == io.EOF {
			break
		}
		if err != nil || object[0] != '{' {
			return nil
		}
		if n := len(all); n > 0 && (emptyObject(all[n-1]) || sameJSON(all[n-1], object)) {
			all[n-1] = object
		} else if n == 0 || !emptyObject(object) {
			all = append(all, object)
		}
	}
	return all
}

func emptyObject(text []byte) bool { return sameJSON(text, []byte("{}")) }

// sameJSON reports whether two texts are the same JSON but for white space.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// emit yields the calls and the last chunk.
func (e *ending) emit(emit func(Chunk) bool) {
	for i := range e.calls {
		if !emit(Chunk{Call: &e.calls[i]}) {
			return
		}
	}
	emit(Chunk{Usage: e.usage, Finish: e.finish, Opaque: e.attached.marshal(), Notice: e.notice})
}
