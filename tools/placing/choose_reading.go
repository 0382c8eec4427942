package placing

import (
	"bytes"
	"fmt"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/edits/problems"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// The bounds of what is parsed to choose among readings. Beyond them the likeliest is taken.
const (
	chosenBytes    = 512 << 10 // of the file
	chosenReadings = 20        // edits of a call in a file
)

// chooseReadings takes for each edit the likeliest reading of its new text with which the file has the
// fewest new syntax errors, together with all other edits. Where the indentation decides what a file means and none of
// the readings fits, the edit is a fault.
func (f *FileEdits) chooseReadings(faults *Faults) error {
	var unsure []int
	for i, e := range f.Edits {
		if len(e.readings) > 1 {
			unsure = append(unsure, i)
		}
	}
	if len(unsure) == 0 || len(unsure) > chosenReadings || len(f.Src.Text) > chosenBytes {
		return nil
	}
	problems := f.problems()
	for _, i := range unsure {
		problems = f.chooseReading(i, problems)
	}
	for _, i := range unsure {
		if err := faults.Add(f.misindented(i, problems)); err != nil {
			return err
		}
	}
	return nil
}

// chooseReading takes the best reading of one edit. The problems are those with the present one.
func (f *FileEdits) chooseReading(i int, problems []syntax.Problem) (fewest []syntax.Problem) {
	best := f.Edits[i].New
	for _, text := range f.Edits[i].readings {
		if len(problems) == 0 {
			break
		}
		f.Edits[i].New = text
		if now := f.problems(); len(now) < len(problems) {
			best, problems = text, now
		}
	}
	f.Edits[i].New = best
	return problems
}

// problems returns the new syntax errors with all edits. Edits that overlap, which are a fault of their own, have
// none.
func (f *FileEdits) problems() []syntax.Problem {
	after, err := edits.Apply(f.Src.Text, f.staged())
	if err != nil {
		return nil
	}
	return problems.New(f.Src.Path, f.Src.Text, after)
}

// staged returns the edits with the line ends of the file.
func (f *FileEdits) staged() []edits.Edit {
	list := make([]edits.Edit, len(f.Edits))
	for i, e := range f.Edits {
		list[i] = e.Edit
		list[i].New = edits.WithLineEnds(f.Src.Text, e.Edit)
	}
	return list
}

// misindented returns a failure if the file is broken where the edit is, in a language that reads the indentation.
func (f *FileEdits) misindented(i int, found []syntax.Problem) error {
	e, first := f.Edits[i], 1+bytes.Count(f.Src.Text[:f.Edits[i].Start], []byte("\n"))
	for _, other := range f.staged()[:i] {
		first += bytes.Count([]byte(other.New), []byte("\n")) - bytes.Count(f.Src.Text[other.Start:other.End], []byte("\n"))
	}
	last := first + bytes.Count([]byte(e.New), []byte("\n"))
	at := slices.IndexFunc(found, func(p syntax.Problem) bool {
		reads := f.Src.Language == "yaml" || f.Src.Language == "python" && problems.IsIndentation(p)
		return reads && first <= p.Line && p.Line <= last+1
	})
	if at < 0 {
		return nil
	}
	p, line := found[at], f.Src.LineOf(e.Start)
	return InEdit(e.Index, &wording.Failure{
		Message: fmt.Sprintf("old is only a part of an indented line, and however the lines of new are indented "+
			"behind it, the file breaks: %s in what would be line %d", p.Message, p.Line),
		Code: "indentation", Field: "new", Hint: "send whole lines as old and new, with their indentation as in the file",
		Candidates: []any{CodeLine{f.Src.Path, line, f.Src.CanonOf(f.Src.Enclosing(e.Start)), f.Src.LineText(e.Start)}}})
}
