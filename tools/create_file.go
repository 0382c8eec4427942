package tools

import (
	"context"
	_ "embed"

	"ploke-lsp/edits"
)

//go:embed create_file.md
var createFileDescription string

type createFileArgs struct {
	File    string `json:"file" jsonschema:"path of the new file" secrets:"named"`
	Content string `json:"content" secrets:"written"`
	Reason  string `json:"reason,omitempty" jsonschema:"for the user"`
}

func (d Deps) createFile(ctx context.Context, env Env, args createFileArgs) (Result, error) {
	path, err := d.path("file", args.File)
	if err != nil {
		return Result{}, err
	}
	if err := d.checkVacant(ctx, d.sources(env), "file", path, "change it with apply_code_edit, or choose another name"); err != nil {
		return Result{}, err
	}
	return d.stage(ctx, env, args.Reason, "creating "+d.Workspace.Rel(path),
		[]edits.Operation{{Op: edits.OpCreate, Path: path, Text: withoutCopiedNumbers(args.Content)}})
}

// withoutCopiedNumbers removes the line numbers of code that was copied from a result. Each line
// must have one exactly as results show it, so that a text whose own lines begin with numbers stays.
func withoutCopiedNumbers(content string) string {
	if plain, first, ok := Unnumbered(content); ok && Numbered(first, plain) == endLine(content) {
		return plain
	}
	return content
}
