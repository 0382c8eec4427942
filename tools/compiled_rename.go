package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
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
	found, err := c.Rename(ctx, at, func(context.Context) []CompiledPlace { return r.usesByName(declared) }, r.to)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.byNameSince = err.Error()
		return nil
	case found == nil: // none is asked
		return nil
	case found.Changed:
		r.byNameSince = textChanged
		return nil
	case found.Refused != "":
		r.byNameSince = found.Refused
		return nil
	case !found.Complete:
		r.byNameSince = found.By + " does not say that it has read the project"
		return nil
	}
	missed, err := r.missedImplementers(ctx, c, at, declared, found.Places)
	if err != nil {
		return err
	}
	renamed, compiled, why, err := r.compiledPlaces(ctx, append(found.Places, missed...))
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

// maxMissed bounds the methods that are looked at because a compiler has not renamed them with that of an interface.
const maxMissed = 50

// missedImplementers returns the places of the methods that implement the renamed one and can't keep their name, but
// that are not among the places. gopls leaves those in the packages that the interface's package imports. A method that
// happens to implement it, and is never used so, can be renamed by itself: it stays.
func (r *symbolRename) missedImplementers(ctx context.Context, c Compiler, at CompiledPlace, declared []*current.Symbol,
	places []CompiledPlace) (missed []CompiledPlace, err error) {
	if r.sym.Kind != syntax.KindMethod || len(declared) == 0 || !abstract(declared[0]) {
		return nil, nil
	}
	found, err := c.Implementers(ctx, at)
	if err != nil || found == nil || !found.Complete {
		return nil, ctx.Err()
	}
	renamed := map[location]bool{}
	for _, p := range places {
		renamed[location{p.Path, p.Start}] = true
	}
	looked := 0
	for _, p := range found.Places {
		src, err := r.srcs.At(ctx, p.Path)
		if err != nil || renamed[location{p.Path, p.Start}] || p.End > len(src.Text) ||
			string(src.Text[p.Start:p.End]) != r.sym.Name {
			continue
		}
		if looked++; looked > maxMissed {
			break
		}
		alone, err := c.Rename(ctx, p, nil, r.to)
		if err != nil || alone == nil || !hasWord(alone.Refused, r.owner) {
			continue
		}
		uses, err := c.Uses(ctx, p, nil)
		if err != nil || uses == nil || !uses.Complete {
			continue
		}
		for _, use := range append(uses.Places, p) {
			if !renamed[location{use.Path, use.Start}] {
				renamed[location{use.Path, use.Start}] = true
				use.New = r.to
				missed = append(missed, use)
			}
		}
	}
	return missed, ctx.Err()
}

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool { return word != "" && len(wordOffsets([]byte(text), word)) > 0 }

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
	own := declaredAt(declared)
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
		case src.Proposed != "" || own[at] != nil:
			r.renamed[at] = src
		default:
			r.left[at] = src
		}
	}
}

// usesByName are the places that would be renamed by name, but for the declarations.
func (r *symbolRename) usesByName(declared []*current.Symbol) (places []CompiledPlace) {
	own := declaredAt(declared)
	for at, src := range r.renamed {
		if own[at] == nil && src.Proposed == "" {
			places = append(places, CompiledPlace{Path: at.path, Start: at.at, End: at.at + len(r.sym.Name),
				Hash: workspace.Hash(src.Text)})
		}
	}
	return places
}

// declaredAt are the places at which symbols are declared, and what they say of themselves.
func declaredAt(declared []*current.Symbol) map[location]*current.File {
	own := symbolRename{renamed: map[location]*current.File{}}
	for _, it := range declared {
		own.declaration(it)
	}
	return own.renamed
}
