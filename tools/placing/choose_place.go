package placing

import (
	"bytes"
	"fmt"

	"ploke-lsp/tools/wording"
)

// choice chooses among the places of an old text those that a request means.
type choice struct {
	*SourceFile
	Request
}

// of returns those of the places that are meant. note says how they were chosen.
func (c choice) of(found []Span) (chosen []Span, note string, err error) {
	left := 0
	if len(found) > 1 {
		found, left = c.sparingSecrets(found)
	}
	if len(found) == 0 {
		return nil, "", allInSecrets()
	}
	chosen, note, err = c.among(found)
	return chosen, leftInSecrets(note, left), err
}

func (c choice) among(found []Span) (chosen []Span, note string, err error) {
	many := len(found) == maxPlaces
	switch {
	case c.Count > 0:
		if found = apart(found); many || len(found) != c.Count {
			return nil, "", c.otherCount(found, many)
		}
		return found, "replaced in " + wording.Plural(len(found), "place"), nil
	case len(found) == 1:
		return found, "", nil
	case c.ReplaceAll && many:
		return nil, "", &wording.Failure{Message: "old occurs in " + countPlaces(found), Code: "too_many", Field: "old",
			Hint: "send a longer old"}
	case c.ReplaceAll:
		found = apart(found)
		return found, "replaced in " + wording.Plural(len(found), "place"), nil
	case c.Line > 0:
		return c.nearest(found)
	}
	return nil, "", ambiguous(c.SourceFile, found)
}

// otherCount says that old has not as many places as the edit expects, and shows the first.
func (c choice) otherCount(found []Span, many bool) *wording.Failure {
	const shown = 5
	f := ambiguous(c.SourceFile, found[:min(len(found), shown)])
	f.Message, f.Code, f.Field = fmt.Sprintf("old occurs in %s, not in %d", wording.Plural(len(found), "place"),
		c.Count), "count", "count"
	if many {
		f.Message = fmt.Sprintf("old occurs in more than %d places, not in %d", maxPlaces-1, c.Count)
	}
	if len(found) > shown {
		f.Message += fmt.Sprintf("; the first %d are listed", shown)
	}
	f.Hint = "look at the places; send the count that is right, or an old that has only the places you mean"
	return f
}

// nearest returns the only place that is nearest to the line of the request.
func (c choice) nearest(found []Span) (nearest []Span, note string, err error) {
	least := -1
	at := 0
	starts := c.StartLines(found)
	for i, place := range found {
		end := starts[i] + bytes.Count(c.Text[place.Start:max(place.Start, place.End-1)], []byte("\n"))
		away := max(starts[i]-c.Line, c.Line-end, 0)
		if least < 0 || away < least {
			least, nearest, at = away, nil, starts[i]
		}
		if away == least {
			nearest = append(nearest, place)
		}
	}
	if len(nearest) > 1 {
		f := ambiguous(c.SourceFile, nearest)
		f.Message = fmt.Sprintf("old occurs in %s that are equally near to line %d",
			wording.Plural(len(nearest), "place"), c.Line)
		return nil, "", f
	}
	return nearest, fmt.Sprintf("of %s, the one at line %d", countPlaces(found), at), nil
}

// shownPlaces bounds how many places a failure lists.
const shownPlaces = 30

// ambiguous lists the places of old, among which the call has to choose.
func ambiguous(src *SourceFile, found []Span) *wording.Failure {
	f := &wording.Failure{Message: "old occurs in " + countPlaces(found), Code: "ambiguous", Field: "old",
		Hint: "send line to take the place nearest to it, replace_all to change all, " +
			"or more lines around the one you mean"}
	starts, last := src.StartLines(found), 0
	for i, line := range starts {
		if line == last {
			continue // it is listed
		}
		if last = line; len(f.Candidates) == shownPlaces {
			f.Message += fmt.Sprintf("; the lines up to %d are listed", starts[i-1])
			break
		}
		at := found[i].Start
		f.Candidates = append(f.Candidates, CodeLine{src.Path, line, src.CanonOf(src.Enclosing(at)), src.LineText(at)})
	}
	return f
}

func countPlaces(found []Span) string {
	if len(found) == maxPlaces {
		return fmt.Sprintf("more than %d places", maxPlaces-1)
	}
	return wording.Plural(len(found), "place")
}
