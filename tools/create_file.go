package tools

import (
	"context"
	_ "embed"
	"errors"

	"github.com/aymanbagabas/go-udiff"

	"ploke-lsp/edits"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed create_file.md
var createFileDescription string

type createFileArgs struct {
	File      string `json:"file" secrets:"named"`
	Content   string `json:"content" secrets:"written"`
	Overwrite bool   `json:"overwrite,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

func (d Deps) createFile(ctx context.Context, env Env, args createFileArgs) (Result, error) {
	srcs, content := d.sources(env), withoutCopiedNumbers(args.Content)
	path, err := srcs.Path("file", args.File)
	if err != nil {
		return Result{}, err
	}
	err = checkVacant(ctx, srcs, "file", path,
		"change it with apply_code_edit, replace all of it with overwrite: true, or choose another name")
	var taken *wording.Failure
	switch {
	case args.Overwrite && errors.As(err, &taken) && taken.Code == codeExists:
		return d.overwriteFile(ctx, env, srcs, args, content)
	case err != nil:
		return Result{}, err
	}
	return d.stage(ctx, env, args.Reason, "creating "+d.Workspace.Rel(path),
		[]edits.Operation{{Op: edits.OpCreate, Path: path, Text: content}})
}

// overwriteFile stages content as the text of a file that the turn sees: an edit of the lines that
// differ. The line ends stay those of the file.
func (d Deps) overwriteFile(ctx context.Context, env Env, srcs *current.Files, args createFileArgs,
	content string) (Result, error) {
	src, err := srcs.Named(ctx, "file", args.File)
	if err != nil {
		return Result{}, err
	}
	content = edits.WithLineEnds(src.Text, edits.Edit{End: len(src.Text), New: content})
	operation := edits.Operation{Op: edits.OpEdit, Path: src.Path, BaseHash: src.Hash}
	for _, e := range udiff.Lines(string(src.Text), content) {
		operation.Edits = append(operation.Edits, edits.Edit(e))
	}
	if len(operation.Edits) == 0 {
		return Result{}, &wording.Failure{Message: src.Rel + " already has this text", Code: "no_change", Field: "content",
			Hint: "leave the call out, or read the file again"}
	}
	return d.stage(ctx, env, args.Reason, "overwriting "+src.Rel, []edits.Operation{operation})
}

// withoutCopiedNumbers removes the line numbers of code that was copied from a result. Each line
// must have one exactly as results show it, so that a text whose own lines begin with numbers stays.
func withoutCopiedNumbers(content string) string {
	if plain, first, ok := wording.Unnumbered(content); ok && wording.Numbered(first, plain) == wording.EndLine(content) {
		return plain
	}
	return content
}
