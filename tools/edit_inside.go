package tools

import (
	"bytes"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
)

// placeInFile places code as a file's first or last symbol.
func placeInFile(src *source, e codeEdit) (edits.Edit, error) {
	if e.At != placeFirst && e.At != placeLast {
		return edits.Edit{}, invalid("canon", "canon is missing",
			"send the symbol's address; only at: first or last may do without, for the file itself")
	}
	members := src.members(-1)
	if e.At == placeFirst && len(members) > 0 {
		return src.insertBefore(members[0], e.Code), nil
	}
	text := reindent(e.Code, "", src.language) + "\n"
	end := len(src.Text)
	if end > 0 {
		text = "\n" + text
	}
	if end > 0 && src.Text[end-1] != '\n' {
		text = "\n" + text
	}
	return edits.Edit{Start: end, End: end, New: text}, nil
}

// placeInside places code as the first or last member of a container.
func placeInside(src *source, container int, e codeEdit) (edits.Edit, error) {
	if members := src.inBody(container); len(members) > 0 {
		if e.At == placeFirst {
			return src.insertBefore(members[0], e.Code), nil
		}
		return src.insertAfter(members[len(members)-1], e.Code), nil
	}
	sym := src.syntax().Symbols[container]
	base := src.indentAt(sym.Start)
	inner := base + src.level()
	text := inner + reindent(e.Code, inner, src.language)
	if src.language == "python" {
		return src.insertLines(src.lineEnd(sym.End), "\n"+text), nil
	}
	open := bytes.IndexByte(src.Text[sym.BodyStart:sym.End], '{')
	closed := bytes.LastIndexByte(src.Text[:sym.End], '}')
	if open < 0 || closed < sym.BodyStart+open {
		return edits.Edit{}, &Failure{Message: sym.Canon + " has no body", Code: "no_body", Field: "at",
			Hint: "use at: replace, before or after"}
	}
	open += sym.BodyStart + 1
	body := string(src.Text[open:closed])
	switch {
	case strings.TrimSpace(body) == "":
		return edits.Edit{Start: open, End: closed, New: "\n" + text + "\n" + base}, nil
	case e.At == placeFirst:
		return edits.Edit{Start: open, End: open, New: "\n" + text}, nil
	}
	end := open + len(strings.TrimRight(body, " \t\r\n"))
	if strings.Contains(body[end-open:], "\n") {
		return edits.Edit{Start: end, End: end, New: "\n" + text}, nil
	}
	return edits.Edit{Start: end, End: closed, New: "\n" + text + "\n" + base}, nil
}

// inBody are the container's members within its body; those that its head declares,
// as the parameters of a constructor, count where there is no body.
func (s *source) inBody(container int) []syntax.Symbol {
	sym, members := s.syntax().Symbols[container], s.members(container)
	if sym.BodyStart == sym.End {
		return members
	}
	return slices.DeleteFunc(members, func(m syntax.Symbol) bool { return m.Start < sym.BodyStart })
}

// members are the symbols whose text is directly inside the container's, or, for
// -1, in no other symbol's, in the file's order.
func (s *source) members(container int) []syntax.Symbol {
	symbols := s.syntax().Symbols
	var members []syntax.Symbol
	for _, sym := range symbols {
		if sym.Parent != container {
			continue
		}
		if container >= 0 && (sym.Start < symbols[container].Start || sym.End > symbols[container].End) {
			continue // declared elsewhere, as a method in Go
		}
		members = append(members, sym)
	}
	return members
}
