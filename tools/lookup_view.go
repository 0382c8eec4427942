package tools

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
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

// itemView shows a symbol.
type itemView struct{ *current.Symbol }

// show returns an item in a view, "" for the usual one, as far as the budget has it.
func (it itemView) show(view lookupView, b symbolBudget) lookedUpItem {
	sym := it.Declared()
	first := it.StartLine
	if sym.DocStart < sym.DocEnd && sym.DocStart < sym.Start {
		first = it.File.LineOf(sym.DocStart)
	}
	whole := string(it.File.Lines(first, it.EndLine))
	shown := lookedUpItem{ID: it.ID(), Canon: it.Canon, Name: it.Name, Kind: it.Kind, File: it.File.Path,
		Signature: it.Signature, Doc: wording.Cut(it.Doc, docBytes), FileHash: it.File.Hash,
		extent:   extent{it.StartLine, it.EndLine, it.StartByte, it.EndByte},
		Proposed: it.File.Proposed}
	members := it.members()
	if view == "" {
		view = it.usualView(whole, len(members), &b)
	}
	switch view {
	case viewSignature, viewOutline:
		whole, _ = wording.LeadingLines(it.head(first, sym), headBytes)
	}
	from, code := it.part(first, whole, &b)
	shown.Snippet = wording.Snippet(it.File.Path, from, code)
	next := from + countLines(code)
	if from == first && next > it.EndLine {
		shown.Hash = it.Hash
		return shown
	}
	if view == viewOutline {
		shown.Outline = b.members(members)
	}
	shown.Cut = it.missing(first, from, next)
	if view == viewFull {
		shown.Cut += "; the name FILE:LINE shows those around a line"
	}
	shown.Cut += unlisted(len(members), len(shown.Outline))
	return shown
}

// part returns the lines of a symbol that the budget has, and the number of the first of them: the symbol's first
// line, unless the line that is asked for would be missing then.
func (it itemView) part(first int, whole string, b *symbolBudget) (from int, code string) {
	start := *b
	from, code = first, b.lines(first, whole)
	for before := countLines(code) / 4; it.Asked >= from+countLines(code); before /= 2 {
		*b, from = start, it.Asked-before
		code = b.lines(from, string(it.File.Lines(from, it.EndLine)))
		if before == 0 {
			break
		}
	}
	return from, code
}

func countLines(code string) int { return strings.Count(wording.EndLine(code), "\n") }

// usualView returns the view of a symbol by its size: the code if it is short or that of a function, as far as the
// budget has what is not asked for, else the outline if there are members.
func (it itemView) usualView(whole string, members int, b *symbolBudget) lookupView {
	switch short := len(whole) <= min(b.bytes, wholeBytes) && len(wording.SplitLines(whole)) <= wholeLines; {
	case short:
	case members > 0 && !packing.Runs(it.Kind):
		b.bytes = min(b.bytes, wholeBytes)
		return viewOutline
	default:
		b.tokens = min(b.tokens, b.usual)
	}
	return viewFull
}

// missing says which lines of the item, from first on, are beside those from one line up to the next, and how to get
// them.
func (it itemView) missing(first, from, next int) string {
	var parts []string
	if first < from {
		parts = append(parts, wording.LinesInWords(first, from-1))
	}
	if next <= it.EndLine {
		parts = append(parts, wording.LinesInWords(next, it.EndLine))
	}
	text := strings.Join(parts, " and ")
	if text == wording.LinesInWords(it.EndLine, it.EndLine) {
		return text + " is not shown: read_file has it"
	}
	return text + " are not shown: read_file has them"
}

// unlisted says which members are not listed, and how to get them.
func unlisted(members, listed int) string {
	switch {
	case listed > 0 && listed < members:
		return fmt.Sprintf("; nor are %d of %d members: search_text finds them", members-listed, members)
	case listed == 0 && members > 0:
		return "; view outline lists the members"
	}
	return ""
}

// head returns the lines up to the body.
func (it itemView) head(first int, sym syntax.Symbol) string {
	last := it.File.LineOf(max(min(sym.BodyStart, sym.End)-1, sym.Start))
	return string(it.File.Lines(first, last))
}

// members returns what the symbol contains, or has as methods, in its file.
func (it itemView) members() []memberLine {
	var members []memberLine
	for _, sym := range it.File.Syntax().Symbols {
		rest, inside := strings.CutPrefix(sym.Canon, syntax.Plain(it.Canon)+"::")
		if inside && !strings.Contains(rest, "::") {
			members = append(members, memberLine{sym.StartLine, sym.EndLine, sym.Name, sym.Signature(it.File.Text)})
		}
	}
	return members
}

// Text writes the code of each symbol, its members, and what is missing.
func (r codeItemLookupResult) Text(w *wording.Writer) {
	list := newFoundLines(w)
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
		w.Linef("%s more", wording.Plural(r.Omitted, "symbol"))
	}
	w.Note(r.Hint)
}

func (it lookedUpItem) text(w *wording.Writer) {
	about := fmt.Sprintf("%s %s", it.Kind, it.Canon)
	if it.Hash != "" {
		about += ", hash " + w.Hash(it.Hash)
	}
	w.Line(wording.Marked(about, it.Proposed))
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
	text := wording.LineRange(m.Line, m.EndLine) + " "
	if !strings.Contains(m.Signature, m.Name) {
		text += m.Name + " "
	}
	return text + m.Signature
}
