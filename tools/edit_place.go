package tools

import (
	"context"

	"ploke-lsp/tools/wording"
)

// placeEdits finds the places of all edits, in the texts that the turn sees now. It reports all
// faulty edits at once.
func (d Deps) placeEdits(ctx context.Context, env Env, list []codeEdit) (*placedCall, error) {
	srcs, call, faults := d.sources(env), &placedCall{}, &faultList{total: len(list)}
	for i, e := range list {
		if faults.full() {
			break
		}
		where, err := d.place(ctx, env, srcs, editRequest(e))
		if err := faults.add(inEdit(i, err)); err != nil {
			return nil, err
		}
		call.add(i, where)
	}
	return call, call.complete(faults)
}

// place finds where an edit goes.
func (d Deps) place(ctx context.Context, env Env, srcs *sources, e editRequest) (placement, error) {
	src, err := srcs.named(ctx, "file", e.File)
	if err != nil {
		return placement{}, err
	}
	e.Mode = e.form()
	notebook, _, err := src.cells()
	if err != nil {
		return placement{}, err
	}
	var where placement
	switch e.Mode {
	case canonical, replace, renaming:
		if notebook != nil {
			where, err = notebook.place(e)
			break
		}
		where, err = d.placeInText(ctx, env, srcs, src, e)
	case splice:
		edit, spliceErr := placeSplice(src.sourceText, e)
		where, err = inFile(src.sourceText, edit), spliceErr
	default:
		err = wording.BadValue("mode", "mode is missing, and the fields don't tell which one is meant",
			"send the fields of one mode: canon and code, old and new, canon and new_name, or start_byte, end_byte, expected_file_hash and replacement")
	}
	if err == nil && where.changesNothing() {
		err = &wording.Failure{Message: "the edit changes nothing: the file already reads like that", Code: "no_change",
			Hint: "leave this edit out, or read the file again"}
	}
	if err != nil {
		return placement{}, err
	}
	return where, nil
}

// placeInText finds where an edit goes that names text or a symbol.
func (d Deps) placeInText(ctx context.Context, env Env, srcs *sources, src *source, e editRequest) (placement, error) {
	switch e.Mode {
	case canonical:
		return placeSymbol(src.sourceText, e)
	case replace:
		return placeReplacement(src.sourceText, e)
	}
	return d.placeRename(ctx, env, srcs, src, e)
}
