package arguments

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"ploke-lsp/tools/wording"
)

// A model knows secrets only by placeholders. A tool gets the secrets only in the arguments
// that declare it, since what it does with the others may leave the machine: the query of
// request_code_context is sent to the embedding model.

// Restored is an argument in which placeholders are replaced by secrets. The tag
// `secrets` of its field is
//
//   - "named" if it names a file or a symbol, whose name may look like a secret,
//   - "pattern" if it is a regular expression that is compared with files,
//   - "written" if it becomes a part of a file, or its path.
type Restored struct {
	Name    string
	Written bool
	// Write returns a secret as the argument has to contain it.
	Write func(secret string) string
}

// RestoredIn returns the declared arguments of a struct type, in its order.
func RestoredIn(args reflect.Type) (all []Restored, err error) {
	for _, field := range reflect.VisibleFields(args) {
		tag, declared := field.Tag.Lookup("secrets")
		if !declared {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		a := Restored{Name: name, Write: func(secret string) string { return secret }}
		switch tag {
		case "named":
		case "pattern":
			a.Write = regexp.QuoteMeta
		case "written":
			a.Written = true
		default:
			return nil, fmt.Errorf("%s has the unknown tag secrets:%q", name, tag)
		}
		all = append(all, a)
	}
	return all, nil
}

// Restore replaces the secret of a placeholder in the JSON of an argument, in the form that write gives it.
type Restore func(value json.RawMessage, write func(secret string) string) (json.RawMessage, error)

// Correct returns arguments with slips corrected, under the tool's own names. Arguments that are not an object are
// returned as they are.
func (s *Schema) Correct(arguments json.RawMessage) (json.RawMessage, error) {
	if values := s.fields(arguments); values != nil {
		return wording.Encode(values)
	}
	return arguments, nil
}

// Restore corrects slips in a call's arguments, so that each value is where the tool declares it. It calls
// restore with the JSON of each argument in wanted, and returns the arguments with the results. Arguments
// that are not an object are returned as they are.
func (s *Schema) Restore(arguments json.RawMessage, wanted []Restored, restore Restore) (json.RawMessage, error) {
	values := s.fields(arguments)
	if values == nil {
		return arguments, nil // the schema refuses them
	}
	for _, a := range wanted {
		value, given := values[a.Name]
		if !given {
			continue
		}
		value, err := restoreInPatterns(value, restore)
		if err != nil {
			return nil, err
		}
		if values[a.Name], err = restore(value, a.Write); err != nil {
			return nil, err
		}
	}
	return wording.Encode(values)
}

// restoreInPatterns restores the secrets in those edits of a list whose old is a regular
// expression, and new a template: there a secret has to be quoted. Any other value is returned as
// it is.
func restoreInPatterns(value json.RawMessage, restore Restore) (json.RawMessage, error) {
	var list []map[string]json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return value, nil
	}
	quote := map[string]func(string) string{
		"old": regexp.QuoteMeta,
		"new": func(secret string) string { return strings.ReplaceAll(secret, "$", "$$") },
	}
	for _, edit := range list {
		for field, write := range quote {
			text, given := edit[field]
			if !given || string(edit["is_regexp"]) != "true" {
				continue
			}
			var err error
			if edit[field], err = restore(text, write); err != nil {
				return nil, err
			}
		}
	}
	return wording.Encode(list)
}
