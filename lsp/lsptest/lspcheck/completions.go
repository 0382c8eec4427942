package lspcheck

const (
	itemCapabilities = "textDocument.completion.completionItem."
	snippetFormat    = 2  // of insertTextFormat
	lastFirstKind    = 18 // the kinds of LSP's first version end with Reference
)

// checkCompletion checks completions.
func (s *Session) checkCompletion(r *request, result any) {
	items := list(result)
	if _, isList := result.(object); isList {
		items = list(result, "items")
		defaults, _ := field(result, "itemDefaults").(object)
		for name := range defaults {
			if !s.client.includes("textDocument.completion.completionList.itemDefaults", name) {
				s.undeclared("the default "+name, "textDocument.completion.completionList.itemDefaults")
			}
		}
		s.needs(has(result, "applyKind"), "applyKind", "textDocument.completion.completionList.applyKindSupport")
	}
	for _, item := range items {
		s.checkItem(item)
		s.checkItemEdit(r, item)
	}
}

func (s *Session) checkItem(item any) {
	s.needs(number(item, "insertTextFormat") == snippetFormat, "a snippet", itemCapabilities+"snippetSupport")
	s.needs(has(item, "deprecated"), "deprecated", itemCapabilities+"deprecatedSupport")
	s.needs(has(item, "preselect"), "preselect", itemCapabilities+"preselectSupport")
	s.needs(has(item, "tags"), "the tags of an item", itemCapabilities+"tagSupport")
	s.needs(has(item, "labelDetails"), "labelDetails", itemCapabilities+"labelDetailsSupport")
	s.needs(has(item, "commitCharacters"), "commitCharacters", itemCapabilities+"commitCharactersSupport")
	s.needs(has(item, "insertTextMode"), "insertTextMode", itemCapabilities+"insertTextModeSupport")
	if kind := text(item, "documentation", "kind"); kind != "" &&
		!s.client.includes(itemCapabilities+"documentationFormat", kind) {
		s.undeclared("documentation in "+kind, itemCapabilities+"documentationFormat")
	}
	// A client with a list takes any kind.
	s.needs(number(item, "kind") > lastFirstKind, "a newer kind of an item",
		"textDocument.completion.completionItemKind.valueSet")
	if has(item, "command") {
		s.checkCommand(field(item, "command"))
	}
}

// checkItemEdit checks the edit of a completion: it lies on the line of the request, around its
// position.
func (s *Session) checkItemEdit(r *request, item any) {
	edit := field(item, "textEdit")
	if edit == nil {
		return
	}
	ranges := []any{field(edit, "range")}
	if has(edit, "insert") {
		s.needs(true, "insert and replace", itemCapabilities+"insertReplaceSupport")
		ranges = []any{field(edit, "insert"), field(edit, "replace")}
	}
	at := field(r.params, "position")
	for _, place := range ranges {
		if !onOneLine(place) || !within(object{"start": at, "end": at}, place) {
			s.violated(RuleShape, "the completion at %s is not around %s on its line", key(place), key(at))
		}
	}
	s.checkAnswered(r, ranges...)
}
