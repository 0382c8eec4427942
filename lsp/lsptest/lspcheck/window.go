package lspcheck

// checkShowDocument checks a document that the client shall show.
func (s *Session) checkShowDocument(m *message) {
	if has(m.params, "selection") {
		s.checkLocation(text(m.params, "uri"), field(m.params, "selection"))
	}
}
