package tools

import (
	"context"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
)

// renameEcho says what a rename has not changed, and what has found the places.
type renameEcho struct {
	Left        []placing.CodeLine `json:"left,omitempty"`
	LeftOmitted int                `json:"left_omitted,omitempty"`
	By          string             `json:"by,omitempty"` // the compiler; "" if they were found by name
}

// editEcho says what one edit of a call has made of one file.
type editEcho struct {
	Edit      int         `json:"edit"` // index in the call
	File      string      `json:"file"`
	Note      string      `json:"note,omitempty"`       // how the place was chosen
	StartLine int         `json:"start_line,omitempty"` // of the new lines
	EndLine   int         `json:"end_line,omitempty"`   // start_line-1 if lines were only removed
	Lines     []int       `json:"lines,omitempty"`      // instead, if the edit has several places, or renames
	MoreLines int         `json:"lines_omitted,omitempty"`
	Symbol    *echoSymbol `json:"symbol,omitempty"` // that encloses the new lines
	// the new lines and those around them, as far as they are shown
	Snippets []string `json:"snippets,omitempty"`
	renameEcho

	at      placing.Span // of the new text, if it is one place
	after   *current.File
	adapted bool // see [placing.Placement]
	broken  int  // line of a new syntax error in the new lines or next to them, or 0
}

// echoSymbol is a symbol as it is after the edits.
type echoSymbol struct {
	Canon     string `json:"canon"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Hash      string `json:"hash,omitempty"` // if an edit of the symbol needs it
}

const (
	smallCallEdits = 3 // the code of a small call is shown, whatever made it
	smallCallLines = 12
	smallCallBytes = 2000
	echoAround     = 2    // lines around new ones in a small call
	echoEnds       = 2    // lines at each end of new ones in others
	echoBytes      = 1200 // of the code of all edits of a call that is not small
	echoedLine     = 600  // bytes
	echoPlaces     = 50   // line numbers
	echoEdits      = 60   // of a call; of the others only the files are named
)

// echoedCall is a staged call, of which the model is told what it has made of the files.
type echoedCall struct{ *placing.Call }

// echo adds to the result what the edits have made of the files. The call is staged. The model
// knows what it has sent. So of many edits only that code is shown which it can't foresee: what was
// adapted, or has new syntax errors.
func (c echoedCall) echo(ctx context.Context, result *stagedResult) {
	var all []editEcho
	for _, f := range c.echoed(result) {
		after := afterEdits(ctx, f)
		shown, place := after.ShownPlaces(ctx)
		echoes := c.echoes(f, shown, place)
		for i := range result.Files {
			if file := &result.Files[i]; file.current() == f.Src.Path {
				file.FileHash = after.Hash
				blame(echoes, file.SyntaxErrors)
				if c.onlyRenames(f) {
					file.shorten()
				}
			}
		}
		all = append(all, echoes...)
	}
	slices.SortStableFunc(all, func(a, b editEcho) int { return a.Edit - b.Edit })
	var left leftShown
	for i := range all {
		if e := &all[i]; i == 0 || all[i-1].Edit != e.Edit {
			where := c.Placements[e.Edit]
			e.Note, e.By = where.Note, where.By
			e.Left, e.LeftOmitted = left.of(where)
		}
	}
	result.CodeOmitted = showCode(all, len(c.Placements))
	result.Edits = all
}

// blame notes which edits have new syntax errors in their lines or next to them.
func blame(echoes []editEcho, errors []syntaxError) {
	for i := range echoes {
		e := &echoes[i]
		at := slices.IndexFunc(errors,
			func(err syntaxError) bool { return e.StartLine-1 <= err.Line && err.Line <= e.EndLine+1 })
		if at >= 0 {
			e.broken = errors[at].Line
		}
	}
}

// showCode adds code to the echoes of a call, that with syntax errors first, and returns for how
// many nothing was left of the bytes.
func showCode(all []editEcho, count int) (omitted int) {
	lines := 0
	for _, e := range all {
		lines += max(e.EndLine-e.StartLine+1, 0)
	}
	small, left := count <= smallCallEdits && lines <= smallCallLines, echoBytes
	if small {
		left = smallCallBytes
	}
	for _, broken := range []bool{true, false} {
		for i := range all {
			e := &all[i]
			if (e.broken > 0) != broken || e.after == nil || !(small || broken || e.adapted) {
				continue
			}
			snippets := e.code(small)
			if size := len(strings.Join(snippets, "")); size <= left {
				e.Snippets, left = snippets, left-size
			} else {
				omitted++
			}
		}
	}
	return omitted
}

// echoes returns the echo of each edit of a file, without code.
func (c echoedCall) echoes(f *placing.FileEdits, after *current.File,
	shown func(at placing.Span) placing.Span) (all []editEcho) {
	places := make(map[int][]placing.Span) // in the new text, by the edit's index
	shift := 0
	for _, e := range f.Edits {
		start := e.Start + shift
		shift += len(e.New) - (e.End - e.Start)
		if e.Index >= echoEdits {
			continue
		}
		if places[e.Index] == nil {
			all = append(all, editEcho{Edit: e.Index, File: after.Path, adapted: c.Placements[e.Index].Adapted})
		}
		if e.Deletes != "" && strings.TrimSpace(e.New) != "" {
			all[len(all)-1].adapted = true
		}
		places[e.Index] = append(places[e.Index],
			after.WithoutBlankLines(shown(placing.Span{Start: start, End: start + len(e.New)})))
	}
	for i := range all {
		e := &all[i]
		where, most := c.Placements[e.Edit], echoPlaces
		if len(places[e.Edit]) == 1 && where.Renames == nil {
			e.locate(after, places[e.Edit][0], where.Canonical)
			continue
		}
		if where.Renames != nil {
			most = renameLines
		}
		e.Lines = slices.Compact(after.StartLines(places[e.Edit]))
		e.MoreLines = max(len(e.Lines)-most, 0)
		e.Lines = e.Lines[:len(e.Lines)-e.MoreLines]
	}
	return all
}

// locate sets where the new lines are, and the symbol that encloses them, or that they declare.
func (e *editEcho) locate(after *current.File, at placing.Span, declares bool) {
	e.after, e.at = after, at
	e.StartLine = after.LineOf(at.Start)
	e.EndLine = after.LineOf(max(at.Start, at.End-1))
	if at.Start == at.End && at.Start == after.LineStart(at.Start) {
		e.EndLine = e.StartLine - 1
	}
	sym, ok := after.SymbolAround(at)
	if declares {
		if declared, one := after.OnlySymbolIn(at); one {
			sym, ok = declared, true
		}
	}
	if ok {
		e.Symbol = &echoSymbol{Canon: sym.Canon, StartLine: sym.StartLine, EndLine: sym.EndLine}
		if after.HasNamesake(sym) {
			e.Symbol.Hash = after.HashOf(sym)
		}
	}
}

// code returns the new lines with those around them. Of a call that is not small, it returns the
// lines at both ends, or those around a syntax error.
func (e *editEcho) code(small bool) []string {
	count := e.after.LineCount()
	first, last := max(e.StartLine-echoAround, 1), min(e.EndLine+echoAround, count)
	switch {
	case small:
		return []string{e.snippet(first, last)}
	case e.broken > 0:
		return []string{e.snippet(max(e.broken-echoEnds, 1), min(e.broken+echoEnds, count))}
	}
	first, last = max(e.StartLine-1, 1), min(e.EndLine+1, count)
	if head, tail := e.StartLine+echoEnds-1, e.EndLine-echoEnds+1; head+1 < tail {
		return []string{e.snippet(first, head), e.snippet(tail, last)}
	}
	return []string{e.snippet(first, last)}
}

func (e *editEcho) snippet(first, last int) string {
	if first > last { // the file is empty
		return e.after.Snippet(1, "")
	}
	return e.after.Snippet(first, e.after.ShortLines(string(e.after.Lines(first, last)), echoedLine))
}

func afterEdits(ctx context.Context, f *placing.FileEdits) *current.File {
	list := make([]edits.Edit, len(f.Edits))
	for i, e := range f.Edits {
		list[i] = e.Edit
	}
	text, err := edits.Apply(f.Src.Text, list)
	if err != nil {
		panic("tools: staged edits can't be applied: " + err.Error())
	}
	file := *f.Src.File
	file.Text, file.Hash = text, workspace.Hash(text)
	current.NoteSecrets(ctx, &file)
	return &current.File{SourceFile: &placing.SourceFile{File: &file, Rel: f.Src.Rel, Language: f.Src.Language}}
}
