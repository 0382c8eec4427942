package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed rename_file.md
var renameFileDescription string

type renameFileArgs struct {
	File   string `json:"file" secrets:"named"`
	To     string `json:"to" jsonschema:"path with the file's name" secrets:"written"`
	Reason string `json:"reason,omitempty"`
}

func (d Deps) renameFile(ctx context.Context, env Env, args renameFileArgs) (Result, error) {
	if link, err := d.Workspace.ReadLink(args.File); err == nil && link != nil {
		return Result{}, &wording.Failure{Message: fmt.Sprintf("%s is a symbolic link to %s", d.Workspace.Rel(link.Path),
			link.Text), Code: "is_link", Field: "file",
			Hint: "rename the file it leads to, or leave renaming the link to the user"}
	}
	srcs := d.sources(env)
	src, err := srcs.Named(ctx, "file", args.File)
	if err != nil {
		return Result{}, err
	}
	if _, err := srcs.Path("to", args.To); err != nil {
		return Result{}, err
	}
	to, err := d.Workspace.ResolveNew(args.To)
	if err != nil {
		return Result{}, err
	}
	if to == src.Path {
		return Result{}, &wording.Failure{Message: d.Workspace.Rel(to) + " already has this path", Code: "no_change",
			Field: "to", Hint: "send another path"}
	}
	if !d.Workspace.SameName(src.Path, to) {
		if err := checkVacant(ctx, srcs, "to", to, "choose another path, or delete that file first"); err != nil {
			return Result{}, err
		}
	}
	what := "renaming " + src.Rel + " to " + d.Workspace.Rel(to)
	broken, err := importersOf(ctx, srcs, src, to)
	if err != nil {
		return Result{}, err
	}
	result, summary, err := d.stageBatch(ctx, env, args.Reason, what,
		[]edits.Operation{{Op: edits.OpRename, Path: src.Path, To: to}})
	if err != nil {
		return Result{}, err
	}
	result.Importers = broken
	return OK(result, summary)
}

// codeExists is the code of a Failure about a file that the turn sees where none may be.
const codeExists = "exists"

// checkVacant checks that the turn sees no file at path, and that the name is not deceptive.
func checkVacant(ctx context.Context, srcs *current.Files, field, path, hint string) error {
	if strings.ContainsFunc(srcs.Workspace.Rel(path), wording.IsDeceptive) {
		return &wording.Failure{Message: fmt.Sprintf("the name %q contains invisible characters", srcs.Workspace.Rel(path)),
			Code: "bad_name", Field: field,
			Hint: "leave out control characters and marks for direction or width"}
	}
	_, err := srcs.View.Read(ctx, path)
	var skipped *workspace.SkippedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		return &wording.Failure{Message: srcs.Workspace.Rel(path) + " exists", Code: codeExists, Field: field, Hint: hint}
	case errors.As(err, &skipped):
		return &wording.Failure{Message: err.Error(), Code: "left_out", Field: field, Hint: "choose another path"}
	}
	return srcs.Unreadable(ctx, field, path, err)
}
