package placing

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"ploke-lsp/tools/wording"
)

// nearMiss is the place that is most similar to a text that is not in the file.
type nearMiss struct {
	File        string       `json:"file"`
	StartLine   int          `json:"start_line"` // of the place that spans all lines of the text
	EndLine     int          `json:"end_line"`
	Snippet     string       `json:"snippet"`       // the place; if it is long, its lines around the differences
	Cut         string       `json:"cut,omitempty"` // what the snippet lacks
	Differences []difference `json:"differences"`
	More        int          `json:"differences_omitted,omitempty"`
}

// difference is a line that the file and the text do not share.
type difference struct {
	Line int    `json:"line"`          // in the file: the differing line, or the one before an extra line
	Kind string `json:"kind"`          // differs, missing: old lacks the line, extra: only old has it
	Old  string `json:"old,omitempty"` // the line of old
	// CodePoints names the characters in which lines differ that look alike.
	CodePoints string `json:"code_points,omitempty"`
}

const (
	lineDiffers = "differs"
	lineMissing = "missing"
	lineExtra   = "extra"
)

const (
	nearMissLines    = 40
	nearMissBytes    = 3000
	shownDifferences = 12
)

// notFound reports that old is not in the file, with the place that is most similar to it.
func notFound(src *SourceFile, e Request) *wording.Failure {
	f := &wording.Failure{Message: "old is not in the file, not even with other white space or look-alike characters",
		Code: "not_found", Field: "old",
		Hint: "copy old from the candidate: differences say where it differs"}
	if near, ok := nearestTextTo(src, e.Old); ok {
		f.Message += "; the nearest text is in " + wording.LinesInWords(near.StartLine, near.EndLine)
		f.Candidates = []any{near}
	} else {
		f.Hint = "nothing there is like it: look with read_file, or find the right file with search_text"
	}
	if line, done := alreadyDone(src, *e.New); done {
		f.Message += fmt.Sprintf("; new is there already, at line %d", line)
		f.Hint += "; if an earlier edit has made this change, leave the edit out"
	}
	return f
}

// alreadyDone reports whether new stands in the file exactly once, and is long enough to have come
// from an edit.
func alreadyDone(src *SourceFile, text string) (line int, done bool) {
	const telling = 20 // bytes
	if len(strings.TrimSpace(text)) < telling {
		return 0, false
	}
	found := tolerant(src.Text, text)
	if len(found) != 1 {
		return 0, false
	}
	return src.LineOf(found[0].Start), true
}

// nearestTextTo returns the place that is most similar to old. ok is false if none is similar.
func nearestTextTo(src *SourceFile, old string) (near nearMiss, ok bool) {
	wanted := foldedText(wording.SplitLines(strings.Trim(old, "\r\n")))
	have := foldedText(wording.SplitLines(string(src.Text)))
	pairs := align(wanted, have)
	if len(pairs) == 0 {
		return near, false
	}
	first, last := pairs[0].have, pairs[len(pairs)-1].have
	near = nearMiss{File: src.Path, StartLine: first + 1, EndLine: last + 1}
	all := differencesOf(wanted, have, pairs)
	near.Differences = all[:min(len(all), shownDifferences)]
	near.More = len(all) - len(near.Differences)
	near.show(src, all)
	return near, true
}

// show sets the snippet.
func (n *nearMiss) show(src *SourceFile, all []difference) {
	const around = 2
	first, last := n.StartLine, n.EndLine
	if last-first >= nearMissLines && len(all) > 0 {
		first = max(first, all[0].Line-around)
		last = min(last, all[len(all)-1].Line+around)
	}
	code, _ := wording.LeadingLines(src.ShortLines(string(src.Lines(first, min(last, first+nearMissLines-1))),
		nearMissBytes/2), nearMissBytes)
	n.Snippet = wording.Snippet(src.Path, first, code)
	end := first + strings.Count(wording.EndLine(code), "\n") - 1
	if first > n.StartLine || end < n.EndLine {
		n.Cut = fmt.Sprintf("lines %d to %d of %d to %d: read_file shows the others", first, end, n.StartLine, n.EndLine)
	}
}

// foldedText returns lines with each run of white space as one space, and none around them.
func foldedText(list []string) []string {
	for i, line := range list {
		list[i] = strings.Join(strings.FieldsFunc(line, isPlainSpace), " ")
	}
	return list
}

// isPlainSpace reports whether r is white space of ASCII. Other white space is told, since a model does not see it.
func isPlainSpace(r rune) bool { return strings.ContainsRune(" \t\n\r\v\f", r) }

// codePointsApart names the first characters in which two lines differ if either is not ASCII.
func codePointsApart(old, have string) string {
	// bytes: what differs in more is seen
	const few = 4
	// the places of a difference are wrong in other text
	old, have = strings.ToValidUTF8(old, "\uFFFD"), strings.ToValidUTF8(have, "\uFFFD")
	for _, e := range udiff.Strings(old, have) {
		was := old[e.Start:e.End]
		if !IsASCII(was+e.New) && len(was) <= few && len(e.New) <= few {
			return fmt.Sprintf("the file has %s where old has %s", cmp.Or(codePoints(e.New), "nothing"),
				cmp.Or(codePoints(was), "nothing"))
		}
	}
	return ""
}

// differencesOf returns what differs between wanted and the lines of have that are paired with it.
func differencesOf(wanted, have []string, pairs []linePair) (all []difference) {
	i := pairs[0].have
	at := 0
	for _, p := range pairs {
		all = append(all, extraLines(wanted[at:p.wanted], i)...)
		at = p.wanted
		for ; i < p.have; i++ {
			if have[i] != "" {
				all = append(all, difference{Line: i + 1, Kind: lineMissing})
			}
		}
		if wanted[at] != have[i] {
			all = append(all, difference{Line: i + 1, Kind: lineDiffers, Old: wording.InLine(wanted[at], 200),
				CodePoints: codePointsApart(wanted[at], have[i])})
		}
		at, i = at+1, i+1
	}
	return append(all, extraLines(wanted[at:], i)...)
}

// extraLines returns a difference for each line, unless it is blank, that the file does not have behind its line.
func extraLines(wanted []string, line int) (all []difference) {
	for _, text := range wanted {
		if text != "" {
			all = append(all, difference{Line: line, Kind: lineExtra, Old: wording.InLine(text, 200)})
		}
	}
	return all
}
