package tools

import (
	"context"
	_ "embed"
	"errors"
	"io/fs"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
)

//go:embed rename_file.md
var renameFileWords string

type renameFileArgs struct {
	File   string `json:"file" jsonschema:"path"`
	To     string `json:"to" jsonschema:"the new path, with the file's name"`
	Reason string `json:"reason,omitempty" jsonschema:"for the user"`
}

func (d Deps) renameFile(ctx context.Context, env Env, args renameFileArgs) (Result, error) {
	srcs := d.sources(env)
	src, err := srcs.named(ctx, "file", args.File)
	if err != nil {
		return Result{}, err
	}
	to, err := d.path("to", args.To)
	if err != nil {
		return Result{}, err
	}
	if to == src.Path {
		return Result{}, &Failure{Message: d.Workspace.Rel(to) + " has this path already", Code: "no_change", Field: "to", Hint: "send another path"}
	}
	if err := d.vacant(ctx, srcs, "to", to, "choose another path, or delete that file first"); err != nil {
		return Result{}, err
	}
	what := "renaming " + d.Workspace.Rel(src.Path) + " to " + d.Workspace.Rel(to)
	return d.stage(ctx, env, args.Reason, what, []edits.Draft{{Op: edits.OpRename, Path: src.Path, To: to}})
}

// vacant checks that the turn sees no file at path.
func (d Deps) vacant(ctx context.Context, srcs *sources, field, path, hint string) error {
	_, err := srcs.view.Read(ctx, path)
	var skipped *workspace.SkippedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		return &Failure{Message: d.Workspace.Rel(path) + " exists", Code: "exists", Field: field, Hint: hint}
	case errors.As(err, &skipped):
		return &Failure{Message: err.Error(), Code: "left_out", Field: field, Hint: "choose another path"}
	}
	return srcs.unreadable(ctx, field, path, err)
}
