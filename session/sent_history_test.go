package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/tidwall/gjson"
)

var sentName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// sentHistory is what a request of any protocol says of calls, in its order.
type sentHistory struct {
	open []string // ids of the calls without a result so far
	err  error
}

// checkHistory returns an error unless each call in a request has a name and arguments as servers take them, and is answered
// before anything else is said, and each result answers a call.
func checkHistory(body string) error {
	var h sentHistory
	request := gjson.Parse(body)
	for _, m := range append(request.Get("messages").Array(), request.Get("input").Array()...) {
		h.add(m)
	}
	if len(h.open) > 0 {
		h.fail("the calls %q have no result", h.open)
	}
	return h.err
}

func (h *sentHistory) fail(format string, args ...any) {
	h.err = errors.Join(h.err, fmt.Errorf(format, args...))
}

// add takes a message, or an item of the responses API.
func (h *sentHistory) add(m gjson.Result) {
	for _, c := range m.Get("tool_calls").Array() {
		h.call(c.Get("id").String(), c.Get("function.name").String(), c.Get("function.arguments"))
	}
	blocks := m.Get("content").Array()
	for _, b := range blocks {
		switch b.Get("type").String() {
		case "tool_use":
			h.call(b.Get("id").String(), b.Get("name").String(), b.Get("input"))
		case "tool_result":
			h.result(b.Get("tool_use_id").String())
		}
	}
	results := slices.ContainsFunc(blocks, func(b gjson.Result) bool { return b.Get("type").String() == "tool_result" })
	switch {
	case m.Get("type").String() == "function_call":
		h.call(m.Get("call_id").String(), m.Get("name").String(), m.Get("arguments"))
	case m.Get("type").String() == "function_call_output":
		h.result(m.Get("call_id").String())
	case m.Get("role").String() == "tool":
		h.result(m.Get("tool_call_id").String())
	case len(h.open) > 0 && m.Get("role").String() == "user" && !results:
		h.fail("the calls %q have no result before %s", h.open, m.Raw)
	}
}

func (h *sentHistory) call(id, name string, arguments gjson.Result) {
	if arguments.Type == gjson.String && gjson.Valid(arguments.Str) {
		arguments = gjson.Parse(arguments.Str)
	}
	if !sentName.MatchString(name) || !arguments.IsObject() {
		h.fail("a call of %q with %s", name, arguments.Raw)
	}
	h.open = append(h.open, id)
}

func (h *sentHistory) result(id string) {
	at := slices.Index(h.open, id)
	if at < 0 {
		h.fail("a result of %q, expected one of %q", id, h.open)
		return
	}
	h.open = slices.Delete(h.open, at, at+1)
}
