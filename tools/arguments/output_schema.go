package arguments

import (
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/wording"
)

// Output derives the JSON Schema of a tool's content. It says which fields there may be. Only "ok" is
// required, since a content may be one of several forms, and leaves out what is empty.
func Output[C any](choices Choices) (json.RawMessage, error) {
	root, err := jsonschema.For[C](&jsonschema.ForOptions{TypeSchemas: choices})
	if err != nil {
		return nil, err
	}
	root = withoutClosed(root)
	optional(root)
	if root.Properties["ok"] != nil {
		root.Required = []string{"ok"}
	}
	return wording.Encode(root)
}

// optional makes all fields of all objects optional. A field that may be left out is never null, but one
// that may not is null if it is an empty map.
func optional(s *jsonschema.Schema) {
	for name, property := range s.Properties {
		always := slices.Contains(s.Required, name)
		switch isMap := property.Type == "object" && len(property.Properties) == 0; {
		case always && isMap:
			property.Type, property.Types = "", []string{"null", "object"}
		case !always && len(property.Types) == 2:
			property.Type, property.Types = property.Types[1], nil
		}
		optional(property)
	}
	s.Required = nil
	if s.Items != nil {
		optional(s.Items)
	}
}
