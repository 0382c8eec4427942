package tools

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/textsearch"
	"ploke-lsp/tools/wording"
)

// Text writes the lines or files that were found.
func (r searchTextResult) Text(w *wording.Writer) {
	missing := r.matches(w)
	for _, f := range r.Files {
		w.Line(f.text(w))
	}
	switch {
	case len(r.Files) > 0 && r.Omitted > 0:
		w.Linef("%d more %s: %s", r.Omitted, wording.NounOf(r.Omitted, "file"), r.Hint)
	case missing.LeftOutFiles > 0:
		newFoundLines(w).end(missing, "line", r.cutHint())
	case missing.Omitted > 0:
		w.Note(r.cutHint())
	case len(r.Matches) > 0:
	case len(r.Files) == 0:
		r.nothing(w)
	}
	if r.Unreadable > 0 {
		w.Linef("%s could not be read", wording.Plural(r.Unreadable, "file"))
	}
}

// matches writes the matches under their files, each file's share if they are too many, and returns
// what is missing. Its Omitted counts the lines of files that are not shown, or else all.
func (r searchTextResult) matches(w *wording.Writer) (missing leftOut) {
	var files [][]textsearch.Match
	for i, m := range r.Matches {
		if i == 0 || r.Matches[i-1].File != m.File {
			files = append(files, nil)
		}
		files[len(files)-1] = append(files[len(files)-1], m)
	}
	list, here := newFoundLines(w), 0
	for i, n := range sharesWithin(foundBytes, files) {
		f := files[i]
		left := len(f) - n + f[len(f)-1].More
		list.proposed = f[0].Proposed
		if n == 0 {
			missing.add(f[0].File, left)
			continue
		}
		text := textOfMatches(f[:n])
		if left > 0 {
			text += fmt.Sprintf("%d more here\n", left)
		}
		list.add(f[0].File, n, text)
		here += left
	}
	unseen := r.leftOut
	for _, f := range r.Matches {
		unseen.Omitted -= f.More
	}
	for _, f := range unseen.LeftOut {
		missing.add(f.File, f.Lines)
		unseen.Omitted -= f.Lines
	}
	missing.Omitted += unseen.Omitted
	missing.LeftOutFiles += unseen.LeftOutFiles - len(unseen.LeftOut)
	if missing.LeftOutFiles == 0 {
		missing.Omitted = here
	}
	return missing
}

// headingBytes is the most that a file's lines need besides its path: marks, and what is left out.
const headingBytes = 64

// sharesWithin returns how many matches of each file fit into so many bytes.
func sharesWithin(bytes int, files [][]textsearch.Match) []int {
	counts, all := make([]int, len(files)), 0
	sizes := make([][]int, len(files)) // of the first matches
	for i, f := range files {
		counts[i], sizes[i] = len(f), []int{0}
		all += len(f)
		size := len(f[0].File) + headingBytes
		for j := range f {
			size += len(matchLines(f[j])) + len(matchHeading(f[j]))
			sizes[i] = append(sizes[i], size)
		}
	}
	limit := sort.Search(all, func(limit int) bool {
		size := 0
		for i, n := range textsearch.Shares([][]int{counts}, limit+1)[0] {
			size += sizes[i][n]
		}
		return size > bytes
	})
	return textsearch.Shares([][]int{counts}, limit)[0]
}

// textOfMatches returns matches of one file with the lines around them. Between groups of lines stands a line, or the
// symbol that they are in.
func textOfMatches(matches []textsearch.Match) string {
	var b strings.Builder
	around := ""
	for i, m := range matches {
		begins := i == 0 || (len(m.Before)+len(m.After) > 0 || len(matches[i-1].After) > 0) &&
			m.Line-len(m.Before) > matches[i-1].Line+len(matches[i-1].After)+1
		switch {
		case begins && m.From != "" && m.From != around:
			b.WriteString(matchHeading(m))
			around = m.From
		case begins && i > 0:
			b.WriteString("--\n")
		}
		b.WriteString(matchLines(m))
	}
	return b.String()
}

// matchHeading returns the line that names the symbol around the match.
func matchHeading(m textsearch.Match) string { return "in " + m.From + "\n" }

// addFrom names the symbols around the matches. What can't be read is left out.
func (r *searchTextResult) addFrom(ctx context.Context, srcs *current.Files) {
	for i := range r.Matches {
		m := &r.Matches[i]
		src, err := srcs.At(ctx, m.File)
		if err != nil || src.Hash != m.FileHash || m.Cell > 0 {
			continue
		}
		if at := src.Enclosing(m.StartByte); at >= 0 && src.Syntax().Symbols[at].StartLine < m.Line-len(m.Before) {
			m.From = src.CanonOf(at)
		}
	}
}

// cutHint returns how to get the lines that are not shown.
func (r searchTextResult) cutHint() string {
	if r.Hint == "" { // all lines are in the result, but not in its text
		return "include some of these files, or narrow the pattern"
	}
	return r.Hint
}

// nothing says what was searched, and what to try instead.
func (r searchTextResult) nothing(w *wording.Writer) {
	if r.ByName {
		w.Line("no file has such a name")
		for _, path := range r.Similar {
			w.Linef("similar: %s", w.Path(fmt.Sprint(path)))
		}
	} else {
		w.Linef("0 lines in %s", wording.Plural(r.Searched, "file"))
	}
	if r.OtherCase > 0 {
		w.Linef("%s with another case: begin the pattern with (?i)", wording.Plural(r.OtherCase, "line"))
	}
	w.Note(r.Hint)
}

// matchLines returns the match and the lines around it, each with its number.
func matchLines(m textsearch.Match) string {
	var b strings.Builder
	for i, line := range m.Before {
		fmt.Fprintf(&b, "%d- %s\n", m.Line-len(m.Before)+i, line)
	}
	fmt.Fprintf(&b, "%d: %s", m.Line, m.Text)
	if m.Cell > 0 {
		fmt.Fprintf(&b, " (cell %d)", m.Cell)
	}
	b.WriteByte('\n')
	for i, line := range m.After {
		fmt.Fprintf(&b, "%d- %s\n", m.Line+1+i, line)
	}
	return b.String()
}

// text returns the file's path, with the number of its lines if these were searched.
func (f fileLines) text(w *wording.Writer) string {
	if f.Lines == 0 {
		return w.Path(f.File)
	}
	return fmt.Sprintf("%s: %d", w.Path(f.File), f.Lines)
}
