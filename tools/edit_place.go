package tools

import (
	"context"
	"errors"
	"io/fs"

	"ploke-lsp/edits"
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
		also := alike(list, i)
		also.compiler = d.Compiler
		where, err := placeOrCreate(ctx, srcs, call, e, also)
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

// renames are the other edits of a call that give the same name, and the compiler that is asked.
type renames struct {
	before, after []placing.Request
	compiler      Compiler // nil for none
}

func alike(list []placing.Request, i int) (also renames) {
	for j, e := range list {
		switch {
		case e.NewName == "" || e.NewName != list[i].NewName:
		case j < i:
			also.before = append(also.before, e)
		case j > i:
			also.after = append(also.after, e)
		}
	}
	return also
}

// declaredBy returns what other edits rename that has the symbol's name, too. Their own faults are theirs to report.
func (r *symbolRename) declaredBy(ctx context.Context, others []placing.Request) (all []*current.Symbol, err error) {
	for _, e := range others {
		src, err := r.srcs.Named(ctx, "file", e.File)
		if err != nil {
			continue
		}
		at, err := placing.FindSymbol(src.SourceFile, e)
		if err != nil || src.Syntax().Symbols[at].Name != r.sym.Name {
			continue
		}
		declared, err := declarationsOf(ctx, r.srcs, src, src.Syntax().Symbols[at])
		if err != nil {
			return nil, err
		}
		all = append(all, declared...)
	}
	return all, nil
}
