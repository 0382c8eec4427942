package mcp

import (
	"embed"
	"strings"

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
	"code_item_edges":      "references",
	"get_file_metadata":    "outline",
	"list_dir":             "outline",
	"read_file":            "read",
	"apply_code_edit":      "edit",
	"create_file":          "edit",
	"rename_file":          "move",
	"delete_file":          "delete",
	"get_diagnostics":      "diagnostics",
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
		reading("references", "Find callers and other uses", "code_item_edges"),
		reading("outline", "Outline a file or folder", "get_file_metadata"),
		reading("read", "Read a file", "read_file"),
		reading("diagnostics", "Errors and warnings", "get_diagnostics"),
		editing("edit", apply, "apply_code_edit", "Propose edits", "Edit files"),
		editing("move", apply, "rename_file", "Propose to move a file", "Move a file"),
		editing("delete", apply, "delete_file", "Propose to delete a file", "Delete a file"),
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
var ownWords = map[string]bool{"context": true, "symbol": true, "outline": true, "read": true, "status": true,
	"diagnostics": true}

func reading(name, title, own string) tool {
	t := tool{&sdk.Tool{Name: name, Title: title,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}}, own}
	if ownWords[name] {
		t.declaration.Description = words(name)
	}
	return t
}

// editing returns a tool that changes files, with its title if it proposes and if it applies.
func editing(name string, apply bool, own, proposes, applies string) tool {
	title, outcome := proposes, "edit_proposes"
	if apply {
		title, outcome = applies, "edit_applies"
	}
	description := words(name)
	if name == "edit" {
		description += "\n" + words(outcome)
	}
	return tool{&sdk.Tool{Name: name, Title: title, Description: description,
		Annotations: &sdk.ToolAnnotations{DestructiveHint: new(apply), OpenWorldHint: new(false)}}, own}
}

// editingTools are the project's tools whose calls stage changes of files.
var editingTools = map[string]bool{"apply_code_edit": true, "rename_file": true, "delete_file": true}
