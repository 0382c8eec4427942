package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

const (
	maxSchemaBytes = 32 << 10
	maxSchemaDepth = 32
)

var schemaTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// argumentsSchema returns a tool's schema of its arguments as providers take it: an object with its
// properties. A provider refuses a whole request because of one wrong schema, so what is clearly
// wrong is an error.
func argumentsSchema(schema any) (json.RawMessage, error) {
	root, ok := schema.(map[string]any)
	if !ok {
		return nil, errors.New("the schema of its arguments is not an object")
	}
	if given, present := root["type"]; present && given != "object" {
		return nil, errors.New(`the type of its arguments is not "object"`)
	}
	if _, ok := root["properties"].(map[string]any); !ok && root["properties"] != nil {
		return nil, errors.New("the properties of its arguments are not an object")
	}
	if err := checkSchema(root, maxSchemaDepth); err != nil {
		return nil, err
	}
	plain := plainSchema(root)
	plain["type"] = "object"
	if plain["properties"] == nil {
		plain["properties"] = map[string]any{}
	}
	encoded, err := json.Marshal(plain) // sorted by key: equal schemas have equal bytes
	if err == nil && len(encoded) > maxSchemaBytes {
		err = fmt.Errorf("the schema of its arguments has more than %d bytes", maxSchemaBytes)
	}
	return encoded, err
}

// checkSchema returns an error if a schema or one of its parts has a wrong type, or if it is too deep.
func checkSchema(schema map[string]any, depth int) error {
	if depth == 0 {
		return errors.New("the schema of its arguments is too deep")
	}
	if given, present := schema["type"]; present && !isType(given) {
		return fmt.Errorf("the schema of its arguments has the unknown type %s", shorten(fmt.Sprint(given), 40))
	}
	if given, present := schema["required"]; present && !isStrings(given) {
		return errors.New(`"required" in the schema of its arguments is not a list of names`)
	}
	for _, key := range []string{"properties", "$defs", "definitions"} {
		named, ok := schema[key].(map[string]any)
		if !ok && schema[key] != nil {
			return fmt.Errorf("%q in the schema of its arguments is not an object", key)
		}
		if err := checkParts(slices.Collect(maps.Values(named)), depth-1); err != nil {
			return err
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		list, ok := schema[key].([]any)
		if !ok && schema[key] != nil {
			return fmt.Errorf("%q in the schema of its arguments is not a list", key)
		}
		if err := checkParts(list, depth-1); err != nil {
			return err
		}
	}
	for _, key := range []string{"items", "additionalProperties", "not"} {
		list, ok := schema[key].([]any) // items was a list before JSON Schema 2020-12
		if !ok && schema[key] != nil {
			list = []any{schema[key]}
		}
		if err := checkParts(list, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// checkParts checks schemas within another one, which may also be true or false.
func checkParts(parts []any, depth int) error {
	for _, part := range parts {
		switch part := part.(type) {
		case bool:
		case map[string]any:
			if err := checkSchema(part, depth); err != nil {
				return err
			}
		default:
			return errors.New("a part of the schema of its arguments is not a schema")
		}
	}
	return nil
}

func isType(given any) bool {
	if isTypeName(given) {
		return true
	}
	list, ok := given.([]any)
	return ok && len(list) > 0 && !slices.ContainsFunc(list, func(one any) bool { return !isTypeName(one) })
}

func isTypeName(given any) bool {
	name, ok := given.(string)
	return ok && slices.Contains(schemaTypes, name)
}

func isStrings(given any) bool {
	list, ok := given.([]any)
	return ok && !slices.ContainsFunc(list, func(one any) bool { _, ok := one.(string); return !ok })
}
