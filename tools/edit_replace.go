package tools

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
)

// placeReplacement finds the only place of old: first exactly, then with tolerant white space.
// In the second case it adapts the indentation of new. If the step that finds old finds it more
// than once, the edit is refused.
func placeReplacement(src *source, e codeEdit) (edits.Edit, error) {
	if e.Old == "" {
		return edits.Edit{}, badValue("old", "old is missing",
			"copy the text to replace from the file; use create_file for a new file")
	}
	if e.New = cmp.Or(e.New, e.Replacement); e.New == nil {
		return edits.Edit{}, badValue("new", "new is missing", "send the new text, an empty one to delete")
	}
	found := exact(src.Text, e.Old)
	if len(found) == 1 {
		return edits.Edit{Start: found[0].start, End: found[0].end, New: *e.New}, nil
	}
	if len(found) == 0 {
		found = tolerant(src.Text, e.Old)
	}
	switch len(found) {
	case 0:
		return edits.Edit{}, notFound(src, e.Old)
	case 1:
		return adapt(src, found[0], e.Old, *e.New), nil
	}
	return edits.Edit{}, ambiguous(src, found)
}

// span is a range of bytes.
type span struct{ start, end int }

// maxPlaces is how many places are searched: one is needed, the others are reported.
const maxPlaces = candidateCount + 1

// exact returns the first places of old in text, overlapping ones included.
func exact(text []byte, old string) []span {
	var found []span
	for at := 0; len(found) < maxPlaces; {
		n := bytes.Index(text[at:], []byte(old))
		if n < 0 {
			break
		}
		found = append(found, span{at + n, at + n + len(old)})
		at += n + 1
	}
	return found
}

// tolerant returns the first places of old if every run of white space counts as one space.
// White space around old must be present, but is not part of the place.
func tolerant(text []byte, old string) []span {
	spaced, _ := fold([]byte(old))
	want := strings.Trim(spaced, " ")
	if want == "" {
		return nil
	}
	folded, offsets := fold(text)
	var found []span
	for at := 0; len(found) < maxPlaces; {
		n := strings.Index(folded[at:], want)
		if n < 0 {
			break
		}
		start, end := at+n, at+n+len(want)
		bounded := (spaced[0] != ' ' || start == 0 || folded[start-1] == ' ') &&
			(!strings.HasSuffix(spaced, " ") || end == len(folded) || folded[end] == ' ')
		if bounded {
			found = append(found, span{offsets[start], offsets[end-1] + 1})
		}
		at = start + 1
	}
	return found
}

// fold replaces every run of white space by one space, and returns for each byte of the result
// its offset in text.
func fold(text []byte) (folded string, offsets []int) {
	var b strings.Builder
	offsets = make([]int, 0, len(text))
	space := false
	for i, c := range text {
		blank := c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
		if blank && space {
			continue
		}
		if space = blank; blank {
			c = ' '
		}
		b.WriteByte(c)
		offsets = append(offsets, i)
	}
	return b.String(), offsets
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

func ambiguous(src *source, found []span) *Failure {
	f := &Failure{Message: "old occurs in more than one place", Code: "ambiguous", Field: "old",
		Hint: "add lines around it until it is unique, or use canonical or splice"}
	for _, at := range found[:min(len(found), candidateCount)] {
		f.Candidates = append(f.Candidates, lineOfCode{src.Path, src.lineOf(at.start), src.lineText(at.start)})
	}
	if len(found) == maxPlaces {
		f.Message = fmt.Sprintf("old occurs in more than %d places", candidateCount)
	}
	return f
}

// lineOfCode is a line that a failure reports.
type lineOfCode struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// notFound reports the places that are most similar to old: those around the lines that are
// most similar to its longest line.
func notFound(src *source, old string) *Failure {
	const shown, maxLines, maxBytes = 3, 12, 1500
	f := &Failure{Message: "old is not in the file, not even with other white space", Code: "not_found", Field: "old",
		Hint: "copy it from one of the candidates, or from read_file"}
	wanted := lines(strings.Trim(old, "\r\n"))
	longest := 0
	for i, line := range wanted {
		if len(strings.TrimSpace(line)) > len(strings.TrimSpace(wanted[longest])) {
			longest = i
		}
	}
	key := strings.TrimSpace(wanted[longest])
	have := lines(string(src.Text))
	numbers := make([]int, len(have))
	for i := range numbers {
		numbers[i] = i
	}
	best := nearest(numbers, func(i int) float64 { return similarity(key, strings.TrimSpace(have[i])) }, shown)
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(a, b) })
	for _, i := range best {
		first := max(i-longest, i-maxLines/2, 0)
		last := min(first+min(len(wanted), maxLines), len(have))
		code, _ := leadingLines(strings.Join(have[first:max(last, i+1)], "\n"), maxBytes)
		f.Candidates = append(f.Candidates, struct {
			Snippet string `json:"snippet"`
		}{Snippet(src.Path, first+1, code)})
	}
	return f
}

// lines splits text into lines. A final newline begins no further line.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
