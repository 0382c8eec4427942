package arguments

import (
	"encoding/json"
	"reflect"

	"ploke-lsp/tools/wording"
)

// Canonical returns the arguments of a call in the form that all calls have that mean the same: with slips
// corrected, fields in order, and none that has the value of one left out. Arguments that the schema refuses
// are returned as they are.
func (s *Schema) Canonical(arguments json.RawMessage) json.RawMessage {
	value, err := s.read(arguments)
	fields, ok := value.(map[string]any)
	if err != nil || !ok {
		return arguments
	}
	given := map[string]any{}
	for name, v := range fields {
		if !meansNothing(v) {
			given[name] = v
		}
	}
	canonical, err := wording.Encode(given)
	if err != nil {
		return arguments
	}
	return canonical
}

// meansNothing reports whether a value of an argument is the same as none.
func meansNothing(v any) bool {
	list, isList := v.([]any)
	return v == nil || isList && len(list) == 0 || !isList && reflect.ValueOf(v).IsZero()
}
