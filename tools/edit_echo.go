package tools

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// editEcho says what one edit of a call has made of one file.
type editEcho struct {
	Edit        int          `json:"edit"` // index in the call
	File        string       `json:"file"`
	Note        string       `json:"note,omitempty"`       // how the place was chosen
	StartLine   int          `json:"start_line,omitempty"` // of the new lines
	EndLine     int          `json:"end_line,omitempty"`   // start_line-1 if lines were only removed
	Lines       []int        `json:"lines,omitempty"`      // instead, if the edit has several places
	Symbol      *echoSymbol  `json:"symbol,omitempty"`     // that encloses the new lines
	Snippets    []string     `json:"snippets,omitempty"`   // the new lines and those around them; if they are many, the first and the last
	Left        []lineOfCode `json:"left,omitempty"`       // places that a rename did not change
	LeftOmitted int          `json:"left_omitted,omitempty"`
}

// echoSymbol is a symbol as it is after the edits.
type echoSymbol struct {
	Canon     string `json:"canon"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Hash      string `json:"hash"`
}

const (
	echoAround    = 2  // lines around new ones
	echoEditLines = 12 // of one edit
	echoCallLines = 60 // of all edits of a call
	echoBytes     = 2000
	echoPlaces    = 50 // line numbers
	echoEdits     = 60 // of a call; of the others only the files are named
)

// echo adds to the result what the edits have made of the files. The call is staged.
func (c *placedCall) echo(ctx context.Context, result *stagedResult) {
	var all []editEcho
	for _, f := range c.files {
		after := f.after(ctx)
		for i := range result.Files {
			if file := &result.Files[i]; file.File == f.src.Path || file.RenamedTo == f.src.Path {
				file.FileHash = after.Hash
			}
		}
		all = append(all, f.echoes(after)...)
	}
	slices.SortStableFunc(all, func(a, b editEcho) int { return a.Edit - b.Edit })
	left := echoCallLines
	for i := range all {
		e := &all[i]
		if i == 0 || all[i-1].Edit != e.Edit {
			where := c.placements[e.Edit]
			e.Note, e.Left, e.LeftOmitted = where.note, where.left, where.leftOmitted
		}
		shown := 0
		for _, snippet := range e.Snippets {
			shown += strings.Count(snippet, "\n") - 1
		}
		if left -= shown; left < 0 {
			e.Snippets = nil
		}
	}
	result.Edits = all
}

// after returns the file with the edits.
func (f *fileEdits) after(ctx context.Context) *source {
	list := make([]edits.Edit, len(f.edits))
	for i, e := range f.edits {
		list[i] = e.Edit
	}
	text, err := edits.Apply(f.src.Text, list)
	if err != nil {
		panic("tools: staged edits can't be applied: " + err.Error())
	}
	file := *f.src.File
	file.Text, file.Hash = text, workspace.Hash(text)
	noteSecrets(ctx, &file)
	return &source{File: &file, rel: f.src.rel, language: f.src.language}
}

// echoes returns the echo of each edit of the file.
func (f *fileEdits) echoes(after *source) (all []editEcho) {
	places := make(map[int][]span) // in the new text, by the edit's index
	shift := 0
	for _, e := range f.edits {
		start := e.Start + shift
		shift += len(e.New) - (e.End - e.Start)
		if e.index >= echoEdits {
			continue
		}
		if places[e.index] == nil {
			all = append(all, editEcho{Edit: e.index, File: after.Path})
		}
		places[e.index] = append(places[e.index], after.withoutBlankLines(span{start, start + len(e.New)}))
	}
	for i := range all {
		if e := &all[i]; len(places[e.Edit]) == 1 {
			e.show(after, places[e.Edit][0])
		} else {
			e.Lines = slices.Compact(after.startLines(places[e.Edit]))
			e.Lines = e.Lines[:min(len(e.Lines), echoPlaces)]
		}
	}
	return all
}

// withoutBlankLines returns the place without line ends around it, and without indentation
// before it.
func (s *source) withoutBlankLines(at span) span {
	text := s.Text[at.start:at.end]
	inner := bytes.TrimLeft(text, " \t\r\n")
	if len(inner) == 0 {
		return at
	}
	at.start += len(text) - len(inner)
	at.end = at.start + len(bytes.TrimRight(inner, " \t\r\n"))
	return at
}

// show sets the new lines, and what encloses them.
func (e *editEcho) show(after *source, at span) {
	count := after.lineCount()
	e.StartLine = after.lineOf(at.start)
	e.EndLine = after.lineOf(max(at.start, at.end-1))
	if at.start == at.end && at.start == after.lineStart(at.start) {
		e.EndLine = e.StartLine - 1
	}
	if sym, ok := after.symbolAround(at); ok {
		e.Symbol = &echoSymbol{sym.Canon, sym.StartLine, sym.EndLine, after.hash(sym)}
	}
	first, last := max(e.StartLine-echoAround, 1), min(e.EndLine+echoAround, count)
	if last-first < echoEditLines {
		e.add(after, first, last)
		return
	}
	e.add(after, first, first+echoEditLines/2-1)
	e.add(after, last-echoEditLines/2+1, last)
}

// add adds lines as a snippet, unless they are too long.
func (e *editEcho) add(after *source, first, last int) {
	if first > last {
		return
	}
	if code := after.lines(first, last); len(code) <= echoBytes {
		e.Snippets = append(e.Snippets, Snippet(after.Path, first, string(code)))
	}
}

// symbolAround returns the innermost symbol that contains a place. A member that is one value of its
// container, such as a field, does not count.
func (s *source) symbolAround(at span) (innermost syntax.Symbol, ok bool) {
	for _, sym := range s.syntax().Symbols {
		inside := sym.Start <= at.start && at.end <= sym.End && at.start < sym.End
		value := sym.Parent >= 0 && gap(sym.Kind) == ""
		if inside && !value && (!ok || sym.Start >= innermost.Start) {
			innermost, ok = sym, true
		}
	}
	return innermost, ok
}
