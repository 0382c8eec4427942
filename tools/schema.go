package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// closedLists are the argument types with a fixed list of values.
var closedLists = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[placing.Mode](): oneOf(placing.ModeCanonical, placing.ModeSplice, placing.ModeReplace,
		placing.ModeRename),
	reflect.TypeFor[placing.At](): oneOf(placing.AtReplace, placing.AtBefore, placing.AtAfter, placing.AtFirst,
		placing.AtLast, placing.AtDelete),
	reflect.TypeFor[direction]():  oneOf(callers, callees, references, implementers, occurrences, containers),
	reflect.TypeFor[lookupView](): oneOf(viewSignature, viewOutline, viewFull),
}

func oneOf[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, string(word))
	}
	return s
}

// schema is a tool's JSON Schema, ready to check arguments.
type schema struct {
	source json.RawMessage
	root   *jsonschema.Schema
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

func schemaFor[Args any]() (*schema, error) {
	root, err := jsonschema.For[Args](&jsonschema.ForOptions{TypeSchemas: closedLists})
	if err != nil {
		return nil, err
	}
	refuseNull(root)
	all := checks{}
	if err := all.add(root); err != nil {
		return nil, err
	}
	source, err := wording.Encode(withoutClosed(described(root, reflect.TypeFor[Args]())))
	return &schema{source: source, root: root, checks: all}, err
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

// argumentsBytes bounds the arguments of a call: twice the largest file.
const argumentsBytes = 8 << 20

// decode fills args from raw, or returns a Failure that names the wrong field. Empty arguments
// count as an empty object.
func (s *schema) decode(raw json.RawMessage, args any) error {
	value, err := s.read(raw)
	if err != nil {
		return err
	}
	if s.checks.refuses(s.root, value) {
		return s.checks.explain(s.root, value, "")
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
func (s *schema) read(raw json.RawMessage) (value any, err error) {
	if len(raw) > argumentsBytes {
		return nil, invalid("", fmt.Sprintf("the arguments have %d bytes", len(raw)),
			fmt.Sprintf("send at most %d", argumentsBytes))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, invalid("", "the arguments are not JSON: "+err.Error(), "send one complete JSON object")
	}
	return s.checks.coerce(s.root, value), nil
}

// fits reports whether arguments, with slips corrected, are accepted.
func (s *schema) fits(raw json.RawMessage) bool {
	value, err := s.read(raw)
	return err == nil && !s.checks.refuses(s.root, value)
}

// fields returns the fields of an object of arguments, with slips corrected. Arguments that can't
// be read have none.
func (s *schema) fields(raw json.RawMessage) (fields map[string]json.RawMessage) {
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

// invalid says that arguments do not fit the schema.
func invalid(field, message, hint string) *wording.Failure {
	return &wording.Failure{Message: wording.Cut(message, 300), Code: "invalid_arguments", Field: field, Hint: hint}
}

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
		return invalid(path, fmt.Sprintf("%s is %s", name(path), asText(value)),
			"use one of "+strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	return invalid(path, fmt.Sprintf("%s must be of type %s, not %s", name(path), s.Type, asText(value)), hintFor(s))
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
	f := invalid(path, fmt.Sprintf("%d items of %s don't fit; nothing was done", len(faults), name(path)),
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
	return invalid(path, name(path)+" does not fit its schema", hintFor(s))
}

func unknownField(s *jsonschema.Schema, key, path string) *wording.Failure {
	field := wording.FieldPath(path, quoteUnprintable(key))
	message := "unknown field `" + field + "`"
	if meant := meantField(s, key); meant != "" {
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

// name is what a message calls the value at path.
func name(path string) string {
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
