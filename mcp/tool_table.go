package mcp

import (
	"embed"
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/tools"
)

//go:embed words
var texts embed.FS

// words returns a text that a model reads.
func words(name string) string {
	text, err := texts.ReadFile("words/" + name + ".md")
	if err != nil {
		panic(err) // the texts are embedded
	}
	return strings.TrimSpace(string(text))
}

// toolNames are the names under which a client knows the project's tools.
var toolNames = map[string]string{
	"request_code_context": "context",
	"search_text":          "search_text",
	"code_item_lookup":     "symbol",
	"code_item_edges":      "edges",
	"get_file_metadata":    "outline",
	"list_dir":             "outline",
	"read_file":            "read",
	"apply_code_edit":      "edit",
	"create_file":          "edit",
}

// A tool is what a client may call.
type tool struct {
	declaration *sdk.Tool
	own         string // the project's tool; "" for status
}

// offered returns the tools, always in the same order.
func offered(apply, textOnly bool) []tool {
	own := tools.New(tools.Deps{})
	list := []tool{
		reading("context", "Find code for a question", "request_code_context"),
		reading("search_text", "Search text", "search_text"),
		reading("symbol", "Look up a symbol", "code_item_lookup"),
		reading("edges", "Find callers and other uses", "code_item_edges"),
		reading("outline", "Outline a file or folder", "get_file_metadata"),
		reading("read", "Read a file", "read_file"),
		editing(apply),
		reading("status", "Status of index and edits", ""),
	}
	for _, t := range list {
		t.declaration.InputSchema, t.declaration.OutputSchema = inputSchema(own, t), outputSchema(own, t)
		if textOnly {
			t.declaration.OutputSchema = nil
		}
		if t.declaration.Description == "" {
			described, _ := own.Get(t.own)
			t.declaration.Description = described.Description
		}
	}
	return list
}

// ownWords are the tools whose description is not that of the project's tool.
var ownWords = map[string]bool{"context": true, "symbol": true, "outline": true, "read": true, "status": true}

func reading(name, title, own string) tool {
	t := tool{&sdk.Tool{Name: name, Title: title,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}}, own}
	if ownWords[name] {
		t.declaration.Description = words(name)
	}
	return t
}

func editing(apply bool) tool {
	title, outcome := "Propose edits", "edit_proposes"
	if apply {
		title, outcome = "Edit files", "edit_applies"
	}
	return tool{&sdk.Tool{Name: "edit", Title: title, Description: words("edit") + "\n" + words(outcome),
		Annotations: &sdk.ToolAnnotations{DestructiveHint: new(apply), OpenWorldHint: new(false)}}, "apply_code_edit"}
}

// hiddenArguments are arguments of the project's tools that make no sense to a client, or that it can do
// without. They are still taken.
var hiddenArguments = map[string][]string{
	"apply_code_edit": {"answer", "mode", "start_byte", "end_byte", "expected_file_hash", "replacement"},
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
		return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
			"path":  {Type: "string", Description: "of a file or folder; default: the project"},
			"depth": {Type: "integer", Description: "of folders, default 1"},
		}, PropertyOrder: []string{"path", "depth"}}
	}
	described, _ := own.Get(t.own)
	schema := decoded(described.Schema())
	if t.declaration.Name == "context" {
		query := schema.Properties["hint"]
		delete(schema.Properties, "hint")
		schema.Properties["query"], schema.Required = query, []string{"query"}
	}
	hide(schema, hiddenArguments[t.own])
	return schema
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
	hide(schema, undescribed)
	shorten(schema, 0)
	return schema
}

// outputDepth is down to which depth the schemas of results describe objects: the result and the
// objects of its lists.
const outputDepth = 1

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
