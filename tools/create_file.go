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
		[]edits.Operation{{Op: edits.OpCreate, Path: path, Text: args.Content}})
}
