package lspcheck

import (
	"errors"
	"fmt"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An object is a JSON object. A checked message consists of objects, []any, string, float64,
// bool and nil.
type object = map[string]any

// A message is a request, a notification or a response.
type message struct {
	id            string // as JSON; empty if it has none
	method        string // empty in a response
	params        any
	hasParams     bool
	result        any
	hasResult     bool
	failure       any // the error of a response
	hasFailure    bool
	unknownFields []string
	version       any // of JSON-RPC
}

// parseMessage decodes a message. Objects with duplicate names and text that is not UTF-8 are
// errors, unless options allow them.
func parseMessage(body []byte, options ...json.Options) (*message, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal(body, &fields, options...); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, errors.New("the message is null")
	}
	m := &message{}
	for name, raw := range fields {
		if err := m.set(name, raw, options); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *message) set(name string, raw jsontext.Value, options []json.Options) error {
	if name == "id" {
		m.id = string(raw)
		return nil
	}
	var value any
	if err := json.Unmarshal(raw, &value, options...); err != nil {
		return err
	}
	switch name {
	case "jsonrpc":
		m.version = value
	case "method":
		m.method, _ = value.(string)
	case "params":
		m.params, m.hasParams = value, true
	case "result":
		m.result, m.hasResult = value, true
	case "error":
		m.failure, m.hasFailure = value, true
	default:
		m.unknownFields = append(m.unknownFields, name)
	}
	return nil
}

// field returns a value within objects; nil if there is none.
func field(value any, path ...string) any {
	for _, name := range path {
		o, _ := value.(object)
		value = o[name]
	}
	return value
}

// has reports whether an object has a field, even if that is null.
func has(value any, name string) bool {
	o, _ := value.(object)
	_, ok := o[name]
	return ok
}

// list returns the elements of an array within objects.
func list(value any, path ...string) []any {
	l, _ := field(value, path...).([]any)
	return l
}

// text returns a string within objects; empty if there is none.
func text(value any, path ...string) string {
	s, _ := field(value, path...).(string)
	return s
}

// number returns an integer within objects; 0 if there is none.
func number(value any, path ...string) int {
	n, _ := field(value, path...).(float64)
	return int(n)
}

// key returns a value as JSON, to compare ids and tokens.
func key(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(data)
}

// describe returns a value as text for a person, cut if it is long.
func describe(value any) string {
	if value == nil {
		return "null"
	}
	return clip(key(value), 100)
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%.*s… (%d bytes)", most, s, len(s))
}
