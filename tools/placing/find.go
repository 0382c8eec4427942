package placing

import (
	"bytes"
	"strings"
)

// Span is a range of bytes.
type Span struct{ Start, End int }

// maxPlaces bounds how many places of a text are searched.
const maxPlaces = 10_001

// locate returns the places of old in text: those that are exactly like it, else those that differ
// in white space.
func locate(text []byte, old string) (found []Span, exactly bool) {
	if found = exact(text, old); len(found) > 0 {
		return found, true
	}
	return tolerant(text, old), false
}

// exact returns the places of old in text, overlapping ones included.
func exact(text []byte, old string) []Span {
	var found []Span
	for at := 0; len(found) < maxPlaces; {
		n := bytes.Index(text[at:], []byte(old))
		if n < 0 {
			break
		}
		found = append(found, Span{at + n, at + n + len(old)})
		at += n + 1
	}
	return found
}

// tolerant returns the places of old if every run of white space counts as one space. White
// space around old must be present, but is not part of the place.
func tolerant(text []byte, old string) []Span {
	spaced, _ := fold([]byte(old))
	want := strings.Trim(spaced, " ")
	if want == "" {
		return nil
	}
	folded, offsets := fold(text)
	var found []Span
	for at := 0; len(found) < maxPlaces; {
		n := strings.Index(folded[at:], want)
		if n < 0 {
			break
		}
		start, end := at+n, at+n+len(want)
		bounded := (spaced[0] != ' ' || start == 0 || folded[start-1] == ' ') &&
			(!strings.HasSuffix(spaced, " ") || end == len(folded) || folded[end] == ' ')
		if bounded {
			found = append(found, Span{offsets[start], offsets[end-1] + 1})
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

// apart returns the places without those that overlap the one before.
func apart(found []Span) (kept []Span) {
	end := 0
	for _, at := range found {
		if at.Start >= end {
			kept, end = append(kept, at), at.End
		}
	}
	return kept
}

// StartLines returns the 1-based lines in which places begin. The places are in their order in
// the text.
func (s *SourceFile) StartLines(places []Span) []int {
	lines := make([]int, len(places))
	line, at := 1, 0
	for i, place := range places {
		line += bytes.Count(s.Text[at:place.Start], []byte("\n"))
		lines[i], at = line, place.Start
	}
	return lines
}
