package mcp

import (
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools"
)

// hiddenArguments are arguments of the project's tools that make no sense to a client, or that it can do
// without. They are still taken.
var hiddenArguments = map[string][]string{
	"apply_code_edit": {"answer", "mode", "start_byte", "end_byte", "expected_file_hash", "replacement"},
	"rename_file":     {"reason"}, "delete_file": {"reason"},
}

// undescribed are fields of results that few programs look for. They are in the results, but not in the
// schemas, which some clients show to their model.
var undescribed = []string{"score", "signals", "confidence", "start_byte", "end_byte", "byte_len", "modified_ms", "top_k", "without_vectors",
	"code_omitted", "left_omitted", "lines_omitted", "files_omitted", "places_omitted", "others", "importers", "cell", "shown_as", "other_case", "by_name", "searched_files", "unreadable_files"}

// inputSchema returns the schema of a tool's arguments.
func inputSchema(own *tools.Set, t tool) *jsonschema.Schema {
	switch t.declaration.Name {
	case "status":
		return &jsonschema.Schema{Type: "object"}
	case "outline":
		return outlineSchema()
	}
	described, _ := own.Get(t.own)
	schema := decoded(described.Schema())
	if t.declaration.Name == "context" {
		query := schema.Properties["hint"]
		delete(schema.Properties, "hint")
		schema.Properties["query"], schema.Required = query, []string{"query"}
	}
	hide(schema, hiddenArguments[t.own])
	rename(schema, commonFields)
	if t.declaration.Name == "symbol" {
		schema.Properties["name"].Description = "name, address in the file, or PATH:LINE"
	}
	return schema
}

func outlineSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"path":  {Type: "string", Description: "of a file or folder; default: the project"},
		"depth": {Type: "integer", Description: "of folders, default 1"},
	}, PropertyOrder: []string{"path", "depth"}}
}

// rename gives properties of a schema and of the schemas in it other names. A property whose other name is taken is
// left out.
func rename(s *jsonschema.Schema, names map[string]string) {
	for own, common := range names {
		property, has := s.Properties[own]
		_, taken := s.Properties[common]
		delete(s.Properties, own)
		if !has || taken {
			continue
		}
		s.Properties[common] = property
		for _, list := range [][]string{s.Required, s.PropertyOrder} {
			if i := slices.Index(list, own); i >= 0 {
				list[i] = common
			}
		}
	}
	for _, property := range s.Properties {
		rename(property, names)
	}
	if s.Items != nil {
		rename(s.Items, names)
	}
}

// hide takes properties out of a schema and the schemas in it.
func hide(s *jsonschema.Schema, names []string) {
	for _, name := range names {
		delete(s.Properties, name)
	}
	for _, property := range s.Properties {
		hide(property, names)
	}
	if s.Items != nil {
		hide(s.Items, names)
	}
}

// outputSchema returns the schema of a tool's structured results.
func outputSchema(own *tools.Set, t tool) *jsonschema.Schema {
	if t.own == "" {
		return statusSchema()
	}
	described, _ := own.Get(t.own)
	schema := decoded(described.Output())
	if t.declaration.Name == "outline" {
		folder, _ := own.Get("list_dir")
		for name, property := range decoded(folder.Output()).Properties {
			schema.Properties[name] = property
		}
	}
	schema.Properties["notice"] = &jsonschema.Schema{Type: "string"}
	rename(schema, commonFields)
	hide(schema, undescribed)
	shorten(schema, 0)
	return schema
}

// outputDepth is down to which depth the schemas of results describe objects: only the result itself. With the objects
// of its lists, eleven tools have 3,800 tokens instead of 2,500.
const outputDepth = 0

// shorten takes out of a schema what is below the depth that it describes, and lists of words.
func shorten(s *jsonschema.Schema, depth int) {
	s.Enum = nil
	if depth > outputDepth {
		s.Properties = nil
	}
	for _, property := range s.Properties {
		if property.Items != nil {
			shorten(property.Items, depth+1)
		}
		shorten(property, depth+1)
	}
	if depth > outputDepth {
		s.Items = nil
	}
}

// decoded returns a schema that may be changed.
func decoded(source json.RawMessage) *jsonschema.Schema {
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(source, schema); err != nil {
		panic(err) // it was derived from a type
	}
	return schema
}
