package tools

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"ploke-lsp/edits"
)

// placeReplacement finds the place of old. If it has several, replace_all takes all of them, and
// line the nearest one; else the edit is refused.
func placeReplacement(src *source, e codeEdit) (where placement, err error) {
	if e.Old == "" {
		return where, badValue("old", "old is missing",
			"copy the text to replace from the file; use create_file for a new file")
	}
	if e.New = cmp.Or(e.New, e.Replacement); e.New == nil {
		return where, badValue("new", "new is missing", "send the new text, an empty one to delete")
	}
	if e.Line < 0 {
		return where, badValue("line", fmt.Sprintf("line is %d", e.Line), "count lines from 1")
	}
	found, exactly := locate(src.Text, e.Old)
	adapted := !exactly
	if plain, ok, err := withoutNumbers(e); len(found) == 0 && err != nil {
		return where, err
	} else if len(found) == 0 && ok {
		e = plain
		found, exactly = locate(src.Text, e.Old) // adapted stays true: numbers are gone
	}
	note, alike := "", map[span]alikePlace{}
	if len(found) == 0 {
		places := findAlike(src.Text, e.Old)
		for _, p := range places {
			alike[p.span] = p
		}
		found = spansOf(places)
	}
	switch {
	case len(found) == 0:
		return where, notFound(src, e)
	case len(found) == 1:
	case e.ReplaceAll && len(found) == maxPlaces:
		return where, &Failure{Message: "old occurs in " + countPlaces(found), Code: "too_many", Field: "old", Hint: "send a longer old"}
	case e.ReplaceAll:
		found = apart(found)
		note = "replaced in " + plural(len(found), "place")
	case e.Line > 0:
		if found, note, err = src.nearestTo(e.Line, found); err != nil {
			return where, err
		}
	default:
		return where, ambiguous(src, found)
	}
	where = inFile(src, make([]edits.Edit, len(found))...)
	places := where.files[0].edits
	for i, at := range found {
		text := *e.New
		p, isAlike := alike[at]
		if isAlike {
			text = p.inFilesCharacters(src.Text, e.Old, text)
			note = joinNotes(note, p.note(src.Text, e.Old))
		}
		if exactly || isAlike && !p.looseIsNecessary {
			places[i].read(src, at, e.Old, text)
		} else {
			places[i].adapt(src, at, e.Old, text)
		}
	}
	where.note, where.adapted = note, adapted
	return where, nil
}

// read makes p the edit that replaces at by the likeliest reading of new.
func (p *placed) read(src *source, at span, old, text string) {
	p.given, p.readings = text, src.readings(at, old, text)
	p.Edit = edits.Edit{Start: at.start, End: at.end, New: p.readings[0]}
}

// adapt makes p the edit that replaces at, which was found for old with tolerant white space.
func (p *placed) adapt(src *source, at span, old, text string) {
	if p.Edit = adapt(src, at, old, text); p.New != "" && !strings.Contains(strings.TrimSpace(old), "\n") && indentOf(strings.Trim(old, "\r\n")) == "" {
		p.read(src, at, strings.TrimSpace(old), strings.TrimSpace(text))
	}
}

// joinNotes adds a note that is not there yet.
func joinNotes(notes, note string) string {
	if notes == "" || strings.Contains(notes, note) {
		return cmp.Or(notes, note)
	}
	return notes + "; " + note
}

// withoutNumbers returns the edit without the line numbers that old has, and new, too. The number of
// old's first line says which of equal places is meant. ok is false if old has none.
func withoutNumbers(e codeEdit) (plain codeEdit, ok bool, err error) {
	old, first, ok := Unnumbered(e.Old)
	if !ok || strings.TrimSpace(old) == "" {
		return e, false, nil
	}
	replacement, _, numbered := Unnumbered(*e.New)
	if !numbered && mostlyNumbered(*e.New) {
		return e, false, badValue("new", "new has line numbers that don't count up by one", "send old and new without line numbers")
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
	_, _, ok := cutNumber(line)
	return ok
}

// adapt returns the edit that replaces at, which was found for old with tolerant white space.
// The white space around it stays as it is.
func adapt(src *source, at span, old, replacement string) edits.Edit {
	start := src.lineStart(at.start)
	indent := string(src.Text[start:at.start])
	ownLine := strings.TrimSpace(indent) == ""
	text := strings.TrimSpace(replacement)
	if text == "" && ownLine && strings.TrimSpace(string(src.Text[at.end:src.lineEnd(at.end)])) == "" {
		return edits.Edit{Start: start, End: min(src.lineEnd(at.end)+1, len(src.Text))}
	}
	if ownLine {
		shift := indentation(lines(strings.Trim(old, "\r\n")), lines(string(src.Text[start:at.end])))
		text = strings.TrimLeft(shift.apply(strings.Trim(replacement, "\r\n")), " \t")
		text = strings.TrimRight(text, " \t\r\n")
	}
	return edits.Edit{Start: at.start, End: at.end, New: text}
}

// nearestTo returns the only place that is nearest to a line.
func (s *source) nearestTo(line int, found []span) (nearest []span, note string, err error) {
	least := -1
	at := 0
	starts := s.startLines(found)
	for i, place := range found {
		end := starts[i] + bytes.Count(s.Text[place.start:max(place.start, place.end-1)], []byte("\n"))
		away := max(starts[i]-line, line-end, 0)
		if least < 0 || away < least {
			least, nearest, at = away, nil, starts[i]
		}
		if away == least {
			nearest = append(nearest, place)
		}
	}
	if len(nearest) > 1 {
		f := ambiguous(s, nearest)
		f.Message = fmt.Sprintf("old occurs in %s that are equally near to line %d", plural(len(nearest), "place"), line)
		return nil, "", f
	}
	return nearest, fmt.Sprintf("of %s, the one at line %d", countPlaces(found), at), nil
}

// shownPlaces bounds how many places a failure lists.
const shownPlaces = 30

// ambiguous lists the places of old, among which the call has to choose.
func ambiguous(src *source, found []span) *Failure {
	f := &Failure{Message: "old occurs in " + countPlaces(found), Code: "ambiguous", Field: "old",
		Hint: "send line to take the place nearest to it, replace_all to change all, or more lines around the one you mean"}
	starts, last := src.startLines(found), 0
	for i, line := range starts {
		if line == last {
			continue // it is listed
		}
		if last = line; len(f.Candidates) == shownPlaces {
			f.Message += fmt.Sprintf("; the lines up to %d are listed", starts[i-1])
			break
		}
		at := found[i].start
		f.Candidates = append(f.Candidates, lineOfCode{src.Path, line, src.canonOf(src.enclosing(at)), src.lineText(at)})
	}
	return f
}

func countPlaces(found []span) string {
	if len(found) == maxPlaces {
		return fmt.Sprintf("more than %d places", maxPlaces-1)
	}
	return plural(len(found), "place")
}

// lineOfCode is a line that a failure reports.
type lineOfCode struct {
	File string `json:"file"`
	Line int    `json:"line"`
	In   string `json:"in,omitempty"` // canon of the enclosing symbol
	Text string `json:"text"`
}

// lines splits text into lines. A final newline begins no further line.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
