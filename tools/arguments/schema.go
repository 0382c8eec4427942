package arguments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/wording"
)

// Choices are the schemas of the types with a fixed list of values.
type Choices map[reflect.Type]*jsonschema.Schema

// OneOf returns the schema of a type with a fixed list of values.
func OneOf[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, string(word))
	}
	return s
}

// Schema is the JSON Schema of a tool's arguments, ready to check them.
type Schema struct {
	Source json.RawMessage    // as a model is told
	Root   *jsonschema.Schema // with all fields that are accepted
	checks checks
}

// checks are the schemas of a tool's arguments and of all their parts, ready to check values.
type checks map[*jsonschema.Schema]*jsonschema.Resolved

// add resolves a schema and its parts.
func (c checks) add(s *jsonschema.Schema) error {
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	c[s] = resolved
	for _, property := range s.Properties {
		if err := c.add(property); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return c.add(s.Items)
	}
	return nil
}

// refuses reports whether value does not fit s.
func (c checks) refuses(s *jsonschema.Schema, value any) bool { return c[s].Validate(value) != nil }

// For derives the schema of an arguments struct: `json` tags name the fields, fields without omitempty are
// required, `jsonschema` tags describe them.
func For[Args any](choices Choices) (*Schema, error) {
	root, err := jsonschema.For[Args](&jsonschema.ForOptions{TypeSchemas: choices})
	if err != nil {
		return nil, err
	}
	refuseNull(root)
	all := checks{}
	if err := all.add(root); err != nil {
		return nil, err
	}
	source, err := wording.Encode(withoutClosed(described(root, reflect.TypeFor[Args]())))
	return &Schema{Source: source, Root: root, checks: all}, err
}

// described returns a copy of the schema of an arguments struct without the fields of embedded
// structs.
func described(root *jsonschema.Schema, args reflect.Type) *jsonschema.Schema {
	shown := *root
	shown.Properties, shown.PropertyOrder = maps.Clone(root.Properties), slices.Clone(root.PropertyOrder)
	for _, field := range reflect.VisibleFields(args) {
		if len(field.Index) > 1 {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			delete(shown.Properties, name)
			shown.PropertyOrder = slices.DeleteFunc(shown.PropertyOrder, func(p string) bool { return p == name })
		}
	}
	return &shown
}

// withoutClosed returns a copy of s that does not say that other properties are refused. It holds
// for all objects, and a refusal names the property anyway.
func withoutClosed(s *jsonschema.Schema) *jsonschema.Schema {
	s = s.CloneSchemas()
	var open func(*jsonschema.Schema)
	open = func(s *jsonschema.Schema) {
		s.AdditionalProperties = nil
		for _, property := range s.Properties {
			open(property)
		}
		if s.Items != nil {
			open(s.Items)
		}
	}
	open(s)
	return s
}

// refuseNull removes null, which the derivation allows for slices and pointers. An optional
// argument is left out instead.
func refuseNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, property := range s.Properties {
		refuseNull(property)
	}
	if s.Items != nil {
		refuseNull(s.Items)
	}
}

// maxBytes bounds the arguments of a call: twice the largest file.
const maxBytes = 8 << 20

// Decode fills args from raw, or returns a [*wording.Failure] that names the wrong field. Empty arguments
// count as an empty object.
func (s *Schema) Decode(raw json.RawMessage, args any) error {
	value, err := s.read(raw)
	if err != nil {
		return err
	}
	if s.Refuses(value) {
		return s.checks.explain(s.Root, value, "")
	}
	plain, err := json.Marshal(value) // an integer may be written as 2.0
	if err != nil {
		return err
	}
	err = json.Unmarshal(plain, args)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return invalid(mismatch.Field, "the "+mismatch.Value+" is out of range", "send a smaller number")
	}
	return err
}

// read returns the value of arguments, with slips corrected.
func (s *Schema) read(raw json.RawMessage) (value any, err error) {
	if len(raw) > maxBytes {
		return nil, tooLarge(raw)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, invalid("", "the arguments are not JSON: "+err.Error(), "send one complete JSON object")
	}
	return s.Coerce(value), nil
}

// Refuses reports whether a decoded value does not fit the schema.
func (s *Schema) Refuses(value any) bool { return s.checks.refuses(s.Root, value) }

// Coerce returns a decoded value with the slips corrected that have only one meaning. It does not modify value.
func (s *Schema) Coerce(value any) any { return s.checks.coerce(s.Root, value) }

// Fits reports whether arguments, with slips corrected, are accepted.
func (s *Schema) Fits(raw json.RawMessage) bool {
	value, err := s.read(raw)
	return err == nil && !s.Refuses(value)
}

// fields returns the fields of an object of arguments, with slips corrected. Arguments that can't
// be read have none.
func (s *Schema) fields(raw json.RawMessage) (fields map[string]json.RawMessage) {
	value, err := s.read(raw)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil
	}
	fields = make(map[string]json.RawMessage, len(object))
	for name, value := range object {
		if fields[name], err = wording.Encode(value); err != nil {
			return nil
		}
	}
	return fields
}

// Object decodes arguments that have no schema here. Empty ones count as an empty object. Its error is a
// [*wording.Failure].
func Object(raw json.RawMessage) (args map[string]any, err error) {
	if len(raw) > maxBytes {
		return nil, tooLarge(raw)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // large integers keep their digits
	if err := decoder.Decode(&args); err != nil || args == nil || decoder.More() {
		return nil, invalid("", "the arguments are not a JSON object", "send one complete JSON object")
	}
	return args, nil
}

func tooLarge(raw json.RawMessage) *wording.Failure {
	return invalid("", fmt.Sprintf("the arguments have %d bytes", len(raw)), fmt.Sprintf("send at most %d", maxBytes))
}

// invalid says that arguments do not fit the schema.
func invalid(field, message, hint string) *wording.Failure {
	return &wording.Failure{Message: wording.Cut(message, 300), Code: "invalid_arguments", Field: field, Hint: hint}
}
