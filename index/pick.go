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
	s := skim{data: data, starts: make([]uint32, 0, min(len(data)/16, last)+1)}
	for ordinal := 0; s.at < len(data) && ordinal <= last; ordinal++ {
		at := s.at
		start, line := s.start, s.line
		symbol := s.symbol()
		if s.failed || symbol.parent > ordinal {
			return nil, false
		}
		s.starts = append(s.starts, uint32(at))
		if !wanted(ordinal, symbol.name) {
			continue
		}
		kind := int(data[at])
		if kind >= len(symbolKinds) {
			return nil, false
		}
		p := picked{ordinal, syntax.Symbol{
			Name: string(symbol.name), Canon: s.address(ordinal), Kind: symbolKinds[kind],
			Detail: string(symbol.detail), Parent: symbol.parentOf(ordinal),
		}}
		d := decoder{data: data[symbol.places:]}
		d.places(&p.Symbol, start, line)
		all = append(all, p)
	}
	return all, true
}

// skim passes over stored symbols, and remembers where they are.
type skim struct {
	data        []byte
	at          int
	failed      bool
	start, line int      // of the symbol before
	starts      []uint32 // of each symbol's data
}

// skimmed is what is known of a symbol that was passed over.
type skimmed struct {
	name, detail, canon []byte
	parent              int // by how many symbols it is before; 0: none
	places              int // where they begin
}

// parentOf is the ordinal of the parent of the symbol with that ordinal, or -1.
func (m skimmed) parentOf(ordinal int) int {
	if m.parent == 0 {
		return -1
	}
	return ordinal - m.parent
}

// symbol passes over a symbol.
func (s *skim) symbol() skimmed {
	m := s.names()
	s.start += int(s.varint())
	s.pass(1) // the end
	s.line += int(s.varint())
	s.pass(4)           // the last line, the name, the body
	if s.varint() > 0 { // the length of the doc comment
		s.pass(1)
	}
	return m
}

// names reads the first part of a symbol, up to its places.
func (s *skim) names() (m skimmed) {
	s.at++ // the kind
	m.name, m.detail = s.text(), s.text()
	m.parent = int(s.uvarint())
	s.failed = s.failed || m.parent < 0
	m.canon = s.text()
	m.places = s.at
	return m
}

func (s *skim) text() []byte {
	size := s.uvarint()
	if size > uint64(max(len(s.data)-s.at, 0)) {
		s.failed = true
		return nil
	}
	start := s.at
	s.at += int(size)
	return s.data[start:s.at]
}

// pass passes over n varints.
func (s *skim) pass(n int) {
	for ; n > 0 && s.at < len(s.data); s.at++ {
		if s.data[s.at] < 0x80 {
			n--
		}
	}
	s.failed = s.failed || n > 0
}

func (s *skim) varint() int64 {
	v := s.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (s *skim) uvarint() uint64 {
	if s.at < len(s.data) && s.data[s.at] < 0x80 { // as most are
		s.at++
		return uint64(s.data[s.at-1])
	}
	return s.long()
}

func (s *skim) long() uint64 {
	v, n := binary.Uvarint(s.data[min(s.at, len(s.data)):])
	s.failed = s.failed || n <= 0
	s.at += max(n, 0)
	return v
}

// address is what a symbol that was passed over is called with its parents.
func (s *skim) address(ordinal int) string {
	there := skim{data: s.data, at: int(s.starts[ordinal])}
	m := there.names()
	switch {
	case len(m.canon) > 0:
		return string(m.canon)
	case m.parent == 0:
		return string(m.name)
	default:
		return s.address(m.parentOf(ordinal)) + "::" + string(m.name)
	}
}
