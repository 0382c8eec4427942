package tools

import "ploke-lsp/internal/syntax"

// outward are the edges that start at an item: what it calls and which types it
// names, or what encloses it, the innermost first.
func outward(it *item, want direction) []edge {
	src := it.src
	found := []edge{}
	if want == callees {
		for _, r := range src.syntax().Refs {
			if it.startByte <= r.Start && r.End <= it.endByte && (r.Kind == syntax.RefCall || r.Kind == syntax.RefType) {
				e := src.edge(string(r.Kind), src.canonOf(r.From), r.Start, r.End)
				e.Name = r.Name
				found = append(found, e)
			}
		}
		return found
	}
	symbols := src.syntax().Symbols
	for i, sym := range symbols {
		if sym.Start != it.startByte || sym.Canon != it.canon {
			continue
		}
		for i = sym.Parent; i >= 0; i = symbols[i].Parent {
			e := src.edge("contains", src.canonOf(symbols[i].Parent), symbols[i].NameStart, symbols[i].NameEnd)
			e.Name = symbols[i].Canon
			found = append(found, e)
		}
	}
	return found
}
