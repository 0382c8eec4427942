package repair

import (
	"bytes"
	"encoding/json"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Object returns a call's arguments for an API that accepts only an object. Other
// arguments are shown to the model as text within an object.
func Object(args json.RawMessage) json.RawMessage {
	if isObject(args) {
		return args
	}
	b, err := json.Marshal(map[string]string{"invalid_arguments": string(args)})
	if err != nil {
		panic(err) // a map of strings
	}
	return b
}

func isObject(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, blanks), []byte("{")) && json.Valid(data)
}

// Arguments returns the object that a call's arguments stand for. It corrects only how they are written, and never
// guesses what they say: an object that is cut off, or one of two different objects, is left as it is.
func Arguments(arguments string) json.RawMessage {
	raw := json.RawMessage(arguments)
	if isObject(raw) {
		return raw
	}
	if object := objectIn(arguments, maxDecodings); object != nil {
		return object
	}
	return raw
}

// maxDecodings is how many times arguments may be encoded as a string.
const maxDecodings = 3

var (
	// lead matches what stands before arguments: a fence, a tag, or a word such as "json" or "arguments:".
	lead = lazyregexp.New("^(?:`{3,}|~{3,}|<[|]?\\w+[|]?>|\\w+ " +
		"*[:=(]|(?i:json[5c]?|arguments|args|input|parameters|python|tool_call)\\b|\\s+)+")
	// nothing matches what stands for no arguments.
	nothing = lazyregexp.New("^(?:`{3,})?(?i:json\\b)?\\s*(?i:null|none|undefined)?\\s*`*$")
	// escaped matches an encoded object that has lost its quotes.
	escaped = lazyregexp.New(`^\{\s*\\`)
)

// objectIn returns the only object in a text, or nil.
func objectIn(text string, decodings int) json.RawMessage {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	if nothing.MatchString(text) {
		return json.RawMessage("{}")
	}
	text = text[len(lead.FindString(text)):]
	switch {
	case escaped.MatchString(text):
		return objectWithin(`"`+text+`"`, decodings)
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "'"):
		return objectWithin(text, decodings)
	case strings.HasPrefix(text, "["):
		return onlyItem(text)
	}
	return firstObject(text)
}

// objectWithin returns the object in the string with which a text begins, or nil.
func objectWithin(text string, decodings int) json.RawMessage {
	s := looseScanner{text: text}
	s.quoted(text[0])
	var decoded string
	if decodings == 0 || json.Unmarshal(s.out, &decoded) != nil {
		return nil
	}
	return objectIn(decoded, decodings-1)
}

// firstObject returns the object with which a text begins, or nil. Another object may only follow an empty one, which
// some servers send first, or be its repetition.
func firstObject(text string) json.RawMessage {
	value, rest := LooseValue(text)
	next, _ := LooseValue(strings.TrimSpace(rest))
	first, second := compactObject(value), compactObject(next)
	if first != nil && string(first) == "{}" && second != nil {
		return second
	}
	if second != nil && !bytes.Equal(first, second) {
		return nil
	}
	return first
}

// compactObject returns an object without white space, or nil if data is not a valid object.
func compactObject(data []byte) json.RawMessage {
	var object bytes.Buffer
	if !isObject(data) || json.Compact(&object, data) != nil {
		return nil
	}
	return object.Bytes()
}

// onlyItem returns the only item of a list if it is an object, or nil. No other item of arguments can be meant.
func onlyItem(text string) json.RawMessage {
	list, _ := LooseValue(text)
	var items []json.RawMessage
	if json.Unmarshal(list, &items) != nil || len(items) != 1 {
		return nil
	}
	return compactObject(items[0])
}
