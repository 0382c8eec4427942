// Package scipexport writes the index of a folder in the format SCIP, for programs that read it.
//
// Its promises:
//
//   - Each symbol of the index has one name in the file, and no two have the same.
//   - A place is written if the index shows it as one of a symbol, see [index.LeastConfidence]: what is found by name,
//     and not certain.
//   - The same folder gives the same bytes.
//   - One document is in memory at a time, and what implements what.
package scipexport

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// Options are what is written. All are required.
type Options struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Root      string // the folder, absolute
	Version   string // of this program
	// Progress is told how far it is.
	Progress func(done, total int)
}

// Stats count what was written.
type Stats struct {
	Documents, Symbols, Occurrences int
	LeftOut                         int // files that are not stored in UTF-8, or begin with a byte order mark
}

// Write writes the index of a folder.
func Write(ctx context.Context, o Options, out io.Writer) (*Stats, error) {
	e := &export{Options: o, overlay: o.Index.Overlay(nil), names: map[place]string{}, implements: map[string][]string{}}
	if err := e.list(ctx); err != nil {
		return nil, err
	}
	for i, path := range e.paths {
		if err := e.relate(ctx, path); err != nil {
			return nil, err
		}
		o.Progress(i, 2*len(e.paths))
	}
	w, err := scip.NewWriter(out, scip.Metadata{Tool: scip.Own, Version: o.Version, Root: disk.URI(o.Root)})
	if err != nil {
		return nil, err
	}
	for i, path := range e.paths {
		if err := e.write(ctx, w, path); err != nil {
			return nil, err
		}
		o.Progress(len(e.paths)+i, 2*len(e.paths))
	}
	return &e.stats, nil
}

// export is what is known while a file is written.
type export struct {
	Options
	overlay    *index.Overlay
	paths      []string
	names      map[place]string    // of symbols that would have the same ones
	implements map[string][]string // what a symbol implements, directly or not
	stats      Stats
}

// place is where a symbol is declared.
type place struct {
	path string
	at   int
	kind syntax.Kind
}

func placeOf(u index.Unit) place { return place{u.Path, u.StartByte, u.Kind} }

// list lists the files with symbols.
func (e *export) list(ctx context.Context) error {
	return e.Workspace.Walk(ctx, e.Root, func(entry workspace.Entry) error {
		if entry.Dir || entry.Skip != "" {
			return nil
		}
		units, err := e.Index.Outline(ctx, entry.Path)
		if err != nil || len(units) == 0 {
			return err
		}
		file, err := e.Workspace.Read(ctx, entry.Path)
		if err != nil {
			return ctx.Err() // it has gone meanwhile
		}
		if file.Unclear != "" || file.Encoding != (workspace.Encoding{}) {
			e.stats.LeftOut++
			return nil
		}
		e.paths = append(e.paths, file.Path)
		known := map[string]bool{}
		for _, u := range units {
			name := symbolOf(u, "")
			if known[name] {
				name = symbolOf(u, string(u.Kind))
				e.names[placeOf(u)] = name
			}
			known[name] = true
		}
		return nil
	})
}

// symbol returns the name of a symbol.
func (e *export) symbol(u index.Unit) string {
	if name, ok := e.names[placeOf(u)]; ok {
		return name
	}
	return symbolOf(u, "")
}

// heritable are the kinds of what can be implemented or extended.
var heritable = map[syntax.Kind]bool{syntax.KindInterface: true, syntax.KindTrait: true, syntax.KindClass: true,
	syntax.KindStruct: true, syntax.KindType: true, syntax.KindEnum: true}

// relate notes what implements the symbols of a file.
func (e *export) relate(ctx context.Context, path string) error {
	units, err := e.Index.Outline(ctx, path)
	if err != nil {
		return err
	}
	for _, u := range units {
		if !heritable[u.Kind] {
			continue
		}
		found, err := e.implementers(ctx, u)
		if err != nil {
			return err
		}
		if found == 0 {
			continue
		}
		for _, m := range units { // only methods of what has heirs are overridden
			if m.Kind == syntax.KindMethod && u.StartByte <= m.StartByte && m.EndByte <= u.EndByte {
				if _, err := e.implementers(ctx, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// implementers notes what implements a symbol, and counts it.
func (e *export) implementers(ctx context.Context, u index.Unit) (found int, err error) {
	edges, err := e.overlay.Implementers(ctx, u)
	if err != nil {
		return 0, err
	}
	least := index.LeastConfidence(edges)
	for _, edge := range edges {
		if edge.Target != nil && edge.Confidence >= least {
			by := e.symbol(*edge.Target)
			if of := e.symbol(u); by != of && !slices.Contains(e.implements[by], of) {
				e.implements[by] = append(e.implements[by], of)
				found++
			}
		}
	}
	return found, nil
}

// write writes a document.
func (e *export) write(ctx context.Context, w *scip.Writer, path string) error {
	file, err := e.Workspace.Read(ctx, path)
	if err != nil {
		return ctx.Err() // it has gone meanwhile
	}
	units, err := e.Index.Outline(ctx, path)
	if err != nil || len(units) == 0 {
		return err
	}
	rel := e.Workspace.Rel(path)
	d := scip.NewDocument{Path: rel, Language: languageName(units[0].Language), Encoding: scip.UTF8}
	lines := lineStarts(file.Text)
	for _, u := range units {
		if u.EndByte > len(file.Text) || u.NameEnd > len(file.Text) {
			return nil // it has changed meanwhile
		}
		name := e.symbol(u)
		s := scip.NewSymbol{Symbol: name, Name: u.Name, Kind: kindOf(u.Kind)}
		for _, of := range e.implements[name] {
			s.Relationships = append(s.Relationships, scip.Relationship{Symbol: []byte(of), Implementation: true})
		}
		d.Symbols = append(d.Symbols, s)
		whole := lines.span(u.StartByte, u.EndByte)
		d.Occurrences = append(d.Occurrences, scip.NewOccurrence{Enclosing: &whole, Occurrence: scip.Occurrence{
			Range: lines.span(u.NameStart, u.NameEnd), Symbol: []byte(name), Roles: scip.Definition}})
	}
	edges, err := e.overlay.Outgoing(ctx, index.Unit{Path: path, Kind: syntax.KindFile})
	if err != nil {
		return err
	}
	for _, edge := range edges {
		if !shown(edge) || edge.EndByte > len(file.Text) {
			continue
		}
		d.Occurrences = append(d.Occurrences, scip.NewOccurrence{Occurrence: scip.Occurrence{
			Range: lines.span(edge.StartByte, edge.EndByte), Symbol: []byte(e.symbol(*edge.Target))}})
	}
	slices.SortStableFunc(d.Occurrences, func(a, b scip.NewOccurrence) int { return compareRanges(a.Range, b.Range) })
	d.Occurrences = slices.CompactFunc(d.Occurrences, func(a, b scip.NewOccurrence) bool {
		return a.Range == b.Range && a.Roles == b.Roles && bytes.Equal(a.Symbol, b.Symbol)
	})
	e.stats.Documents++
	e.stats.Symbols += len(d.Symbols)
	e.stats.Occurrences += len(d.Occurrences)
	return w.Document(d)
}

// shown reports whether an edge is certain enough to be written.
func shown(edge index.Edge) bool {
	return edge.Target != nil && edge.Confidence >= likely
}

// likely is the confidence from which an edge is shown beside one that is certain.
var likely = index.LeastConfidence([]index.Edge{{Confidence: 1}})

func compareRanges(a, b scip.Range) int {
	return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.StartChar, b.StartChar),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.EndChar, b.EndChar))
}

// starts are where the lines of a text begin, in bytes.
type starts []int

func lineStarts(text []byte) starts {
	s := starts{0}
	for i, c := range text {
		if c == '\n' {
			s = append(s, i+1)
		}
	}
	return s
}

// span returns a range of bytes as one of lines and bytes.
func (s starts) span(from, to int) scip.Range {
	startLine, startChar := s.position(from)
	endLine, endChar := s.position(to)
	return scip.Range{StartLine: startLine, StartChar: startChar, EndLine: endLine, EndChar: endChar}
}

func (s starts) position(at int) (line, char int32) {
	n, found := slices.BinarySearch(s, at)
	if !found {
		n--
	}
	return int32(n), int32(at - s[n])
}
