package tools

import (
	"fmt"
	"math"
	"strings"

	"ploke-lsp/internal/o200k"
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
	wholeLines   = 80      // a larger symbol is not always shown whole unless that is asked for
	wholeBytes   = 4 << 10 // the same in bytes
	usualTokens  = 2000    // of larger symbols without members that a result shows
	headBytes    = 3 << 10 // of a signature with its doc comment
	outlineLines = 150
)

// room is how much of one symbol a result may show.
type room struct {
	bytes, tokens int
	usual         int // tokens of a long symbol unless a view is asked for
}

// room returns the room of one of so many symbols.
func (d Deps) room(symbols int) room {
	r := room{d.inRoom(lookupBytes*5/4) * 4 / 5 / symbols, math.MaxInt, usualTokens / symbols}
	if limit := d.resultLimit(); limit > 0 {
		r.tokens = (limit - frameTokens) / symbols
	}
	return r
}

// lines returns the beginning of code, as far as there is room. first is the number of its first
// line.
func (r *room) lines(first int, code string) string {
	code, _ = leadingLines(code, r.bytes)
	if r.tokens < math.MaxInt {
		code = numberedLinesWithin(first, code, r.tokens)
		r.tokens -= o200k.Count(Numbered(first, code))
	}
	r.bytes -= len(code)
	return code
}

// members returns the first members, as far as there is room.
func (r *room) members(all []memberLine) []memberLine {
	for i, m := range all {
		if r.bytes -= len(m.text()); r.tokens < math.MaxInt {
			r.tokens -= o200k.Count(m.text()) + 1
		}
		if i == outlineLines || r.bytes < 0 || r.tokens < 0 {
			return all[:i]
		}
	}
	return all
}

// show returns an item in a view, "" for the usual one, as far as there is room.
func (it *codeItem) show(view lookupView, r room) lookedUpItem {
	sym := it.symbol()
	first := it.startLine
	if sym.DocStart < sym.DocEnd && sym.DocStart < sym.Start {
		first = it.src.lineOf(sym.DocStart)
	}
	whole := string(it.src.lines(first, it.endLine))
	shown := lookedUpItem{ID: it.id(), Canon: it.canon, Name: it.name, Kind: it.kind, File: it.src.Path,
		Signature: it.signature, Doc: cut(it.doc, docBytes), FileHash: it.src.Hash,
		StartLine: it.startLine, EndLine: it.endLine, StartByte: it.startByte, EndByte: it.endByte, Proposed: it.src.proposed}
	members := it.members()
	if view == "" {
		view = usualView(whole, len(members), &r)
	}
	switch view {
	case viewSignature, viewOutline:
		whole, _ = leadingLines(it.head(first, sym), headBytes)
	}
	code := r.lines(first, whole)
	shown.Snippet = Snippet(it.src.Path, first, code)
	next := first + strings.Count(endLine(code), "\n")
	if next > it.endLine {
		shown.Hash = it.hash
		return shown
	}
	if view == viewOutline {
		shown.Outline = r.members(members)
	}
	shown.Cut = it.missing(next, len(members), len(shown.Outline))
	return shown
}

// usualView returns the view of a symbol by its size: the code if it is short, else the outline, or
// of what has no members as much of the code as there is room for what is not asked for.
func usualView(whole string, members int, r *room) lookupView {
	switch short := len(whole) <= min(r.bytes, wholeBytes) && len(lines(whole)) <= wholeLines; {
	case short:
	case members > 0:
		r.bytes = min(r.bytes, wholeBytes)
		return viewOutline
	default:
		r.tokens = min(r.tokens, r.usual)
	}
	return viewFull
}

// missing says which lines of the item are not shown, from next on, and how to get them.
func (it *codeItem) missing(next, members, listed int) string {
	text := fmt.Sprintf("lines %d to %d are not shown: read_file has them", next, it.endLine)
	if next == it.endLine {
		text = fmt.Sprintf("line %d is not shown: read_file has it", next)
	}
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

// Text writes the code of each symbol, its members, and what is missing.
func (r codeItemLookupResult) Text(w *TextWriter) {
	list := w.foundLines()
	for _, it := range r.Items {
		if r.Brief {
			list.add(it.File, 1, namesake{it.Canon, it.Kind, it.File, it.StartLine, it.Signature}.text())
		} else {
			it.text(w)
		}
	}
	for _, n := range r.Further {
		list.add(n.File, 1, n.text())
	}
	if r.Omitted > 0 {
		w.Linef("%s more", plural(r.Omitted, "symbol"))
	}
	w.Note(r.Hint)
}

func (it lookedUpItem) text(w *TextWriter) {
	about := fmt.Sprintf("%s %s", it.Kind, it.Canon)
	if it.Hash != "" {
		about += ", hash " + w.Hash(it.Hash)
	}
	w.Line(marked(about, it.Proposed))
	w.Shown(it.Snippet)
	for _, m := range it.Outline {
		w.Line(m.text())
	}
	w.Note(it.Cut)
}

// text returns the namesake's line, its address and how it reads.
func (n namesake) text() string {
	return fmt.Sprintf("%d: %s %s: %s", n.Line, n.Kind, n.Canon, n.Signature)
}

// text returns the member's lines and its signature, after its name if that is not in it.
func (m memberLine) text() string {
	text := lineRangeText(m.Line, m.EndLine) + " "
	if !strings.Contains(m.Signature, m.Name) {
		text += m.Name + " "
	}
	return text + m.Signature
}
