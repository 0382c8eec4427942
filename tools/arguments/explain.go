package arguments

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/aliases"
	"ploke-lsp/tools/wording"
)

// explain finds the innermost part of value that its schema refuses. It checks the fields in
// the order of the schema, so the same arguments always give the same answer.
func (c checks) explain(s *jsonschema.Schema, value any, path string) *wording.Failure {
	switch value := value.(type) {
	case map[string]any:
		if s.Type == "object" {
			return c.explainObject(s, value, path)
		}
	case []any:
		if s.Type == "array" {
			return c.explainItems(s, value, path)
		}
	}
	if len(s.Enum) > 0 {
		return invalid(path, fmt.Sprintf("%s is %s", nameOf(path), asText(value)),
			"use one of "+strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	return invalid(path, fmt.Sprintf("%s must be of type %s, not %s", nameOf(path), s.Type, asText(value)), hintFor(s))
}

// explainItems explains the items that are refused, of which there is at least one.
func (c checks) explainItems(s *jsonschema.Schema, items []any, path string) *wording.Failure {
	var faults []*wording.Failure
	for i, item := range items {
		if c.refuses(s.Items, item) {
			faults = append(faults, c.explain(s.Items, item, fmt.Sprintf("%s[%d]", path, i)))
		}
		if len(faults) == wording.MaxFaults {
			break
		}
	}
	if len(faults) == 1 {
		return faults[0]
	}
	f := invalid(path, fmt.Sprintf("%d items of %s don't fit; nothing was done", len(faults), nameOf(path)),
		"correct these, and send the call again")
	f.Faults = faults
	return f
}

func (c checks) explainObject(s *jsonschema.Schema, value map[string]any, path string) *wording.Failure {
	for _, key := range s.Required {
		if _, ok := value[key]; !ok {
			field := wording.FieldPath(path, key)
			return invalid(field, field+" is missing", hintFor(s.Properties[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(value)) {
		if s.Properties[key] == nil {
			return unknownField(s, key, path)
		}
	}
	for _, key := range s.PropertyOrder {
		item, ok := value[key]
		if ok && c.refuses(s.Properties[key], item) {
			return c.explain(s.Properties[key], item, wording.FieldPath(path, key))
		}
	}
	return invalid(path, nameOf(path)+" does not fit its schema", hintFor(s))
}

func unknownField(s *jsonschema.Schema, key, path string) *wording.Failure {
	field := wording.FieldPath(path, quoteUnprintable(key))
	message := "unknown field `" + field + "`"
	if meant := aliases.Closest(s.PropertyOrder, key); meant != "" {
		message += "; did you mean `" + wording.FieldPath(path, meant) + "`?"
	}
	return invalid(field, message, "the fields are "+strings.Join(s.PropertyOrder, ", "))
}

// quoteUnprintable returns a name in a form that fits in a line.
func quoteUnprintable(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` || len(name) > 40 {
		return wording.Cut(quoted, 40)
	}
	return name
}

// nameOf is what a message calls the value at path.
func nameOf(path string) string {
	if path == "" {
		return "the arguments object"
	}
	return path
}

func hintFor(s *jsonschema.Schema) string {
	hint := "send a value of type " + s.Type
	if s.Description != "" {
		hint += ": " + s.Description
	}
	return hint
}

// asText returns value as JSON, cut.
func asText(value any) string {
	data, err := wording.Encode(value)
	if err != nil {
		return fmt.Sprintf("%T", value)
	}
	return wording.Cut(string(data), 80)
}
