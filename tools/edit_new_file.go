package tools

import (
	"context"
	"errors"
	"io/fs"

	"ploke-lsp/edits"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
)

// placeOrCreate finds where an edit goes, or has its file created, if the edit is the whole text of one that the turn
// does not see.
func placeOrCreate(ctx context.Context, srcs *current.Files, call *placing.Call,
	e placing.Request, also renames) (placing.Placement, error) {
	text, whole := wholeText(e)
	path, err := srcs.Path("file", e.File)
	if whole && err == nil {
		_, err = srcs.View.Read(ctx, path)
	}
	if !whole || !errors.Is(err, fs.ErrNotExist) {
		return placeEdit(ctx, srcs, e, also)
	}
	if err := checkVacant(ctx, srcs, "file", path, ""); err != nil {
		return placing.Placement{}, err
	}
	call.Operations = append(call.Operations,
		edits.Operation{Op: edits.OpCreate, Path: path, Text: withoutCopiedNumbers(text)})
	return placing.Placement{}, nil
}

// wholeText returns the text of an edit that names only a file and its text.
func wholeText(e placing.Request) (text string, ok bool) {
	text, ok = e.Code, e.Code != "" && e.New == nil
	only := placing.Request{Mode: e.Mode, File: e.File}
	if e.Code == "" && e.New != nil {
		text, ok = *e.New, true
	}
	only.Code, only.New = e.Code, e.New
	return text, ok && e == only
}
