package tools

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

// codeItem is a symbol in the text that the turn sees.
type codeItem struct {
	src                *source
	canon, name        string
	kind               syntax.Kind
	signature, doc     string
	hash               string // of the declaration's text
	startLine, endLine int
	startByte, endByte int
	asked              int // the line that was asked for, 0 if none was
}

func (it *codeItem) id() string { return wording.PlaceID(it.src.Path, it.startLine, it.endLine) }

// text returns the lines of the symbol.
func (it *codeItem) text() string { return string(it.src.Lines(it.startLine, it.endLine)) }

// item returns a symbol of the file as a codeItem.
func (s *source) item(sym syntax.Symbol) *codeItem {
	return &codeItem{src: s, canon: sym.Canon, name: sym.Name, kind: sym.Kind,
		signature: sym.Signature(s.Text), doc: sym.Doc(s.Text), hash: s.HashOf(sym),
		startLine: sym.StartLine, endLine: sym.EndLine, startByte: sym.Start, endByte: sym.End}
}

// resolve finds a unit of the index in the text that the turn sees: at its place if the text
// there is unchanged, else by its address. It returns nil if the unit no longer exists.
func (s *sources) resolve(ctx context.Context, unit index.Unit) (*codeItem, error) {
	src, err := s.at(ctx, unit.Path)
	switch {
	case err != nil && unavailable(err):
		return nil, nil
	case err != nil:
		return nil, err
	case src.hasUnit(unit):
		return &codeItem{src: src, canon: unit.Canon, name: unit.Name, kind: unit.Kind,
			signature: unit.Signature, doc: unit.Doc, hash: unit.Hash, startLine: unit.StartLine, endLine: unit.EndLine,
			startByte: unit.StartByte, endByte: unit.EndByte}, nil
	}
	if unit.Kind == syntax.KindFile {
		return src.fileItem(unit), nil
	}
	for _, sym := range src.Syntax().Symbols {
		if sym.Canon == unit.Canon && sym.Kind == unit.Kind {
			return src.item(sym), nil
		}
	}
	return nil, nil
}

// hasUnit reports whether the unit's text is at the unit's place.
func (s *source) hasUnit(unit index.Unit) bool {
	return unit.EndByte <= len(s.Text) && unit.StartLine == s.LineOf(unit.StartByte) &&
		workspace.Hash(s.Text[unit.StartByte:unit.EndByte]) == unit.Hash
}

// fileItem returns the file itself as a codeItem.
func (s *source) fileItem(unit index.Unit) *codeItem {
	return &codeItem{src: s, canon: unit.Canon, name: unit.Name, kind: unit.Kind, signature: unit.Signature, hash: s.Hash,
		startLine: 1, endLine: s.LineCount(), endByte: len(s.Text)}
}

// uniqueItems sorts items by path and place, and removes duplicates.
func uniqueItems(items []*codeItem) []*codeItem {
	slices.SortFunc(items, func(a, b *codeItem) int {
		return cmp.Or(cmp.Compare(a.src.Path, b.src.Path), cmp.Compare(a.startByte, b.startByte),
			cmp.Compare(a.endByte, b.endByte), cmp.Compare(a.canon, b.canon))
	})
	return slices.CompactFunc(items, func(a, b *codeItem) bool {
		return a.src.Path == b.src.Path && a.startByte == b.startByte && a.canon == b.canon
	})
}

func (it *codeItem) candidate() placing.Candidate {
	return placing.Candidate{ID: it.id(), Canon: it.canon, Kind: it.kind, Hash: it.hash}
}

func (s *source) items(indexes []int) (items []*codeItem) {
	for _, i := range indexes {
		items = append(items, s.item(s.Syntax().Symbols[i]))
	}
	return items
}

// whichSymbol asks which of several symbols is meant.
func whichSymbol(found []*codeItem) *wording.Failure {
	f := &wording.Failure{Message: found[0].name + " is the name of several symbols", Code: "ambiguous", Field: "canon",
		Hint: "send the canon, file and kind of one of the candidates"}
	namesakes := make([]placing.Candidate, len(found))
	for i, it := range found {
		namesakes[i] = it.candidate()
		namesakes[i].Signature = it.signature
	}
	return placing.WithNamesakes(f, namesakes)
}

// unit returns the item as a unit of the index.
func (it *codeItem) unit() index.Unit {
	return index.Unit{Path: it.src.Path, Language: it.src.Language, Canon: it.canon, Name: it.name, Kind: it.kind,
		Signature: it.signature, Doc: it.doc, Hash: it.hash,
		StartLine: it.startLine, EndLine: it.endLine, StartByte: it.startByte, EndByte: it.endByte}
}

func (it *codeItem) symbolKind() syntax.Kind { return it.kind }

// symbol returns the item as the file declares it.
func (it *codeItem) symbol() syntax.Symbol {
	for _, sym := range it.src.Syntax().Symbols {
		if sym.Start == it.startByte && sym.Canon == it.canon && sym.Kind == it.kind {
			return sym
		}
	}
	return syntax.Symbol{Start: it.startByte, End: it.endByte, BodyStart: it.endByte}
}
