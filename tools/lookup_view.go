package tools

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/syntax"
)

// lookupView is how much of a symbol is shown. Each begins with the doc comment as it stands in the
// file.
type lookupView string

const (
	viewSignature lookupView = "signature" // up to the body
	viewOutline   lookupView = "outline"   // the signature, and a line for each member
	viewFull      lookupView = "full"
)

const (
	wholeLines   = 200     // a larger symbol is not shown whole unless that is asked for
	wholeBytes   = 8 << 10 // the same in bytes
	headBytes    = 3 << 10 // of a signature with its doc comment
	outlineLines = 150
)

// show returns an item with at most limit bytes of its text.
func (it *codeItem) show(view lookupView, limit int) lookedUpItem {
	sym := it.symbol()
	first := it.startLine
	if sym.DocStart < sym.DocEnd && sym.DocStart < sym.Start {
		first = it.src.lineOf(sym.DocStart)
	}
	whole := string(it.src.lines(first, it.endLine))
	shown := lookedUpItem{ID: it.id(), Canon: it.canon, Name: it.name, Kind: it.kind, File: it.src.Path,
		Signature: it.signature, Doc: cut(it.doc, docBytes), FileHash: it.src.Hash,
		StartLine: it.startLine, EndLine: it.endLine, StartByte: it.startByte, EndByte: it.endByte}
	members := it.members()
	if view == "" {
		view, limit = usualView(whole, len(members), limit)
	}
	code, _ := leadingLines(whole, limit)
	if view != viewFull {
		code, _ = leadingLines(it.head(first, sym), min(limit, headBytes))
	}
	shown.Snippet = Snippet(it.src.Path, first, code)
	next := first + strings.Count(endLine(code), "\n")
	if next > it.endLine {
		shown.Hash = it.hash
		return shown
	}
	if view == viewOutline {
		shown.Outline = outline(members, limit)
	}
	shown.Cut = it.missing(next, len(members), len(shown.Outline))
	return shown
}

// usualView returns the view of a symbol by its size: the code if it is short, else the outline, or
// the beginning of what has no members.
func usualView(whole string, members, limit int) (lookupView, int) {
	if len(whole) <= min(limit, wholeBytes) && strings.Count(whole, "\n") <= wholeLines {
		return viewFull, limit
	}
	if members > 0 {
		return viewOutline, limit
	}
	return viewFull, min(limit, wholeBytes)
}

// missing says which lines of the item are not shown, from next on, and how to get them.
func (it *codeItem) missing(next, members, listed int) string {
	text := fmt.Sprintf("lines %d to %d are not shown: read_file has them", next, it.endLine)
	switch {
	case listed > 0 && listed < members:
		text += fmt.Sprintf("; nor are %d of %d members: search_text finds them", members-listed, members)
	case listed == 0 && members > 0:
		text += "; view outline lists the members"
	}
	return text
}

// symbol returns the item as the file declares it.
func (it *codeItem) symbol() syntax.Symbol {
	for _, sym := range it.src.syntax().Symbols {
		if sym.Start == it.startByte && sym.Canon == it.canon && sym.Kind == it.kind {
			return sym
		}
	}
	return syntax.Symbol{Start: it.startByte, End: it.endByte, BodyStart: it.endByte}
}

// head returns the lines up to the body.
func (it *codeItem) head(first int, sym syntax.Symbol) string {
	last := it.src.lineOf(max(min(sym.BodyStart, sym.End)-1, sym.Start))
	return string(it.src.lines(first, last))
}

// members returns what the symbol contains, or has as methods, in its file.
func (it *codeItem) members() []memberLine {
	var members []memberLine
	for _, sym := range it.src.syntax().Symbols {
		rest, inside := strings.CutPrefix(sym.Canon, syntax.Plain(it.canon)+"::")
		if inside && !strings.Contains(rest, "::") {
			members = append(members, memberLine{sym.StartLine, sym.EndLine, sym.Name, sym.Signature(it.src.Text)})
		}
	}
	return members
}

// outline returns as many of the first members as fit in limit bytes.
func outline(members []memberLine, limit int) []memberLine {
	for i, m := range members[:min(len(members), outlineLines)] {
		if limit -= len(m.Signature) + len(m.Name) + len(`{"line":12345,"end_line":12345,"name":"","signature":""},`); limit < 0 {
			return members[:i]
		}
	}
	return members[:min(len(members), outlineLines)]
}

// Text writes the code of each symbol, its members, and what is missing.
func (r codeItemLookupResult) Text(w *TextWriter) {
	for _, it := range r.Items {
		about := fmt.Sprintf("%s %s", it.Kind, it.Canon)
		if it.Hash != "" {
			about += ", hash " + w.Hash(it.Hash)
		}
		w.Line(about)
		w.Shown(it.Snippet)
		for _, m := range it.Outline {
			w.Line(m.text())
		}
		w.Note(it.Cut)
	}
	for _, n := range r.Further {
		w.Linef("%s:%d: %s %s", w.Path(n.File), n.Line, n.Canon, n.Signature)
	}
	if r.Omitted > 0 {
		w.Linef("%s more", plural(r.Omitted, "symbol"))
	}
	w.Note(r.Hint)
}

// text returns the member's lines and its signature, after its name if that is not in it.
func (m memberLine) text() string {
	text := fmt.Sprintf("%d-%d ", m.Line, m.EndLine)
	if !strings.Contains(m.Signature, m.Name) {
		text += m.Name + " "
	}
	return text + m.Signature
}
