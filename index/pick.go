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
	s := skim{data: data}
	s.symbols = make([]skimmed, 0, min(len(data)/16, last)+1)
	for ordinal := 0; s.at < len(data) && ordinal <= last; ordinal++ {
		at := s.at
		start, line := s.start, s.line
		symbol := s.symbol(ordinal)
		if s.failed || symbol.parent >= ordinal {
			return nil, false
		}
		s.symbols = append(s.symbols, symbol)
		if !wanted(ordinal, symbol.name.of(data)) {
			continue
		}
		kind := int(data[at])
		if kind >= len(symbolKinds) {
			return nil, false
		}
		p := picked{ordinal, syntax.Symbol{
			Name: string(symbol.name.of(data)), Canon: s.address(symbol), Kind: symbolKinds[kind],
			Detail: string(symbol.detail.of(data)), Parent: symbol.parent,
		}}
		d := decoder{data: data[symbol.places:]}
		d.places(&p.Symbol, start, line)
		all = append(all, p)
	}
	return all, true
}

// skim passes over stored symbols, and remembers where things are.
type skim struct {
	data        []byte
	at          int
	failed      bool
	start, line int // of the symbol before
	symbols     []skimmed
}

// skimmed is where a symbol's parts are. It has no pointers, since there are many.
type skimmed struct {
	name, detail, canon within
	parent, places      int
}

// within is what lies from one byte up to another.
type within struct{ start, end uint32 }

func (p within) of(data []byte) []byte { return data[p.start:p.end] }

func (s *skim) symbol(ordinal int) (m skimmed) {
	s.at++ // the kind
	m.name, m.detail = s.text(), s.text()
	m.parent = ordinal - int(s.uvarint())
	if m.parent == ordinal {
		m.parent = -1
	}
	m.canon = s.text()
	m.places = s.at
	s.start += int(s.varint())
	s.uvarint() // the end
	s.line += int(s.varint())
	for range 4 { // the last line, the name, the body
		s.uvarint()
	}
	if s.varint() > 0 { // the length of the doc comment
		s.uvarint()
	}
	return m
}

func (s *skim) text() within {
	size := s.uvarint()
	if size > uint64(len(s.data)-s.at) {
		s.failed = true
		return within{}
	}
	start := s.at
	s.at += int(size)
	return within{uint32(start), uint32(s.at)}
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

// address is what a symbol is called with its parents.
func (s *skim) address(m skimmed) string {
	switch name := string(m.name.of(s.data)); {
	case m.canon.end > m.canon.start:
		return string(m.canon.of(s.data))
	case m.parent < 0:
		return name
	default:
		return s.address(s.symbols[m.parent]) + "::" + name
	}
}
