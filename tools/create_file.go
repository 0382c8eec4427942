package tools

import (
	"context"
	_ "embed"
	"errors"
	"io/fs"

	"ploke-lsp/edits"
)

//go:embed create_file.md
var createFileWords string

type createFileArgs struct {
	File    string `json:"file" jsonschema:"path of the new file"`
	Content string `json:"content"`
	Reason  string `json:"reason,omitempty" jsonschema:"for the user"`
}

func (d Deps) createFile(ctx context.Context, env Env, args createFileArgs) (Result, error) {
	path, err := d.path("file", args.File)
	if err != nil {
		return Result{}, err
	}
	_, err = d.Edits.View(env.Call().RequestID).Read(ctx, path)
	switch {
	case err == nil:
		return Result{}, &Failure{Message: d.Workspace.Rel(path) + " exists", Code: "exists", Field: "file",
			Hint: "change it with apply_code_edit, or choose another name"}
	case !errors.Is(err, fs.ErrNotExist):
		return Result{}, d.unreadable(ctx, "file", path, err)
	}
	reason := args.Reason
	if reason == "" {
		reason = "create " + d.Workspace.Rel(path)
	}
	result, err := d.stage(ctx, env, reason, []edits.Draft{{Op: edits.OpCreate, Path: path, Text: args.Content}})
	if err != nil {
		return Result{}, unstaged(err)
	}
	return result, nil
}
