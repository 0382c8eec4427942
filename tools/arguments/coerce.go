package arguments

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/aliases"
	"ploke-lsp/tools/wording"
)

// coerce returns value with the slips corrected that have only one meaning: a field under the
// name that it has in other tools, a number as a string, a list of one as its item, JSON in a
// string. It never changes a value that fits s. What it doesn't understand it leaves, for the check
// to refuse.
func (c checks) coerce(s *jsonschema.Schema, value any) any {
	if !c.refuses(s, value) {
		return value
	}
	switch s.Type {
	case "object":
		return c.coerceObject(s, value)
	case "array":
		return c.coerceArray(s, value)
	case "integer", "number", "boolean":
		return c.coerceScalar(s, value)
	case "string":
		return c.coerceString(s, value)
	}
	return value
}

// coerceObject returns a new object; it does not modify value.
func (c checks) coerceObject(s *jsonschema.Schema, value any) any {
	if text, ok := value.(string); ok {
		value = fromJSON(text)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	object = rename(s, object)
	c.moveIntoItems(s, object)
	for key, item := range object {
		property := s.Properties[key]
		switch {
		case property == nil:
			if aliases.Field(s.PropertyOrder, key) == "" && aliases.Ignorable(key) {
				delete(object, key)
			}
		case !slices.Contains(s.Required, key) && c.standsForNothing(property, item):
			delete(object, key)
		default:
			object[key] = c.coerce(property, item)
		}
	}
	return object
}

// standsForNothing reports whether an optional field has a value that means "left out" elsewhere.
func (c checks) standsForNothing(s *jsonschema.Schema, value any) bool {
	return value == nil || value == "" && c.refuses(s, value)
}

// rename returns a copy of object with the known other names of its fields replaced. A field that
// is also present under its own name is left.
func rename(s *jsonschema.Schema, object map[string]any) map[string]any {
	renamed := maps.Clone(object)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		field := aliases.Field(s.PropertyOrder, key)
		if _, taken := renamed[field]; field == "" || taken {
			continue
		}
		delete(renamed, key)
		renamed[field] = object[key]
	}
	return renamed
}

// misplaced returns the fields of an object that its schema does not know, but that of a list's items does.
func misplaced(s, items *jsonschema.Schema, object map[string]any) map[string]any {
	fields := map[string]any{}
	for key, value := range object {
		if s.Properties[key] == nil && knows(items, key) {
			fields[key] = value
		}
	}
	return fields
}

// moveIntoItems moves the fields that belong to the items of a list into them, as in the arguments
// of a tool that makes only one edit. Without the list they are its only item.
func (c checks) moveIntoItems(s *jsonschema.Schema, object map[string]any) {
	for _, name := range s.PropertyOrder {
		list := s.Properties[name]
		if list.Type != "array" || list.Items.Type != "object" {
			continue
		}
		shared := misplaced(s, list.Items, object)
		given, present := object[name]
		items := []any{map[string]any{}}
		if present {
			items, _ = c.coerceArray(list, given).([]any)
		}
		if len(shared) == 0 || !fill(items, shared, list.Items) {
			continue
		}
		object[name] = items
		for key := range shared {
			delete(object, key)
		}
	}
}

// knows reports whether name is a field of s, or stands for one.
func knows(s *jsonschema.Schema, name string) bool {
	return s.Properties[name] != nil || aliases.Field(s.PropertyOrder, name) != ""
}

// fill adds the shared fields to items that lack them. It changes nothing and reports false if
// there are no items, or some are not objects.
func fill(items []any, shared map[string]any, s *jsonschema.Schema) bool {
	for _, item := range items {
		if _, ok := item.(map[string]any); !ok {
			return false
		}
	}
	for i, item := range items {
		filled := rename(s, item.(map[string]any))
		for key, value := range rename(s, shared) {
			if _, own := filled[key]; !own {
				filled[key] = value
			}
		}
		items[i] = filled
	}
	return len(items) > 0
}

// coerceArray returns a new list; it does not modify value.
func (c checks) coerceArray(s *jsonschema.Schema, value any) any {
	if text, ok := value.(string); ok {
		// A pattern such as [ab].go is not a list, though it begins like one.
		if list, ok := fromJSON(text).([]any); ok && (s.Items.Type != "string" || !c.refuses(s, list)) {
			value = list
		}
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	items := slices.Clone(list)
	refused := 0
	for i, item := range items {
		if items[i] = c.coerce(s.Items, item); c.refuses(s.Items, items[i]) {
			if refused++; refused == wording.MaxFaults {
				break // the call is refused anyway, and there may be very many items
			}
		}
	}
	if ok {
		return items
	}
	if _, isObject := items[0].(map[string]any); isObject || !c.refuses(s.Items, items[0]) {
		return items
	}
	return value
}

func (c checks) coerceScalar(s *jsonschema.Schema, value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	if parsed := fromJSON(strings.ToLower(text)); !c.refuses(s, parsed) {
		return parsed
	}
	return value
}

func (c checks) coerceString(s *jsonschema.Schema, value any) any {
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	text, ok := value.(string)
	if !ok {
		return value
	}
	for _, word := range s.Enum {
		if word, ok := word.(string); ok && strings.EqualFold(word, strings.TrimSpace(text)) {
			return word
		}
	}
	return text
}

// fromJSON returns the value that text encodes, or text itself.
func fromJSON(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}
