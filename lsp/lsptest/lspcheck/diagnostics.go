package lspcheck

const diagnosticCapabilities = "textDocument.publishDiagnostics."

// checkPublished checks the diagnostics of a document.
func (s *Session) checkPublished(m *message) {
	uri := text(m.params, "uri")
	texts := s.textsSince(uri, 0)
	if n, ok := field(m.params, "version").(float64); ok {
		s.needs(true, "the version of diagnostics", diagnosticCapabilities+"versionSupport")
		known := false
		if texts, known = s.textsOf(uri, int(n)); !known {
			s.violated(RuleVersion, "the client has never sent version %v of %s", n, uri)
		}
	}
	var ranges []any
	for _, d := range list(m.params, "diagnostics") {
		s.checkDiagnostic(d)
		ranges = append(ranges, field(d, "range"))
	}
	s.checkRanges(uri, texts, ranges...)
}

// checkDiagnostic checks what a diagnostic needs of the client.
func (s *Session) checkDiagnostic(d any) {
	s.needs(has(d, "relatedInformation"), "relatedInformation", diagnosticCapabilities+"relatedInformation")
	s.needs(has(d, "codeDescription"), "codeDescription", diagnosticCapabilities+"codeDescriptionSupport")
	s.needs(has(d, "data"), "the data of a diagnostic", diagnosticCapabilities+"dataSupport")
	s.needs(text(d, "message", "kind") != "", "a message with markup", "textDocument.diagnostic.markupMessageSupport")
	for _, tag := range list(d, "tags") {
		if !s.client.includes(diagnosticCapabilities+"tagSupport.valueSet", tag) {
			s.undeclared("the tag "+describe(tag), diagnosticCapabilities+"tagSupport")
		}
	}
	for _, related := range list(d, "relatedInformation") {
		s.checkLocation(text(related, "location", "uri"), field(related, "location", "range"))
	}
}
