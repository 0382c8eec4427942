package edits

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
)

// LineEndsOf returns how a whole text that replaces base is staged: with CRLF if all lines of base
// end in it, else as it is.
func LineEndsOf(base []byte) func(text string) string {
	if endsInCRLF(base) {
		return withCRLF
	}
	return func(text string) string { return text }
}

// WithLineEnds returns the new text of an edit of text as it is staged. Its line ends are those of the
// lines that it replaces, else those that most lines of text have. Lone carriage returns in it
// stay.
func WithLineEnds(text []byte, e Edit) string {
	if !strings.ContainsAny(e.New, "\r\n") {
		return e.New
	}
	old, fresh := splitEnds(string(text[e.Start:e.End])), splitEnds(e.New)
	most := cmp.Or(mostEnds(old), mostEnds(splitEnds(string(text))))
	first, last := 0, 0 // the lines at both ends that stay
	for first < min(len(old), len(fresh)) && (len(old) == len(fresh) || old[first].text == fresh[first].text) {
		first++
	}
	for last < min(len(old), len(fresh))-first && old[len(old)-1-last].text == fresh[len(fresh)-1-last].text {
		last++
	}
	var b strings.Builder
	for i, line := range fresh {
		end := most
		switch {
		case i < first:
			end = cmp.Or(old[i].end, most) // what is replaced may end within the line
		case i >= len(fresh)-last:
			end = cmp.Or(old[i-len(fresh)+len(old)].end, most)
		}
		b.WriteString(line.text)
		if line.end == "" || line.end == "\r" || end == "" {
			end = line.end
		}
		b.WriteString(end)
	}
	return b.String()
}

// endedLine is a line without and with its end, which is "" for what stands behind the last one.
type endedLine struct{ text, end string }

func splitEnds(text string) (lines []endedLine) {
	for {
		at := strings.IndexAny(text, "\r\n")
		if at < 0 {
			return append(lines, endedLine{text: text})
		}
		end := text[at : at+1]
		if strings.HasPrefix(text[at:], "\r\n") {
			end = "\r\n"
		}
		lines = append(lines, endedLine{text[:at], end})
		text = text[at+len(end):]
	}
}

// mostEnds returns the line end that most lines have, or "" if none leads.
func mostEnds(lines []endedLine) (most string) {
	count := make(map[string]int)
	for _, line := range lines {
		if line.end != "" {
			count[line.end]++
		}
	}
	best := 0
	for _, end := range []string{"\n", "\r\n", "\r"} {
		switch {
		case count[end] > best:
			most, best = end, count[end]
		case count[end] == best:
			most = ""
		}
	}
	return most
}

// endsInCRLF reports whether text has line ends, and all of them are CRLF.
func endsInCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\n"))
	return n > 0 && n == bytes.Count(text, []byte("\r\n"))
}

// hasMixedLineEnds reports whether text has line ends of more than one kind, or only those of old
// Macs, which many editors change.
func hasMixedLineEnds(text []byte) bool {
	pairs, feeds, returns := bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n")), bytes.Count(text,
		[]byte("\r"))
	return returns > pairs || pairs > 0 && feeds > pairs
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// inEditorsLineEnds returns f as an editor has carried it out that gives new documents CRLF, as
// editors on Windows do. It is f itself unless the editor's text shows this.
func (r *currentFiles) inEditorsLineEnds(ctx context.Context, f PlannedFile) PlannedFile {
	if f.Op == OpDelete || endsInCRLF(f.After) || !bytes.Contains(f.After, []byte("\n")) {
		return f
	}
	now, err := r.readIfExists(ctx, f.target())
	if err != nil || now == nil || !now.Open || !endsInCRLF(now.Text) {
		return f
	}
	es := slices.Clone(f.Edits)
	for i := range es {
		es[i].New = withCRLF(es[i].New)
	}
	after, err := Apply(f.Before, es)
	if err != nil || !bytes.Equal(after, now.Text) {
		return f
	}
	f.After, f.Edits = after, es
	return f
}
