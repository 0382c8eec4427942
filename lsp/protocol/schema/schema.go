// Package schema is the JSON Schema of the ploke/* methods. It checks messages against it.
//
// Its promises:
//
//   - The schema is generated from lsp/protocol.
//   - A check is stricter than the schema: it finds fields that the schema does not have.
//   - It runs in tests only.
package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed ploke.schema.json
var text []byte

// compiled is a schema of objects whose properties are the definitions, so that one can be chosen.
var compiled = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	root := new(jsonschema.Schema)
	if err := json.Unmarshal(text, root); err != nil {
		return nil, err
	}
	root.AdditionalProperties = nothing()
	root.Properties = map[string]*jsonschema.Schema{}
	for name, definition := range root.Defs {
		root.Properties[name] = &jsonschema.Schema{Ref: "#/$defs/" + strings.ReplaceAll(name, "/", "~1")}
		refuseOthers(definition)
	}
	root.Defs["Diagnostic"].AdditionalProperties = nil // it has what LSP defines, too
	return root.Resolve(nil)
})

// nothing is a schema that no value has.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// refuseOthers makes a schema refuse properties that it does not have.
func refuseOthers(s *jsonschema.Schema) {
	if s.Properties != nil {
		s.AdditionalProperties = nothing()
	}
	for _, part := range s.Properties {
		refuseOthers(part)
	}
	for _, one := range s.OneOf {
		refuseOthers(one)
	}
}

// CheckParams checks the parameters of a method, or the argument of a command. No parameters count as an
// empty object; those of a method without parameters are ignored.
func CheckParams(name string, raw []byte) error {
	part := "argument"
	if strings.HasPrefix(name, "ploke/") {
		part = "params"
	}
	switch {
	case !has(name, part):
		return check(name, []byte(`{}`))
	case isNull(raw):
		raw = []byte(`{}`)
	}
	return check(name, fmt.Appendf(nil, `{%q: %s}`, part, raw))
}

// CheckResult checks the result of a method or a command. A command need not have one.
func CheckResult(name string, raw []byte) error {
	if isNull(raw) && !strings.HasPrefix(name, "ploke/") {
		return check(name, []byte(`{}`))
	}
	return check(name, fmt.Appendf(nil, `{"result": %s}`, raw))
}

// Check checks a value of a type.
func Check(typeName string, raw []byte) error { return check(typeName, raw) }

func isNull(raw []byte) bool { return len(raw) == 0 || string(raw) == "null" }

// has reports whether the definition of a method or command has a part.
func has(name, part string) bool {
	resolved, err := compiled()
	if err != nil {
		return false
	}
	definition := resolved.Schema().Defs[name]
	return definition != nil && definition.Properties[part] != nil
}

// check checks a value of one of the definitions.
func check(name string, raw []byte) error {
	resolved, err := compiled()
	if err != nil {
		return fmt.Errorf("the schema is wrong: %w", err)
	}
	var instance any
	if err := json.Unmarshal(fmt.Appendf(nil, `{%q: %s}`, name, raw), &instance); err != nil {
		return err
	}
	return resolved.Validate(instance)
}
