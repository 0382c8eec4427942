package document

import "ploke-lsp/internal/syntax"

// An Outline is what a text declares.
type Outline []syntax.Symbol

// symbolAt returns the innermost symbol around a byte offset, whose doc comment counts as a
// part of it.
func (o Outline) symbolAt(offset int) (symbol syntax.Symbol, ok bool) {
	for _, sym := range o {
		start := sym.Start
		if sym.DocEnd > sym.DocStart {
			start = min(start, sym.DocStart)
		}
		if start <= offset && offset <= sym.End && (!ok || sym.End-sym.Start <= symbol.End-symbol.Start) {
			symbol, ok = sym, true
		}
	}
	return symbol, ok
}

// An earlierOutline is what an earlier version of a text declared, with what has been typed
// since.
type earlierOutline struct {
	Outline
	typed []replacement
}

// SymbolAt is outline.symbolAt for an offset in the later version.
func (e *earlierOutline) SymbolAt(offset int) (symbol syntax.Symbol, ok bool) {
	for i := len(e.typed) - 1; i >= 0; i-- {
		offset = e.typed[i].before(offset)
	}
	return e.Outline.symbolAt(offset)
}

// A replacement makes one text from another: the bytes from one offset to another give way to
// others, which end at newTo.
type replacement struct{ from, to, newTo int }

// before returns where an offset of the second text was in the first. What is new was where
// the replacement begins.
func (r replacement) before(offset int) int {
	switch {
	case offset <= r.from:
		return offset
	case offset < r.newTo:
		return r.from
	}
	return offset - r.newTo + r.to
}

// replacementBetween returns what lies between the common beginning and the common end of two
// texts.
func replacementBetween(before, after []byte) replacement {
	shorter := min(len(before), len(after))
	from := 0
	for from < shorter && before[from] == after[from] {
		from++
	}
	same := 0
	for same < shorter-from && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	return replacement{from, len(before) - same, len(after) - same}
}
