package lspcheck

// checkHover checks a hover: LSP has had markup contents since version 3.3, with a capability.
func (s *Session) checkHover(r *request, result any) {
	const formats = "textDocument.hover.contentFormat"
	if kind := text(result, "contents", "kind"); kind != "" && !s.client.includes(formats, kind) {
		s.undeclared("a hover in "+kind, formats)
	}
	if has(result, "range") {
		s.checkAnswered(r, field(result, "range"))
	}
}
