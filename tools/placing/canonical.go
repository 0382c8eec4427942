package placing

import (
	"bytes"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// placeCanonical places an edit by a symbol's address.
func placeCanonical(src *SourceFile, e Request) (edits.Edit, error) {
	if e.At == "" {
		e.At = AtReplace
	}
	if err := checkCode(e); err != nil {
		return edits.Edit{}, err
	}
	e.Code = src.inStyle(e.Code)
	if e.Canon == "" {
		return newPlacer(src).placeInFile(e)
	}
	at, err := meantSymbol(src, e)
	if err != nil {
		return edits.Edit{}, err
	}
	if sym := src.Syntax().Symbols[at]; e.At == AtReplace {
		if err := checkComplete(src, sym, e); err != nil {
			return edits.Edit{}, err
		}
	}
	return newPlacer(src).placeAt(at, e)
}

// placeAt places an edit at the symbol with this index.
func (p placer) placeAt(at int, e Request) (edits.Edit, error) {
	sym := p.Syntax().Symbols[at]
	switch e.At {
	case AtBefore:
		return p.insertBefore(sym, e.Code), nil
	case AtAfter:
		return p.insertAfter(sym, e.Code), nil
	case AtFirst, AtLast:
		return p.placeInside(at, e)
	case AtDelete:
		return p.remove(sym)
	}
	return p.replaceSymbol(sym, e.Code), nil
}

func checkCode(e Request) error {
	empty := strings.TrimSpace(e.Code) == ""
	if empty && e.At != AtDelete {
		return wording.BadValue("code", "code is missing", "send the complete symbol; use at: delete to remove one")
	}
	if !empty && e.At == AtDelete {
		return wording.BadValue("code", "at: delete takes no code", "leave code out, or use at: replace")
	}
	return nil
}

// HashOf returns the hash of a symbol's text, without the doc comment.
func (s *SourceFile) HashOf(sym syntax.Symbol) string {
	return workspace.Hash(s.Text[sym.Start:sym.End])
}

// replaceSymbol replaces a symbol, with its doc comment if code has one.
func (p placer) replaceSymbol(sym syntax.Symbol, code string) edits.Edit {
	start, end := sym.Start, sym.End
	if p.isBarSeparated(sym) {
		code = withoutBar(code)
	}
	if p.commented(code) {
		start, end = p.commentStart(sym), p.docEnd(sym)
	}
	text := reindent(p.withoutPresentSeparator(sym, code), p.indentAt(start), p.Language)
	if end > start && p.Text[end-1] == '\n' {
		text += "\n"
	}
	return edits.Edit{Start: start, End: end, New: text}
}

// commented reports whether code begins with a comment, or ends with one in a language that has
// doc comments there.
func (p placer) commented(code string) bool {
	_, behind := p.splitTrailingComment(code)
	return beginsWithComment(code, p.Language) || p.isML() && behind != ""
}

// indentAt returns the indentation of the line of offset.
func (s *SourceFile) indentAt(offset int) string {
	return indentOf(string(s.Text[s.LineStart(offset):offset]))
}

// docAttribute matches the text before a doc comment that is a statement of the language.
var docAttribute = lazyregexp.New(`^\s*(?:@(?:type|module)?doc(?:\s+~[sS])?|desc)\s*$`)

// commentStart returns where the comment above a symbol begins, or the symbol's start. In
// Python it is a plain comment, since the doc comment is inside the symbol. In Elixir and Ruby
// it is the complete @doc or desc, of which the doc comment is only the text.
func (n neighborhood) commentStart(sym syntax.Symbol) int {
	if sym.DocStart < sym.DocEnd && sym.DocEnd <= sym.Start && n.skip(sym.DocEnd) >= sym.Start {
		line := n.LineStart(sym.DocStart)
		if before := string(n.Text[line:sym.DocStart]); docAttribute.MatchString(before) {
			return line + len(indentOf(before))
		}
		return sym.DocStart
	}
	start := sym.Start
	for at := n.LineStart(start); n.Language == "python" && at > 0; {
		at = n.LineStart(at - 1)
		indent := len(indentOf(string(n.Text[at:n.LineEnd(at)])))
		if !bytes.HasPrefix(n.Text[at+indent:], []byte("#")) {
			break
		}
		start = at + indent
	}
	return start
}
