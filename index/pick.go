package index

import (
	"encoding/binary"

	"ploke-lsp/internal/syntax"
)

// picked is a symbol with its ordinal in its file.
type picked struct {
	ordinal int
	syntax.Symbol
}

// pickSymbols decodes those of a file's stored symbols, up to the one with ordinal
// last, that wanted says; the others are passed over. ok is false for a value that is
// damaged. See encodeSymbols for its form.
func pickSymbols(data []byte, last int, wanted func(ordinal int, name []byte) bool) (all []picked, ok bool) {
	starts := make([]uint32, 0, min(len(data)/16, last)+1) // of each symbol's data
	for at, start, line := 0, 0, 0; at < len(data) && len(starts) <= last; {
		ordinal := len(starts)
		starts = append(starts, uint32(at))
		name, next, forth, down := skim(data, at)
		if next < 0 {
			return nil, false
		}
		if wanted(ordinal, name) {
			s, ok := pickSymbol(data, starts, start, line)
			if !ok {
				return nil, false
			}
			all = append(all, picked{ordinal, s})
		}
		at, start, line = next, start+forth, line+down
	}
	return all, true
}

// skim passes over the symbol that is stored at a place. It returns its name, the place
// behind it, -1 where it is damaged, and how far its start and first line are from those
// of the symbol before it.
func skim(data []byte, at int) (name []byte, next, forth, down int) {
	name, at = text(data, at+1)
	_, at = text(data, at)
	_, at = uvarint(data, at) // the parent
	_, at = text(data, at)
	forth, at = varint(data, at)
	_, at = uvarint(data, at) // the end
	down, at = varint(data, at)
	for range 4 { // the last line, the name, the body
		_, at = uvarint(data, at)
	}
	doc, at := varint(data, at)
	if doc > 0 {
		_, at = uvarint(data, at)
	}
	return name, at, forth, down
}

// pickSymbol decodes the last of the symbols that begin at starts; start and line are
// those of the one before it.
func pickSymbol(data []byte, starts []uint32, start, line int) (s syntax.Symbol, ok bool) {
	ordinal := len(starts) - 1
	kind := int(data[starts[ordinal]])
	name, detail, _, parent, places := names(data, starts, ordinal)
	canon, ok := canonOf(data, starts, ordinal)
	if !ok || kind >= len(symbolKinds) {
		return s, false
	}
	s = syntax.Symbol{Name: string(name), Canon: canon, Kind: symbolKinds[kind], Detail: string(detail), Parent: parent}
	d := decoder{data: data[places:]}
	d.places(&s, start, line)
	return s, true
}

// canonOf is what the symbol with that ordinal is called with its parents.
func canonOf(data []byte, starts []uint32, ordinal int) (canon string, ok bool) {
	name, _, own, parent, places := names(data, starts, ordinal)
	switch {
	case places < 0:
		return "", false
	case len(own) > 0:
		return string(own), true
	case parent < 0:
		return string(name), true
	}
	above, ok := canonOf(data, starts, parent)
	return above + "::" + string(name), ok
}

// names reads the first part of the symbol with that ordinal. parent is its parent's
// ordinal, or -1; places is where its second part begins, -1 where it is damaged.
func names(data []byte, starts []uint32, ordinal int) (name, detail, canon []byte, parent, places int) {
	name, at := text(data, int(starts[ordinal])+1)
	detail, at = text(data, at)
	up, at := uvarint(data, at)
	canon, at = text(data, at)
	switch {
	case up > uint64(ordinal):
		return nil, nil, nil, 0, -1
	case up == 0:
		return name, detail, canon, -1, at
	}
	return name, detail, canon, ordinal - int(up), at
}

// uvarint reads a varint at a place and returns the place behind it, -1 where there is
// none, as at a place of -1.
func uvarint(data []byte, at int) (uint64, int) {
	if uint(at) < uint(len(data)) && data[at] < 0x80 { // as most are
		return uint64(data[at]), at + 1
	}
	return longUvarint(data, at)
}

func longUvarint(data []byte, at int) (uint64, int) {
	if at < 0 || at >= len(data) {
		return 0, -1
	}
	v, n := binary.Uvarint(data[at:])
	if n <= 0 {
		return 0, -1
	}
	return v, at + n
}

// varint is uvarint for a number that may be negative.
func varint(data []byte, at int) (int, int) {
	v, at := uvarint(data, at)
	return int(int64(v>>1) ^ -int64(v&1)), at
}

// text reads a text behind its length, as uvarint does.
func text(data []byte, at int) ([]byte, int) {
	size, at := uvarint(data, at)
	if at < 0 || size > uint64(len(data)-at) {
		return nil, -1
	}
	end := at + int(size)
	return data[at:end], end
}
