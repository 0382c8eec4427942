package tools

import (
	"context"
	_ "embed"

	"ploke-lsp/edits"
)

//go:embed delete_file.md
var deleteFileDescription string

type deleteFileArgs struct {
	File   string `json:"file" secrets:"named"`
	Reason string `json:"reason,omitempty"`
}

func (d Deps) deleteFile(ctx context.Context, env Env, args deleteFileArgs) (Result, error) {
	srcs := d.sources(env)
	if _, err := srcs.Path("file", args.File); err != nil {
		return Result{}, err
	}
	link, err := d.Workspace.ReadLink(args.File)
	if err != nil {
		return Result{}, stageFailure(err)
	}
	if link != nil {
		return d.stage(ctx, env, args.Reason, "deleting the link "+d.Workspace.Rel(link.Path),
			[]edits.Operation{{Op: edits.OpDelete, Path: link.Path, BaseHash: link.Hash}})
	}
	src, err := srcs.Named(ctx, "file", args.File)
	if err != nil {
		return Result{}, err
	}
	return d.stage(ctx, env, args.Reason, "deleting "+src.Rel,
		[]edits.Operation{{Op: edits.OpDelete, Path: src.Path, BaseHash: src.Hash}})
}
