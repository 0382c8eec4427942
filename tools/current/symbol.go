package current

import (
	"cmp"
	"context"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// Symbol is a symbol in the text that the turn sees.
type Symbol struct {
	File               *File
	Canon, Name        string
	Kind               syntax.Kind
	Signature, Doc     string
	Hash               string // of the declaration's text
	StartLine, EndLine int
	StartByte, EndByte int
	Asked              int // the line that was asked for, 0 if none was
}

func (s *Symbol) ID() string { return wording.PlaceID(s.File.Path, s.StartLine, s.EndLine) }

// text returns the lines of the symbol.
func (s *Symbol) text() string { return string(s.File.Lines(s.StartLine, s.EndLine)) }

// symbol describes a symbol of the file.
func (f *File) symbol(sym syntax.Symbol) *Symbol {
	return &Symbol{File: f, Canon: sym.Canon, Name: sym.Name, Kind: sym.Kind,
		Signature: sym.Signature(f.Text), Doc: sym.Doc(f.Text), Hash: f.HashOf(sym),
		StartLine: sym.StartLine, EndLine: sym.EndLine, StartByte: sym.Start, EndByte: sym.End}
}

// Resolve finds a unit of the index in the text that the turn sees: at its place if the text
// there is unchanged, else by its address. It returns nil if the unit no longer exists.
func (f *Files) Resolve(ctx context.Context, unit index.Unit) (*Symbol, error) {
	src, err := f.At(ctx, unit.Path)
	switch {
	case err != nil && Unavailable(err):
		return nil, nil
	case err != nil:
		return nil, err
	case src.hasUnit(unit):
		return &Symbol{File: src, Canon: unit.Canon, Name: unit.Name, Kind: unit.Kind,
			Signature: unit.Signature, Doc: unit.Doc, Hash: unit.Hash, StartLine: unit.StartLine, EndLine: unit.EndLine,
			StartByte: unit.StartByte, EndByte: unit.EndByte}, nil
	}
	if unit.Kind == syntax.KindFile {
		return src.whole(unit), nil
	}
	for _, sym := range src.Syntax().Symbols {
		if sym.Canon == unit.Canon && sym.Kind == unit.Kind {
			return src.symbol(sym), nil
		}
	}
	return nil, nil
}

// hasUnit reports whether the unit's text is at the unit's place.
func (f *File) hasUnit(unit index.Unit) bool {
	return unit.EndByte <= len(f.Text) && unit.StartLine == f.LineOf(unit.StartByte) &&
		workspace.Hash(f.Text[unit.StartByte:unit.EndByte]) == unit.Hash
}

// whole describes the file itself.
func (f *File) whole(unit index.Unit) *Symbol {
	return &Symbol{File: f, Canon: unit.Canon, Name: unit.Name, Kind: unit.Kind, Signature: unit.Signature, Hash: f.Hash,
		StartLine: 1, EndLine: f.LineCount(), EndByte: len(f.Text)}
}

// uniqueItems sorts items by path and place, and removes duplicates.
func uniqueItems(items []*Symbol) []*Symbol {
	slices.SortFunc(items, func(a, b *Symbol) int {
		return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.StartByte, b.StartByte),
			cmp.Compare(a.EndByte, b.EndByte), cmp.Compare(a.Canon, b.Canon))
	})
	return slices.CompactFunc(items, func(a, b *Symbol) bool {
		return a.File.Path == b.File.Path && a.StartByte == b.StartByte && a.Canon == b.Canon
	})
}

func (s *Symbol) candidate() placing.Candidate {
	return placing.Candidate{ID: s.ID(), Canon: s.Canon, Kind: s.Kind, Hash: s.Hash}
}

func (f *File) Symbols(indexes []int) (items []*Symbol) {
	for _, i := range indexes {
		items = append(items, f.symbol(f.Syntax().Symbols[i]))
	}
	return items
}

// WhichSymbol asks which of several symbols is meant.
func WhichSymbol(found []*Symbol) *wording.Failure {
	f := &wording.Failure{Message: found[0].Name + " is the name of several symbols", Code: "ambiguous", Field: "canon",
		Hint: "send the canon, file and kind of one of the candidates"}
	namesakes := make([]placing.Candidate, len(found))
	for i, it := range found {
		namesakes[i] = it.candidate()
		namesakes[i].Signature = it.Signature
	}
	return placing.WithNamesakes(f, namesakes)
}

// Unit returns the item as a unit of the index.
func (s *Symbol) Unit() index.Unit {
	return index.Unit{Path: s.File.Path, Language: s.File.Language, Canon: s.Canon, Name: s.Name, Kind: s.Kind,
		Signature: s.Signature, Doc: s.Doc, Hash: s.Hash,
		Extent: index.Extent{StartLine: s.StartLine, EndLine: s.EndLine, StartByte: s.StartByte, EndByte: s.EndByte}}
}

func (s *Symbol) symbolKind() syntax.Kind { return s.Kind }

// Declared returns the item as the file declares it.
func (s *Symbol) Declared() syntax.Symbol {
	for _, sym := range s.File.Syntax().Symbols {
		if sym.Start == s.StartByte && sym.Canon == s.Canon && sym.Kind == s.Kind {
			return sym
		}
	}
	return syntax.Symbol{Start: s.StartByte, End: s.EndByte, BodyStart: s.EndByte}
}
