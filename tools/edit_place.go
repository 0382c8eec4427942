package tools

import (
	"context"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// placeEdits finds the places of all edits, in the texts that the turn sees now. It reports all
// faulty edits at once.
func (d Deps) placeEdits(ctx context.Context, env Env, list []placing.Request) (*placing.Call, error) {
	srcs, call, faults := d.sources(env), &placing.Call{}, &placing.Faults{Total: len(list)}
	for i, e := range list {
		if faults.Full() {
			break
		}
		where, err := placeOrCreate(ctx, srcs, call, e, alike(list, i))
		if err := faults.Add(placing.InEdit(i, err)); err != nil {
			return nil, err
		}
		call.Add(i, where)
	}
	return call, call.Complete(faults)
}

// placeEdit finds where an edit goes.
func placeEdit(ctx context.Context, srcs *current.Files, e placing.Request,
	also renames) (placing.Placement, error) {
	src, err := srcs.Named(ctx, "file", e.File)
	if err != nil {
		return placing.Placement{}, err
	}
	e.Mode = e.Form()
	notebook, _, err := placing.CellsOf(src.SourceFile)
	if err != nil {
		return placing.Placement{}, err
	}
	var where placing.Placement
	switch e.Mode {
	case placing.ModeCanonical, placing.ModeReplace, placing.ModeRename:
		if notebook != nil {
			where, err = notebook.Place(e)
			break
		}
		where, err = placeInText(ctx, srcs, src, e, also)
	case placing.ModeSplice:
		edit, spliceErr := placing.ByOffsets(src.SourceFile, e)
		where, err = placing.InFile(src.SourceFile, edit), spliceErr
	default:
		err = wording.BadValue("mode", "mode is missing, and the fields don't tell which one is meant",
			"send the fields of one mode: canon and code, old and new, canon and new_name, or start_byte, end_byte, "+
				"expected_file_hash and replacement")
	}
	if err == nil && where.ChangesNothing() {
		err = &wording.Failure{Message: "the edit changes nothing: the file already reads like that", Code: "no_change",
			Hint: "leave this edit out, or read the file again"}
	}
	if err != nil {
		return placing.Placement{}, err
	}
	return where, nil
}

// placeInText finds where an edit goes that names text or a symbol.
func placeInText(ctx context.Context, srcs *current.Files, src *current.File, e placing.Request,
	also renames) (placing.Placement, error) {
	switch e.Mode {
	case placing.ModeCanonical:
		return placing.BySymbol(src.SourceFile, e)
	case placing.ModeReplace:
		return placing.ByText(src.SourceFile, e)
	}
	return placeRename(ctx, srcs, src, e, also)
}
