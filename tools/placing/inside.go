package placing

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// placeInFile places code as a file's first or last symbol.
func (p placer) placeInFile(e Request) (edits.Edit, error) {
	if e.At != AtFirst && e.At != AtLast {
		return edits.Edit{}, wording.BadValue("canon", "canon is missing",
			"send the symbol's address; only at: first or last may do without, for the file itself")
	}
	members := p.members(-1)
	if e.At == AtFirst && len(members) > 0 {
		return p.insertFirst(members[0], e.Code), nil
	}
	text := reindent(e.Code, "", p.Language) + "\n"
	end := len(p.Text)
	if end > 0 {
		text = "\n" + text
	}
	if end > 0 && p.Text[end-1] != '\n' {
		text = "\n" + text
	}
	return edits.Edit{Start: end, End: end, New: text}, nil
}

// placeInside places code as the first or last member of a container. In a function it places
// code in the body, whatever symbols the function declares.
func (p placer) placeInside(container int, e Request) (edits.Edit, error) {
	sym := p.Syntax().Symbols[container]
	members := p.inBody(container)
	switch blocks[p.Language] {
	case "":
		if len(members) == 0 || p.isFunction(sym) {
			return p.placeInBraces(sym, e)
		}
	case "end":
		if len(members) == 0 || p.isFunction(sym) {
			return p.placeBeforeEnd(sym, e)
		}
	case "indent":
		if len(members) == 0 || p.isFunction(sym) {
			return p.placeIndented(sym, e), nil
		}
	case "lines":
		if len(members) == 0 && e.At == AtLast {
			end := sym.Start + len(strings.TrimRight(string(p.Text[sym.Start:sym.End]), " \t\r\n"))
			return p.insertLines(end, "\n"+gap(sym.Kind)+reindent(e.Code, "", p.Language)), nil
		}
	}
	if len(members) == 0 {
		return edits.Edit{}, noBody(sym)
	}
	return p.placeAmong(members, e), nil
}

// placeAmong places code before the first or after the last of members. Members of a different
// sort are considered, too: an enum in Java lists its constants, and then has methods.
func (p placer) placeAmong(members []syntax.Symbol, e Request) edits.Edit {
	insert := p.insertBefore
	if e.At == AtLast {
		members = slices.Clone(members)
		slices.Reverse(members)
		insert = p.insertAfter
	}
	places := []edits.Edit{insert(members[0], e.Code)}
	listed := p.surroundingsOf(members[0]).list
	other := slices.IndexFunc(members, func(m syntax.Symbol) bool { return p.surroundingsOf(m).list != listed })
	if other > 0 {
		places = append(places, insert(members[other], e.Code))
	}
	return p.bestParse(places)
}

// bestParse returns the first of the edits with the fewest syntax errors in the result.
func (p placer) bestParse(places []edits.Edit) edits.Edit {
	if len(places) == 1 {
		return places[0]
	}
	best, fewest := 0, math.MaxInt
	for i, place := range places {
		text := slices.Concat(p.Text[:place.Start], []byte(place.New), p.Text[place.End:])
		if problems := p.parseAs(text).Syntax().ProblemCount; problems < fewest {
			best, fewest = i, problems
		}
	}
	return places[best]
}

// parseAs returns text as a source of the same language.
func (s *SourceFile) parseAs(text []byte) *SourceFile {
	return &SourceFile{File: &workspace.File{Text: text}, Language: s.Language}
}

func (p placer) isFunction(sym syntax.Symbol) bool {
	kinds := []syntax.Kind{syntax.KindFunction, syntax.KindMethod, syntax.KindConstructor}
	return slices.Contains(kinds, sym.Kind)
}

// blocks says how a language delimits the body of a symbol without members, if not by braces:
// by an end keyword, by indentation, or up to the next symbol of its kind. For the other values
// the body is not known.
var blocks = map[string]string{
	"ruby": "end", "lua": "end", "elixir": "end", "python": "indent", "yaml": "indent", "markdown": "lines", "toml": "lines",
	"html": "tags", "vue": "tags", "svelte": "tags", "ocaml": "many", "ocaml-interface": "many", "sql": "many", "dockerfile": "many",
}

func noBody(sym syntax.Symbol) *wording.Failure {
	return &wording.Failure{Message: sym.Canon + " has no body to place code in", Code: "no_body", Field: "at",
		Hint: "use at: replace, before or after, or mode replace"}
}

// placeIndented places code among the lines that are indented deeper than a symbol's head: in
// Python before or after its statements, behind the docstring.
func (p placer) placeIndented(sym syntax.Symbol, e Request) edits.Edit {
	inner := p.indentAt(sym.Start) + p.level()
	text := reindent(e.Code, inner, p.Language)
	body := p.skip(sym.BodyStart + bytes.IndexByte(p.Text[sym.BodyStart:], ':') + 1)
	inline := p.Language == "python" && p.LineStart(body) <= sym.BodyStart
	switch {
	case e.At == AtLast && !inline, p.Language != "python":
		return p.insertLines(p.LineEnd(sym.End), "\n"+inner+text)
	case inline:
		statements := []string{string(p.Text[body:sym.End]), text}
		if e.At == AtFirst {
			slices.Reverse(statements)
		}
		return edits.Edit{Start: sym.BodyStart + 1, End: sym.End, New: "\n" + inner + strings.Join(statements, "\n"+inner)}
	case sym.DocStart >= sym.BodyStart && sym.DocStart < sym.DocEnd:
		return p.insertLines(p.LineEnd(sym.DocEnd), "\n"+inner+text)
	}
	at := p.LineStart(body)
	return edits.Edit{Start: at, End: at, New: inner + text + "\n"}
}

// placeBeforeEnd places code in the lines between a symbol's head and its end keyword.
func (p placer) placeBeforeEnd(sym syntax.Symbol, e Request) (edits.Edit, error) {
	last, head := p.LineStart(sym.End), p.LineEnd(max(sym.BodyStart-1, sym.Start))
	if head >= sym.End || !strings.HasPrefix(strings.TrimLeft(string(p.Text[last:sym.End]), " \t"), "end") {
		return edits.Edit{}, noBody(sym)
	}
	if e.At == AtLast {
		head = max(last-1, head)
	}
	inner := p.indentAt(sym.Start) + p.level()
	return p.insertLines(head, "\n"+inner+reindent(e.Code, inner, p.Language)), nil
}

// placeInBraces places code first or last in a symbol's braces.
func (p placer) placeInBraces(sym syntax.Symbol, e Request) (edits.Edit, error) {
	base := p.indentAt(sym.Start)
	inner := base + p.level()
	text := inner + reindent(e.Code, inner, p.Language)
	open := bytes.IndexByte(p.Text[sym.BodyStart:sym.End], '{')
	if open > 0 && p.isFunction(sym) && p.Language != "cpp" {
		open = -1 // the brace is in an expression that is the body
	}
	closed := bytes.LastIndexByte(p.Text[:sym.End], '}')
	if open < 0 || closed < sym.BodyStart+open {
		return edits.Edit{}, noBody(sym)
	}
	open += sym.BodyStart + 1
	body := string(p.Text[open:closed])
	switch {
	case strings.TrimSpace(body) == "":
		return edits.Edit{Start: open, End: closed, New: "\n" + text + "\n" + base}, nil
	case e.At == AtFirst:
		return edits.Edit{Start: open, End: open, New: "\n" + text}, nil
	}
	end := open + len(strings.TrimRight(body, " \t\r\n"))
	if strings.Contains(body[end-open:], "\n") {
		return edits.Edit{Start: end, End: end, New: "\n" + text}, nil
	}
	return edits.Edit{Start: end, End: closed, New: "\n" + text + "\n" + base}, nil
}

// inBody returns the container's members in its body. Members that the head declares, such as a
// constructor's parameters, count only if there is no body.
func (n neighborhood) inBody(container int) []syntax.Symbol {
	sym, members := n.Syntax().Symbols[container], n.members(container)
	if sym.BodyStart == sym.End {
		return members
	}
	return slices.DeleteFunc(members, func(m syntax.Symbol) bool { return m.Start < sym.BodyStart })
}

// members returns the symbols whose text is directly in the container's, in the file's order.
// -1 stands for the file.
func (n neighborhood) members(container int) []syntax.Symbol {
	symbols := n.Syntax().Symbols
	var members []syntax.Symbol
	for _, sym := range symbols {
		if sym.Parent != container {
			continue
		}
		if container >= 0 && (sym.Start < symbols[container].Start || sym.End > symbols[container].End) {
			continue // declared elsewhere, like a method in Go
		}
		members = append(members, sym)
	}
	return members
}
