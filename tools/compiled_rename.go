package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
)

// compile replaces the places that were found by name by those that a compiler renames, if there is one that has read
// the project and the texts. What it does not know stays: the texts of proposals, and what the declaration says of
// itself. What would have been renamed by name alone is left, and listed. Of other places with the name, a compiler
// knows that they mean something else.
func (r *symbolRename) compile(ctx context.Context, c Compiler, src *current.File, declared []*current.Symbol) error {
	if c == nil {
		return nil
	}
	at, ok := nameIn(src, r.sym)
	if !ok {
		return nil
	}
	found, err := c.Rename(ctx, at, r.to)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.byNameSince = err.Error()
		return nil
	case found == nil: // none is asked
		return nil
	case found.Refused != "":
		r.byNameSince = found.Refused
		return nil
	case !found.Complete:
		r.byNameSince = found.By + " does not say that it has read the project"
		return nil
	}
	renamed, compiled, why, err := r.compiledPlaces(ctx, found.Places)
	if err != nil {
		return err
	}
	if why != "" {
		r.byNameSince = why
		return nil
	}
	r.compiled, r.compiler = compiled, found.By
	r.take(renamed, declared)
	return nil
}

// compiledPlaces returns where a compiler renames, and what it replaces there. why says what keeps that from being
// used.
func (r *symbolRename) compiledPlaces(ctx context.Context, places []CompiledPlace) (renamed map[location]*current.File,
	compiled map[location]edits.Edit, why string, err error) {
	renamed, compiled = map[location]*current.File{}, map[location]edits.Edit{}
	for _, p := range places {
		src, err := r.srcs.At(ctx, p.Path)
		switch {
		case err != nil && current.Unavailable(err):
			return nil, nil, "the language server would change files that can't be changed here", nil
		case err != nil:
			return nil, nil, "", err
		case workspace.Hash(src.Text) != p.Hash || p.End > len(src.Text):
			return nil, nil, "files are proposed, or have changed, which the language server does not know", nil
		case !strings.Contains(string(src.Text[p.Start:p.End]), r.sym.Name) || !strings.Contains(p.New, r.to):
			return nil, nil, fmt.Sprintf("the language server would change something else in %s, line %d", src.Rel,
				src.LineOf(p.Start)), nil
		}
		at := location{p.Path, p.Start}
		renamed[at], compiled[at] = src, edits.Edit{Start: p.Start, End: p.End, New: p.New}
	}
	if len(renamed) == 0 {
		return nil, nil, "the language server would change nothing", nil
	}
	return renamed, compiled, "", nil
}

// take makes these the renamed places.
func (r *symbolRename) take(renamed map[location]*current.File, declared []*current.Symbol) {
	own := symbolRename{renamed: map[location]*current.File{}}
	for _, it := range declared {
		own.declaration(it)
	}
	wide := map[string][]edits.Edit{} // those that replace more than the name, by file
	for at, e := range r.compiled {
		if e.End-e.Start > len(r.sym.Name) {
			wide[at.path] = append(wide[at.path], e)
		}
	}
	inCompiled := func(at location) bool {
		return slices.ContainsFunc(wide[at.path], func(e edits.Edit) bool { return e.Start <= at.at && at.at < e.End })
	}
	byName := r.renamed
	r.renamed, r.left = renamed, map[location]*current.File{}
	for at, src := range byName {
		switch {
		case renamed[at] != nil || inCompiled(at):
		case src.Proposed != "" || own.renamed[at] != nil:
			r.renamed[at] = src
		default:
			r.left[at] = src
		}
	}
}
