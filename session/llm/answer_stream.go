package llm

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// streamedAnswer is the part of an answer received so far, of a protocol that streams it as events.
type streamedAnswer interface {
	// add adds an event and returns the text and reasoning in it.
	add(event gjson.Result) (Chunk, error)
	// complete returns the error of a stream that ended without error but too early, or nil.
	complete() error
	// end yields the calls, which are now complete, and the last chunk.
	end(emit func(Chunk) bool)
}

// ask sends a request and adds the events of the response to an answer.
func (e endpoint) ask(ctx context.Context, client *http.Client, path string, body []byte, a streamedAnswer, emit func(Chunk) bool) error {
	response, err := e.do(ctx, client, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	begun := false
	events := newEventStream(response.Body)
	for events.next() {
		c, err := addEvent(a, events, begun)
		if err != nil {
			return requestError(err, begun)
		}
		begun = true
		if (c.Text != "" || c.Reasoning != "") && !emit(c) {
			return nil
		}
	}
	if err = events.err(); err == nil {
		err = a.complete()
	}
	if err != nil {
		return requestError(err, begun)
	}
	a.end(emit)
	return nil
}

// addEvent adds an event to an answer. Servers put errors into an event with this name, or into any event.
func addEvent(a streamedAnswer, e *eventStream, begun bool) (Chunk, error) {
	named := e.name == "error"
	event, err := parseJSON(e.data)
	switch {
	case err != nil && named, err == nil && hasError(event):
		return Chunk{}, streamedError(e.data, begun)
	case err != nil:
		return Chunk{}, err
	}
	c, err := a.add(event)
	if err == nil && named {
		err = streamedError(e.data, begun)
	}
	return c, err
}

// hasError reports whether an event has an error. Some servers have an empty one in each event.
func hasError(event gjson.Result) bool {
	e := event.Get("error")
	empty := e.Type == gjson.Null || e.Type == gjson.False || e.Raw == `""`
	return event.IsObject() && !empty
}

// streamedError returns the error that a server put into a stream. begun says that a part of the response had arrived.
func streamedError(data []byte, begun bool) *Error {
	e := responseError(0, data)
	e.BrokeOff = begun
	if e.Message == "" {
		e.Message = "the server reports an error: " + strings.TrimSpace(string(data))
	}
	return e
}
