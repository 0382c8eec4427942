package tools

// containing are what encloses an item, the innermost first.
func containing(it *item) []edge {
	src := it.src
	found := []edge{}
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
