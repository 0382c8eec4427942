package mcpclient

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// plainKeys are the keys of a schema that every provider takes, with plain values. Source: the type Schema of Gemini's
// API, which refuses a whole request because of another key.
var plainKeys = []string{"description", "title", "format", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern", "nullable"}

// plainSchemas writes schemas in the words that every provider takes. What can't be said in them is
// left out: the server checks the arguments anyway.
type plainSchemas struct {
	root   map[string]any  // that references are resolved in
	within map[string]bool // the references that are being followed
	left   int             // how many more parts are written: references can make a small schema a large one
}

// maxSchemaParts bounds the parts of a plain schema.
const maxSchemaParts = 1000

func plainSchema(root map[string]any) map[string]any {
	p := &plainSchemas{root: root, within: map[string]bool{}, left: maxSchemaParts}
	return p.of(root)
}

// of returns a schema without references, of one type, with its alternatives in anyOf. A schema
// inside itself, or beyond the bound, is left open. The schema has passed [checkSchema].
func (p *plainSchemas) of(schema any) map[string]any {
	s, ok := schema.(map[string]any)
	if !ok || p.left == 0 {
		return map[string]any{}
	}
	p.left--
	if reference, _ := s["$ref"].(string); reference != "" {
		if p.within[reference] {
			return map[string]any{}
		}
		p.within[reference] = true
		defer delete(p.within, reference)
	}
	s = p.merged(s, mergeDepth)
	plain := map[string]any{}
	for _, key := range plainKeys {
		if value, ok := s[key]; ok {
			plain[key] = value
		}
	}
	p.addTypes(plain, s)
	p.addAlternatives(plain, s)
	p.addValues(plain, s)
	p.addParts(plain, s)
	return plain
}

// mergeDepth is how many references and allOf within each other are followed.
const mergeDepth = 4

// merged returns a schema with what its reference and its allOf say.
func (p *plainSchemas) merged(s map[string]any, depth int) map[string]any {
	all, _ := s["allOf"].([]any)
	reference, _ := s["$ref"].(string)
	if reference == "" && len(all) == 0 || depth == 0 {
		return s
	}
	out := map[string]any{}
	properties, required := map[string]any{}, []any{}
	for _, part := range append(slices.Clone(all), p.resolve(reference), without(s, "allOf", "$ref")) {
		m, ok := part.(map[string]any)
		if !ok {
			continue
		}
		m = p.merged(m, depth-1)
		maps.Copy(out, m)
		named, _ := m["properties"].(map[string]any)
		maps.Copy(properties, named)
		names, _ := m["required"].([]any)
		required = append(required, names...)
	}
	if len(properties) > 0 {
		out["properties"], out["required"] = properties, required
	}
	return out
}

// resolve returns the schema that a reference within the root names, or nil.
func (p *plainSchemas) resolve(reference string) any {
	path, ok := strings.CutPrefix(reference, "#/")
	if !ok {
		return nil
	}
	var at any = p.root
	for name := range strings.SplitSeq(path, "/") {
		object, _ := at.(map[string]any)
		at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}

func without(s map[string]any, keys ...string) map[string]any {
	s = maps.Clone(s)
	for _, key := range keys {
		delete(s, key)
	}
	return s
}

// oneType returns the alternative for one of the types of a schema.
func (p *plainSchemas) oneType(t any, s map[string]any) map[string]any {
	one := map[string]any{"type": t}
	if t == "array" {
		one["items"] = p.itemsOf(s)
	}
	return one
}

// addTypes adds the type; several ones become alternatives. Null does not count: an optional argument is left out
// instead.
func (p *plainSchemas) addTypes(plain, s map[string]any) {
	list, ok := s["type"].([]any)
	if !ok {
		if s["type"] != nil {
			plain["type"] = s["type"]
		}
		return
	}
	list = slices.DeleteFunc(slices.Clone(list), func(t any) bool { return t == "null" })
	if len(list) == 1 {
		plain["type"] = list[0]
		return
	}
	var types []any
	for _, t := range list {
		types = append(types, p.oneType(t, s))
	}
	if len(types) > 0 {
		plain["anyOf"] = types
	}
}

// addAlternatives adds anyOf and oneOf, less null. A single one is the schema itself.
func (p *plainSchemas) addAlternatives(plain, s map[string]any) {
	var some []any
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, one := range list {
			if a := p.of(one); a["type"] != "null" && len(a) > 0 {
				some = append(some, a)
			}
		}
	}
	switch {
	case len(some) == 1:
		for key, value := range some[0].(map[string]any) {
			if _, given := plain[key]; !given {
				plain[key] = value
			}
		}
	case len(some) > 1 && plain["type"] == nil && plain["anyOf"] == nil:
		plain["anyOf"] = some
	}
}

// addValues adds the list of values. Providers take only words; others are told in the description.
func (p *plainSchemas) addValues(plain, s map[string]any) {
	values, _ := s["enum"].([]any)
	if one, ok := s["const"]; ok {
		values = []any{one}
	}
	values = slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil || v == "" })
	if len(values) == 0 {
		return
	}
	if !slices.ContainsFunc(values, func(v any) bool { _, ok := v.(string); return !ok }) {
		plain["type"], plain["enum"] = "string", values
		return
	}
	told := make([]string, len(values))
	for i, v := range values {
		told[i] = fmt.Sprint(v)
	}
	description, _ := plain["description"].(string)
	plain["description"] = strings.TrimSpace(description + " One of: " + strings.Join(told, ", ") + ".")
}

// addParts adds the properties of an object, and what an array holds.
func (p *plainSchemas) addParts(plain, s map[string]any) {
	named, _ := s["properties"].(map[string]any)
	if named != nil && (plain["type"] == nil || plain["type"] == "object") {
		properties := map[string]any{}
		for name, part := range named {
			properties[name] = p.of(part)
		}
		plain["type"], plain["properties"] = "object", properties
		names, _ := s["required"].([]any)
		names = slices.DeleteFunc(slices.Clone(names), func(n any) bool { return properties[n.(string)] == nil })
		if len(names) > 0 {
			plain["required"] = slices.Compact(names)
		}
	}
	if plain["type"] == "array" {
		plain["items"] = p.itemsOf(s)
	}
}

// itemsOf returns what an array holds: words, if nothing is said of it.
func (p *plainSchemas) itemsOf(s map[string]any) map[string]any {
	items := s["items"]
	if list, ok := items.([]any); ok && len(list) > 0 {
		items = list[0]
	}
	if list, ok := s["prefixItems"].([]any); ok && items == nil && len(list) > 0 {
		items = list[0]
	}
	if one := p.of(items); len(one) > 0 {
		return one
	}
	return map[string]any{"type": "string"}
}
