package index

import "ploke-lsp/internal/syntax"

// picked is a symbol with its ordinal in its file.
type picked struct {
	ordinal int
	syntax.Symbol
}

// pickSymbols decodes those of a file's stored symbols, up to the one with ordinal
// last, that wanted says; the others are passed over without being kept. ok is false
// for a value that is damaged. See encodeSymbols for its form.
func pickSymbols(data []byte, last int, wanted func(ordinal int, name []byte) bool) (all []picked, ok bool) {
	d := decoder{data: data}
	var before ancestors
	start, line := 0, 0
	for ordinal := 0; len(d.data) > 0 && ordinal <= last; ordinal++ {
		kind := int(d.byte())
		name, detail := d.take(d.int()), d.take(d.int())
		up := d.int()
		canon := d.take(d.int())
		s := syntax.Symbol{Parent: ordinal - up}
		if up == 0 {
			s.Parent = -1
		}
		d.places(&s, start, line)
		if d.failed || kind >= len(symbolKinds) || up > ordinal {
			return nil, false
		}
		start, line = s.Start, s.StartLine
		before = append(before, ancestor{name, canon, s.Parent})
		if wanted(ordinal, name) {
			s.Kind, s.Name, s.Detail, s.Canon = symbolKinds[kind], string(name), string(detail), before.address(ordinal)
			all = append(all, picked{ordinal, s})
		}
	}
	return all, !d.failed
}

// ancestors are what the addresses of symbols are made of.
type ancestors []ancestor

type ancestor struct {
	name, canon []byte // canon is empty where it is the parent's with the name
	parent      int
}

func (a ancestors) address(ordinal int) string {
	s := a[ordinal]
	switch {
	case len(s.canon) > 0:
		return string(s.canon)
	case s.parent < 0:
		return string(s.name)
	}
	return a.address(s.parent) + "::" + string(s.name)
}
