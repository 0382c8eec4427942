package lspcheck

// checkRanges checks that all ranges lie in one of the texts. Without texts, nothing is known.
func (s *Session) checkRanges(uri string, texts []*snapshot, ranges ...any) {
	problem := ""
	for _, t := range texts {
		if problem = s.misplaced(t, ranges); problem == "" {
			return
		}
	}
	if problem != "" {
		s.violated(RulePosition, "in %s, %s", uri, problem)
	}
}

// misplaced says what is wrong with the first range that is not in the text.
func (s *Session) misplaced(t *snapshot, ranges []any) string {
	for _, r := range ranges {
		for _, end := range []string{"start", "end"} {
			if problem := t.misplaced(field(r, end), s.encoding()); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// checkAnswered checks the ranges of a result in the document of the request.
func (s *Session) checkAnswered(r *request, ranges ...any) {
	uri := text(r.params, "textDocument", "uri")
	s.checkRanges(uri, s.textsSince(uri, r.clock), ranges...)
}

// checkLocation checks a range in another document than the request's.
func (s *Session) checkLocation(uri string, ranges ...any) {
	s.checkRanges(uri, s.textsSince(uri, 0), ranges...)
}

// onOneLine reports whether a range does not span lines.
func onOneLine(r any) bool { return number(r, "start", "line") == number(r, "end", "line") }

// within reports whether a range lies in another.
func within(inner, outer any) bool {
	return !isBefore(field(inner, "start"), field(outer, "start")) && !isBefore(field(outer, "end"), field(inner, "end"))
}
