package tools

import (
	"encoding/json"

	"ploke-lsp/internal/lazyregexp"
)

// advice matches the fields of a result that may name tools. Quotes within a JSON string are
// escaped, so nothing in quoted code looks like such a field.
var advice = lazyregexp.New(`"(?:hint|cut|note)":"(?:[^"\\]|\\.)*"`)

// toolName matches what may be the name of a tool.
var toolName = lazyregexp.New(`\b[a-z]+(?:_[a-z]+)+\b`)

// WithNames returns a result whose advice has other names for tools, for a program that knows
// them by these names. The keys of names are the tools' own.
func WithNames(content json.RawMessage, names map[string]string) json.RawMessage {
	return advice.ReplaceAllFunc(content, func(field []byte) []byte {
		return toolName.ReplaceAllFunc(field, func(name []byte) []byte {
			if other, known := names[string(name)]; known {
				return []byte(other)
			}
			return name
		})
	})
}
