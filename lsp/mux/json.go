package mux

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// object is a JSON object whose members are not read.
type object map[string]json.RawMessage

// objectOf returns the members of an object, none of what is not one.
func objectOf(raw json.RawMessage) object {
	o := object{}
	_ = json.Unmarshal(raw, &o) // what is none has no members
	if o == nil {
		o = object{}
	}
	return o
}

func (o object) raw() json.RawMessage { return mustMarshal(map[string]json.RawMessage(o)) }

// mustMarshal encodes what holds valid JSON. Unlike the standard form, characters of HTML stay as they are.
func mustMarshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // no type of this package fails
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// isTrue reports whether a capability is there: an option, or true.
func isTrue(raw json.RawMessage) bool {
	text := string(bytes.TrimSpace(raw))
	return text != "" && text != "null" && text != "false"
}

// withMember returns an object with another value of a member.
func withMember(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	o := objectOf(raw)
	o[name] = value
	return o.raw()
}

// withoutMember returns an object without a member: itself if it has none.
func withoutMember(raw json.RawMessage, name string) json.RawMessage {
	o := objectOf(raw)
	if _, has := o[name]; !has {
		return raw
	}
	delete(o, name)
	return o.raw()
}

// listOf returns the elements of a list, none of what is not one.
func listOf(raw json.RawMessage) (list []json.RawMessage) {
	_ = json.Unmarshal(raw, &list)
	return list
}

// stringsOf returns the texts in a list of texts.
func stringsOf(raw json.RawMessage) (list []string) {
	_ = json.Unmarshal(raw, &list)
	return list
}

// union returns the texts of both lists, each once, in their order.
func union(a, b []string) []string {
	all := []string{}
	for _, text := range slices.Concat(a, b) {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// canonical returns a value in a form that equal values share.
func canonical(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return string(raw)
	}
	return string(mustMarshal(value))
}

// overlay returns the members of both objects; where both have one, that of the first.
func overlay(first, second object) object {
	all := maps.Clone(second)
	maps.Copy(all, first)
	return all
}
