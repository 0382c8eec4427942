package tools

import (
	"context"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/compiled"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// A Compiler knows what names mean, since it has compiled the project. The name that it is asked about is that of a
// declaration. It returns nil if it knows nothing of such files.
type Compiler interface {
	// Uses are where the symbol is named, but for its declaration. It is compared with what was found by name.
	Uses(ctx context.Context, name CompiledPlace, byName PlacesByName) (*Compiled, error)
	// Implementers are where that which implements the symbol is declared.
	Implementers(ctx context.Context, name CompiledPlace) (*Compiled, error)
	// Rename is what is replaced so that the symbol has another name, its declaration included: all of it, or an error. It
	// is compared, too.
	Rename(ctx context.Context, name CompiledPlace, byName PlacesByName, to string) (*Compiled, error)
}

// PlacesByName returns the places that were found by name, once they are, or the context ends. It may be called several
// times; nil if none are looked for.
type PlacesByName = func(context.Context) []CompiledPlace

// CompiledPlace is a place in the text with a hash, see [workspace.Hash].
type CompiledPlace struct {
	Path       string // absolute
	Start, End int    // in bytes
	Hash       string
	New        string // the text that a rename puts there
}

// Compiled is what a compiler knows of a symbol.
type Compiled struct {
	By       string // the name of the compiler
	Complete bool   // the whole project was read by then, or all that was found by name is known
	Changed  bool   // the text has changed while it answered
	Refused  string // why it can't answer for this declaration, which often is in no build of its; "" if it does
	Places   []CompiledPlace
	// Knows reports whether it is known what a place means, though it may not be one of Places. It is nil if that is
	// known of all places.
	Knows func(CompiledPlace) bool
}

// knows is Knows, which may be nil.
func (c *Compiled) knows(e index.Edge) bool { return c.Knows == nil || c.Knows(placeOf(e)) }

func placeOf(e index.Edge) CompiledPlace {
	return CompiledPlace{Path: e.Path, Start: e.StartByte, End: e.EndByte, Hash: e.FileHash}
}

// textChanged is why places are found by name if a text has changed.
const textChanged = "the text has changed while the compiler answered"

// byName stands for the index, which finds places by their names.
const byName = "name"

// compile replaces what was found by name by what a compiler knows, if there is one that has read the project and the
// texts. Otherwise it notes why not, and returns the edges as they are.
func (r *codeItemEdgesResult) compile(ctx context.Context, d Deps, srcs *current.Files, found []*current.Symbol,
	edges []index.Edge) ([]index.Edge, bool, error) {
	if d.Compiler == nil {
		return edges, false, nil
	}
	all, refused := Compiled{Complete: true}, ""
	ask := func(ctx context.Context, at CompiledPlace) (*Compiled, error) {
		return d.Compiler.Uses(ctx, at, func(context.Context) []CompiledPlace { return likelyPlaces(edges) })
	}
	if r.Direction == implementers {
		ask = d.Compiler.Implementers
	}
	for _, it := range found {
		at, ok := nameOf(it)
		switch {
		case ok && r.Direction == implementers && !abstract(it) && !mayHaveHeirs(it):
			continue // such as a constant beside an interface of that name
		case !ok || r.Direction == implementers && !abstract(it):
			return edges, false, nil
		}
		one, err := ask(ctx, at)
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case err != nil:
			r.By, r.ByNameSince = byName, err.Error()
			return edges, false, nil
		case one == nil: // none is asked
			return edges, false, nil
		case one.Changed:
			r.By, r.ByNameSince, r.changed = byName, textChanged, true
			return edges, false, nil
		case one.Refused != "":
			refused = one.Refused
			r.OutsideBuild = append(r.OutsideBuild, it.File.Rel)
			continue
		}
		all.add(one)
	}
	if all.By == "" && refused == "" {
		return edges, false, nil
	}
	if all.By == "" {
		r.By, r.ByNameSince, r.OutsideBuild = byName, refused, nil
		return edges, false, nil
	}
	if !all.Complete {
		r.By, r.ByNameSince = byName, all.By+" does not say that it has read the project"
		return edges, false, nil
	}
	known, err := edgesAt(ctx, srcs, all, edges, r.Direction)
	if err != nil || known == nil {
		r.By, r.ByNameSince = byName, "files are proposed, or have changed, which "+all.By+" does not know"
		return edges, false, err
	}
	unknown := compiled.Unknown(edges, known, all.knows)
	known, r.ByNamePlaces = append(known, unknown...), len(unknown)
	sortEdges(known, r.Direction)
	r.By, r.Compared = all.By, compiled.Compare(edges, known)
	return known, true, nil
}

// add adds what is known of another symbol of the name.
func (c *Compiled) add(other *Compiled) {
	c.By, c.Complete, c.Places = other.By, c.Complete && other.Complete, append(c.Places, other.Places...)
	if before := *c; other.Knows != nil {
		c.Knows = func(p CompiledPlace) bool { return (before.Knows == nil || before.Knows(p)) && other.Knows(p) }
	}
}

// likelyPlaces are the places of edges that are shown.
func likelyPlaces(edges []index.Edge) (places []CompiledPlace) {
	least := index.LeastConfidence(edges)
	for _, e := range edges {
		if e.Confidence >= least {
			places = append(places, placeOf(e))
		}
	}
	return places
}

// nameOf returns where the name of a declaration is. ok is false if it is in a text that only the turn sees.
func nameOf(it *current.Symbol) (at CompiledPlace, ok bool) {
	for _, sym := range it.File.Syntax().Symbols {
		if sym.Start == it.StartByte && sym.Canon == it.Canon {
			return nameIn(it.File, sym)
		}
	}
	return at, false
}

// nameIn is nameOf for a symbol of a file.
func nameIn(src *current.File, sym syntax.Symbol) (at CompiledPlace, ok bool) {
	if src.Proposed != "" || sym.NameStart >= sym.NameEnd {
		return at, false
	}
	return CompiledPlace{Path: src.Path, Start: sym.NameStart, End: sym.NameEnd, Hash: workspace.Hash(src.Text)}, true
}

// abstract reports whether a symbol is an interface, a trait or a method of one. Of another one, a compiler says what
// it implements.
func abstract(it *current.Symbol) bool {
	symbols := it.File.Syntax().Symbols
	for _, sym := range symbols {
		if sym.Start == it.StartByte && sym.Canon == it.Canon {
			if sym.Parent >= 0 && sym.Kind == syntax.KindMethod {
				sym = symbols[sym.Parent]
			}
			return sym.Kind == syntax.KindInterface || sym.Kind == syntax.KindTrait
		}
	}
	return false
}

// mayHaveHeirs reports whether types can inherit from a symbol, or override it.
func mayHaveHeirs(it *current.Symbol) bool {
	switch it.Kind {
	case syntax.KindConstant, syntax.KindVariable, syntax.KindFunction, syntax.KindModule:
		return false
	}
	return true
}

// edgesAt returns the edges at the places of a compiler, sorted. If one of them is in another text than the turn sees,
// it is nil, or without that place where the compiler says what it knows. What is not code of the workspace is
// left out.
func edgesAt(ctx context.Context, srcs *current.Files, all Compiled, byName []index.Edge,
	want direction) ([]index.Edge, error) {
	known := make(map[location]index.Edge)
	for _, e := range byName {
		known[location{e.Path, e.StartByte}] = e
	}
	wanted := make([]index.Place, len(all.Places))
	for i, p := range all.Places {
		wanted[i] = index.Place{Path: p.Path, Start: p.Start, End: p.End}
	}
	indexed, err := srcs.ReferencesAt(ctx, wanted)
	if err != nil {
		return nil, err
	}
	edges, seen := []index.Edge{}, map[location]bool{}
	for i, p := range all.Places {
		at := location{p.Path, p.Start}
		if seen[at] {
			continue
		}
		seen[at] = true
		src, err := srcs.At(ctx, p.Path)
		switch {
		case err != nil && current.Unavailable(err):
			continue
		case err != nil:
			return nil, err
		case workspace.Hash(src.Text) != p.Hash || p.End > len(src.Text):
			if all.Knows != nil {
				continue
			}
			return nil, nil
		}
		e, ok := known[at]
		if ref := indexed[wanted[i]]; !ok && ref.FileHash == p.Hash {
			e.Reference = ref
		} else if !ok {
			e = edgeAt(src, p)
		}
		e.Confidence, e.Candidates = 1, 1
		if want == implementers || selects(want, e.Kind) {
			edges = append(edges, e)
		}
	}
	sortEdges(edges, want)
	return edges, nil
}

// edgeAt returns the edge at a place that was found neither by name nor by the index.
func edgeAt(src *current.File, p CompiledPlace) index.Edge {
	e := index.Edge{Reference: index.Reference{Path: p.Path, Rel: src.Rel, Kind: syntax.RefUse, Line: src.LineOf(p.Start),
		StartByte: p.Start, EndByte: p.End, FileHash: src.Hash, LineText: src.LineText(p.Start)}}
	file := src.Syntax()
	for _, ref := range file.Refs {
		if ref.Start == p.Start {
			e.Kind = ref.Kind
		}
	}
	if in := src.Enclosing(p.Start); in >= 0 {
		e.From, e.FromLine = file.Symbols[in].Canon, file.Symbols[in].StartLine
	}
	for _, sym := range file.Symbols {
		if sym.NameStart == p.Start { // which implements
			e.Kind = syntax.RefInherit
			e.Target = &index.Unit{Path: p.Path, Rel: src.Rel, Canon: sym.Canon, Name: sym.Name, Kind: sym.Kind,
				Signature: sym.Signature(src.Text), Extent: index.Extent{StartLine: sym.StartLine, EndLine: sym.EndLine}}
		}
	}
	return e
}

// by says what has found the places.
func (r codeItemEdgesResult) by(w *wording.Writer) {
	switch {
	case r.By == "":
	case r.ByNameSince != "":
		w.Linef("by name: %s", r.ByNameSince)
		return
	case r.Compared == nil:
		w.Linef("by %s", r.By)
	default:
		w.Linef("by %s; by name alone %d more, %d missed", r.By, r.Compared.OnlyByName, r.Compared.OnlyByCompiler)
	}
	if r.ByNamePlaces > 0 {
		w.Linef("%s by name, of which it knows nothing", wording.Plural(r.ByNamePlaces, "place"))
	}
	if len(r.OutsideBuild) > 0 {
		w.Linef("it does not build %s: uses that only such a build has are missing", strings.Join(r.OutsideBuild, ", "))
	}
}
