package lspcheck

const lastFirstSymbolKind = 18 // the kinds of LSP's first version end with Array

// checkDocumentSymbols checks the symbols of a document.
func (s *Session) checkDocumentSymbols(r *request, result any) {
	for _, symbol := range list(result) {
		if has(symbol, "location") {
			s.checkSymbolKind(symbol, "textDocument.documentSymbol.")
			s.checkAnswered(r, field(symbol, "location", "range"))
			continue
		}
		s.needs(true, "a tree of symbols", "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")
		s.checkSymbolTree(r, symbol)
	}
}

func (s *Session) checkSymbolTree(r *request, symbol any) {
	s.checkSymbolKind(symbol, "textDocument.documentSymbol.")
	whole, name := field(symbol, "range"), field(symbol, "selectionRange")
	if !within(name, whole) {
		s.violated(RuleShape, "the selectionRange %s of %q is not within its range %s", key(name), text(symbol, "name"),
			key(whole))
	}
	s.checkAnswered(r, whole, name)
	for _, child := range list(symbol, "children") {
		s.checkSymbolTree(r, child)
	}
}

// checkSymbolKind checks the kind and the tags of a symbol.
func (s *Session) checkSymbolKind(symbol any, capabilities string) {
	s.needs(has(symbol, "tags"), "the tags of a symbol", capabilities+"tagSupport")
	// A client with a list takes any kind.
	s.needs(number(symbol, "kind") > lastFirstSymbolKind, "a newer kind of a symbol", capabilities+"symbolKind.valueSet")
}

// checkWorkspaceSymbols checks symbols of the workspace.
func (s *Session) checkWorkspaceSymbols(_ *request, result any) {
	for _, symbol := range list(result) {
		s.checkSymbolKind(symbol, "workspace.symbol.")
		if !has(field(symbol, "location"), "range") {
			s.needs(true, "a symbol without a range", "workspace.symbol.resolveSupport")
			continue
		}
		s.checkLocation(text(symbol, "location", "uri"), field(symbol, "location", "range"))
	}
}

// checkDefinition checks where something is defined.
func (s *Session) checkDefinition(_ *request, result any) {
	places := list(result)
	if has(result, "uri") {
		places = []any{result}
	}
	for _, place := range places {
		if has(place, "targetUri") {
			s.needs(true, "a location link", "textDocument.definition.linkSupport")
			s.checkLocation(text(place, "targetUri"), field(place, "targetRange"), field(place, "targetSelectionRange"))
			continue
		}
		s.checkLocation(text(place, "uri"), field(place, "range"))
	}
}

// checkFolding checks folding ranges.
func (s *Session) checkFolding(r *request, result any) {
	for _, f := range list(result) {
		first, last := number(f, "startLine"), number(f, "endLine")
		if last < first {
			s.violated(RuleShape, "a folding range from line %d ends at line %d", first, last)
		}
		character := !s.client.declares("textDocument.foldingRange.lineFoldingOnly")
		s.checkAnswered(r, object{"start": foldEnd(f, "start", character), "end": foldEnd(f, "end", character)})
	}
}

// foldEnd returns the position of an end of a folding range, whose character may be left out.
func foldEnd(f any, end string, character bool) any {
	position := object{"line": field(f, end+"Line")}
	if character {
		position["character"] = field(f, end+"Character")
	}
	return position
}
