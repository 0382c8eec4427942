package records

import (
	"sync"

	"ploke-lsp/internal/syntax"
)

// SelectedSymbol is a symbol with its ordinal in its file.
type SelectedSymbol struct {
	Ordinal int
	syntax.Symbol
}

// kindsPool has memory for the kinds of SelectSymbols, which a file with thousands of symbols
// needs much of.
var kindsPool = sync.Pool{New: func() any { return new([]uint32) }}

// SelectSymbols decodes the stored symbols that wanted accepts, up to the ordinal last,
// and skips the others. ok is false for a damaged value. EncodeSymbols describes the
// format.
func SelectSymbols(data []byte, last int, wanted func(ordinal int, name []byte) bool) (all []SelectedSymbol, ok bool) {
	pooled := kindsPool.Get().(*[]uint32)
	kinds := (*pooled)[:0] // the offset of each symbol's kind
	defer func() {
		*pooled = kinds
		kindsPool.Put(pooled)
	}()
	for at, start, line := 0, 0, 0; at < len(data) && len(kinds) <= last; {
		size, at0 := Uvarint(data, at)
		forth, at1 := Varint(data, at0)
		down, kind := Varint(data, at1)
		if kind < 0 || size > uint64(len(data)-at0) || kind >= at0+int(size) {
			return nil, false
		}
		start, line, at = start+forth, line+down, at0+int(size)
		ordinal := len(kinds)
		kinds = append(kinds, uint32(kind))
		name, _ := Text(data, kind+1)
		if wanted(ordinal, name) {
			s, ok := decodeSymbolAt(data[:at], kinds, start, line)
			if !ok {
				return nil, false
			}
			all = append(all, SelectedSymbol{ordinal, s})
		}
	}
	return all, true
}

// decodeSymbolAt decodes the last symbol of the data, given the offsets of all kinds, and
// the symbol's start and line.
func decodeSymbolAt(data []byte, kinds []uint32, start, line int) (s syntax.Symbol, ok bool) {
	ordinal := len(kinds) - 1
	name, detail, _, parent, places := symbolNames(data, kinds, ordinal)
	canon, ok := canonOf(data, kinds, ordinal)
	kind := int(data[kinds[ordinal]])
	if !ok || kind >= len(symbolKinds) {
		return s, false
	}
	s = syntax.Symbol{Name: string(name), Canon: canon, Kind: symbolKinds[kind], Detail: string(detail), Parent: parent,
		Start: start, StartLine: line}
	d := Decoder{Data: string(data[places:])}
	d.positions(&s)
	return s, !d.Failed
}

// canonOf returns the address of the symbol with that ordinal.
func canonOf(data []byte, kinds []uint32, ordinal int) (canon string, ok bool) {
	name, _, own, parent, places := symbolNames(data, kinds, ordinal)
	switch {
	case places < 0:
		return "", false
	case len(own) > 0:
		return string(own), true
	case parent < 0:
		return string(name), true
	}
	above, ok := canonOf(data, kinds, parent)
	return above + "::" + string(name), ok
}

// symbolNames reads the first part of the symbol with that ordinal. parent is the ordinal
// of its parent, or -1. places is the offset of its positions, -1 if it is damaged.
func symbolNames(data []byte, kinds []uint32, ordinal int) (name, detail, canon []byte, parent, places int) {
	name, at := Text(data, int(kinds[ordinal])+1)
	detail, at = Text(data, at)
	up, at := Uvarint(data, at)
	canon, at = Text(data, at)
	switch {
	case up > uint64(ordinal):
		return nil, nil, nil, 0, -1
	case up == 0:
		return name, detail, canon, -1, at
	}
	return name, detail, canon, ordinal - int(up), at
}
