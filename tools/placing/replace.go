package placing

import (
	"cmp"
	"fmt"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// ByText finds the place of old. If it has several, replace_all takes all of them, count all if there are
// that many, and line the nearest one; else the edit is refused.
//
// Old is looked for as it is written, then in other white space, then without the line numbers that results have,
// then in characters that look alike. A way is tried only if those before it have found no place, so that a slip of
// the model never takes the place of what it meant exactly. Then the new text is adapted in the same way.
func ByText(src *SourceFile, e Request) (where Placement, err error) {
	e.New = cmp.Or(e.New, e.Replacement)
	if err := checkReplacement(e); err != nil {
		return where, err
	}
	if e.IsRegexp {
		return placePattern(src, e)
	}
	found, exactly := locate(src.Text, e.Old)
	adapted := !exactly
	if plain, ok, err := withoutNumbers(e); len(found) == 0 && err != nil {
		return where, err
	} else if len(found) == 0 && ok {
		e = plain
		found, exactly = locate(src.Text, e.Old) // adapted stays true: numbers are gone
	}
	alike := map[Span]alikePlace{}
	if len(found) == 0 {
		places := findAlike(src.Text, e.Old)
		for _, p := range places {
			alike[p.Span] = p
		}
		found = spansOf(places)
	}
	if len(found) == 0 {
		return where, notFound(src, e)
	}
	found, note, err := choice{src, e}.of(found)
	if err != nil {
		return where, err
	}
	where = InFile(src, make([]edits.Edit, len(found))...)
	for i, at := range found {
		p, isAlike := alike[at]
		if isAlike {
			note = wording.JoinNotes(note, p.note(src.Text, e.Old))
		}
		where.Files[0].Edits[i].replace(src, at, e, p, exactly)
	}
	where.Note, where.Adapted = note, adapted
	return where, nil
}

func checkReplacement(e Request) error {
	if e.Old == "" {
		return wording.BadValue("old", "old is missing",
			"copy the text to replace from the file; use create_file for a new file")
	}
	if e.New == nil {
		return wording.BadValue("new", "new is missing", "send the new text, an empty one to delete")
	}
	if e.Line < 0 {
		return wording.BadValue("line", fmt.Sprintf("line is %d", e.Line), "count lines from 1")
	}
	if e.Count < 0 {
		return wording.BadValue("count", fmt.Sprintf("count is %d", e.Count),
			"send how many places old has, or leave count out")
	}
	return nil
}

// replace makes p the edit that replaces at, which was found for old exactly, by its characters that look the same if
// like is set, or else with tolerant white space.
func (p *Placed) replace(src *SourceFile, at Span, e Request, like alikePlace, exactly bool) {
	text := *e.New
	if like.length > 0 {
		text = like.inFilesCharacters(src.Text, e.Old, text)
	}
	if exactly || like.length > 0 && !like.looseIsNecessary {
		p.read(src, at, e.Old, text)
	} else {
		p.adapt(src, at, e.Old, text)
	}
}

// read makes p the edit that replaces at by the likeliest reading of new.
func (p *Placed) read(src *SourceFile, at Span, old, text string) {
	p.given, p.readings = text, src.readings(at, old, text)
	p.Edit = edits.Edit{Start: at.Start, End: at.End, New: p.readings[0]}
}

// adapt makes p the edit that replaces at, which was found for old with tolerant white space.
func (p *Placed) adapt(src *SourceFile, at Span, old, text string) {
	if p.Edit = adapt(src, at, old, text); p.New != "" && !strings.Contains(strings.TrimSpace(old), "\n") &&
		indentOf(strings.Trim(old, "\r\n")) == "" {
		p.read(src, at, strings.TrimSpace(old), strings.TrimSpace(text))
	}
}

// withoutNumbers returns the edit without the line numbers that old has, and new, too. The number of
// old's first line says which of equal places is meant. ok is false if old has none.
func withoutNumbers(e Request) (plain Request, ok bool, err error) {
	old, first, ok := wording.Unnumbered(e.Old)
	if !ok || strings.TrimSpace(old) == "" {
		return e, false, nil
	}
	replacement, _, numbered := wording.Unnumbered(*e.New)
	if !numbered && mostlyNumbered(*e.New) {
		return e, false, wording.BadValue("new", "new has line numbers that don't count up by one",
			"send old and new without line numbers")
	}
	e.Old, e.New = old, &replacement
	if e.Line == 0 {
		e.Line = first
	}
	return e, true, nil
}

// mostlyNumbered reports whether at least half of the lines that are not blank have a number.
func mostlyNumbered(text string) bool {
	numbered, all := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if all++; startsWithNumber(line) {
			numbered++
		}
	}
	return numbered > 0 && 2*numbered >= all
}

func startsWithNumber(line string) bool {
	_, _, ok := wording.CutNumber(line)
	return ok
}

// adapt returns the edit that replaces at, which was found for old with tolerant white space.
// The white space around it stays as it is.
func adapt(src *SourceFile, at Span, old, replacement string) edits.Edit {
	start := src.LineStart(at.Start)
	indent := string(src.Text[start:at.Start])
	ownLine := strings.TrimSpace(indent) == ""
	text := strings.TrimSpace(replacement)
	if text == "" && ownLine && strings.TrimSpace(string(src.Text[at.End:src.LineEnd(at.End)])) == "" {
		return edits.Edit{Start: start, End: min(src.LineEnd(at.End)+1, len(src.Text))}
	}
	if ownLine {
		shift := indentation(wording.SplitLines(strings.Trim(old, "\r\n")),
			wording.SplitLines(string(src.Text[start:at.End])))
		text = strings.TrimLeft(shift.apply(strings.Trim(replacement, "\r\n")), " \t")
		text = strings.TrimRight(text, " \t\r\n")
	}
	return edits.Edit{Start: at.Start, End: at.End, New: text}
}

// CodeLine is a line that a failure reports.
type CodeLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	In   string `json:"in,omitempty"` // canon of the enclosing symbol
	Text string `json:"text"`
}
