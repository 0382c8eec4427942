package tools

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"ploke-lsp/edits"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
)

const (
	searchWorkers = 2
	searchBatch   = 128 // files between two checks of the match count
)

// searcher searches files for a pattern, line by line.
type searcher struct {
	pattern   *regexp.Regexp
	prefilter prefilter
	disk      workspace.Reader // faster than view; used for files without staged changes
	view      *edits.View
	touched   []string // sorted
	rel       func(path string) string
	before    int // lines that are shown before each match
	after     int
	longLines bool // search a file that has mostly long lines, too, as it is the only one
}

// hits are the matching lines of one file: their count, and the first of them.
type hits struct {
	path       string
	precedence traits.Precedence
	count      int
	matches    []textMatch
	unreadable bool
}

// vacancies are how many matches are wanted, by the precedence of their file.
type vacancies [traits.Precedences]vacancy

type vacancy struct {
	matches int // of a file, if those before it show all of theirs
	files   int // that get a share
}

// of returns how many matches of a file are wanted.
func (v vacancy) of() int {
	if v.files == 0 {
		return v.matches
	}
	return max(v.matches, fairShare)
}

// files searches files with several workers and keeps limit matches, in the order of the results: by
// precedence, then in the order of files. No file gets more than its share before others had theirs
// (see [shares]). It works in batches, so its memory is
// bounded by the limit, not by the workspace.
func (s searcher) files(ctx context.Context, files []string, limit int) ([]hits, error) {
	var wanted vacancies
	for p := range wanted {
		wanted[p] = vacancy{limit, limit}
	}
	all := make([]hits, len(files))
	for start := 0; start < len(files); start += searchBatch {
		end := min(start+searchBatch, len(files))
		s.batch(ctx, files[start:end], all[start:end], wanted)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := start; i < end; i++ {
			wanted.fill(&all[i])
		}
	}
	slices.SortStableFunc(all, func(a, b hits) int { return int(a.precedence - b.precedence) })
	keepShares(all, limit)
	return all, nil
}

// fill keeps the matches that are wanted.
func (v *vacancies) fill(h *hits) {
	if h.count == 0 {
		return
	}
	h.keep(v[h.precedence].of())
	v[h.precedence].files = max(0, v[h.precedence].files-1)
	for p := int(h.precedence); p < len(v); p++ {
		v[p].matches = max(0, v[p].matches-len(h.matches))
	}
}

// keep removes all but the first n matches.
func (h *hits) keep(n int) { h.matches = h.matches[:min(n, len(h.matches))] }

// batch searches files, and stores each result at its place in found. A worker's panic is
// repeated in the caller, which can recover it.
func (s searcher) batch(ctx context.Context, files []string, found []hits, wanted vacancies) {
	var workers sync.WaitGroup
	var panics [searchWorkers]any
	for w := range searchWorkers {
		workers.Go(func() {
			defer func() { panics[w] = recover() }()
			for i := w; i < len(files) && ctx.Err() == nil; i += searchWorkers {
				found[i] = s.file(ctx, files[i], wanted)
			}
		})
	}
	workers.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// searches reports whether a text is searched.
func (s searcher) searches(text []byte) bool {
	skip := workspace.Classify(text)
	return skip == "" || skip == workspace.Minified && s.longLines
}

// file searches one file. A file that is gone since the walk, or is skipped, has no matches.
func (s searcher) file(ctx context.Context, path string, wanted vacancies) hits {
	file, proposed, err := s.read(ctx, path)
	if err != nil {
		return hits{path: path, unreadable: !current.Unavailable(err)}
	}
	found := hits{path: path}
	src := &current.File{Source: &placing.Source{File: file}}
	notebook, shown, _, _ := src.Cells() // what is not one is searched as text
	if notebook != nil {
		src, file = shown, shown.File
	}
	candidates := s.candidateLines(src)
	at := candidates.from(0)
	if at == len(file.Text) || !s.searches(file.Text) {
		return found
	}
	line, counted := 1, 0 // the line of the offset counted
	for ; at < len(file.Text) && ctx.Err() == nil; at = candidates.from(src.LineEnd(at) + 1) {
		text := bytes.TrimSuffix(file.Text[at:src.LineEnd(at)], []byte("\r"))
		m := s.pattern.FindIndex(text)
		if m == nil {
			continue
		}
		if found.count++; found.count == 1 {
			found.precedence = traits.PrecedenceOf(s.rel(path), file.Text)
		}
		if len(found.matches) < wanted[found.precedence].of() {
			if len(found.matches) == 0 {
				current.NoteSecrets(ctx, file)
			}
			line += bytes.Count(file.Text[counted:at], []byte("\n"))
			counted = at
			found.matches = append(found.matches, textMatch{File: path, Line: line, Column: 1 + utf8.RuneCount(text[:m[0]]),
				StartByte: at + m[0], EndByte: at + m[1], FileHash: file.Hash, Text: src.LineText(at + m[0]), Proposed: proposed})
		}
	}
	s.addContext(src, found.matches)
	if notebook != nil {
		inCells(notebook, found.matches)
	}
	return found
}

// addContext adds the lines around matches. Each line is shown once.
func (s searcher) addContext(src *current.File, matches []textMatch) {
	if s.before+s.after == 0 {
		return
	}
	shown, last := 0, src.LineCount()
	for i := range matches {
		m := &matches[i]
		next := last + 1
		if i+1 < len(matches) {
			next = matches[i+1].Line
		}
		m.Before = linesAbove(src, m.StartByte, min(s.before, m.Line-1-shown))
		m.After = linesBelow(src, m.StartByte, min(s.after, next-1-m.Line))
		shown = m.Line + len(m.After)
	}
}

// linesAbove returns the n lines above that of offset. They must exist.
func linesAbove(s *current.File, offset, n int) (lines []string) {
	for range n {
		offset = s.LineStart(s.LineStart(offset) - 1)
		lines = append(lines, s.LineText(offset))
	}
	slices.Reverse(lines)
	return lines
}

// linesBelow returns the n lines below that of offset. They must exist.
func linesBelow(s *current.File, offset, n int) (lines []string) {
	for range n {
		offset = s.LineEnd(offset) + 1
		lines = append(lines, s.LineText(offset))
	}
	return lines
}

// read reads a file as the turn sees it, and returns the id of the proposal that the text comes from.
func (s searcher) read(ctx context.Context, path string) (file *workspace.File, proposed string, err error) {
	if _, touched := slices.BinarySearch(s.touched, path); touched {
		return s.view.ReadProposed(ctx, path)
	}
	file, err = s.disk.Read(ctx, path)
	return file, "", err
}

// candidateLines iterates over the lines of a file that may match: those with a literal of the
// prefilter, if there is one.
type candidateLines struct {
	src      *current.File
	pattern  *regexp.Regexp
	literals [][]byte
	text     []byte // where the literals are searched
	next     []int  // the next offset of each literal; the text's length if there is none
}

func (s searcher) candidateLines(src *current.File) *candidateLines {
	c := &candidateLines{src: src, pattern: s.pattern, text: src.Text}
	if s.prefilter.foldCase {
		c.text = []byte(lower(string(src.Text)))
	}
	for _, word := range s.prefilter.literals {
		c.literals = append(c.literals, []byte(word))
		c.next = append(c.next, -1)
	}
	return c
}

// from returns the start of the next line that may match, from the line start at on.
func (c *candidateLines) from(at int) int {
	switch {
	case at >= len(c.text):
		return len(c.text)
	case len(c.literals) > 0:
		return c.withLiteral(at)
	case bytes.HasSuffix(c.text[:c.src.LineEnd(0)], []byte("\r")):
		return at // $ matches before the carriage return, which is not a line end for regexp
	}
	// Searching the complete text at once is fast, and finds every line that matches on its
	// own.
	m := c.pattern.FindIndex(c.text[at:])
	if m == nil {
		return len(c.text)
	}
	return c.src.LineStart(at + m[0])
}

// withLiteral returns the start of the next line that contains one of the literals.
func (c *candidateLines) withLiteral(at int) int {
	first := len(c.text)
	for i, word := range c.literals {
		if c.next[i] < at {
			c.next[i] = len(c.text)
			if n := bytes.Index(c.text[at:], word); n >= 0 {
				c.next[i] = at + n
			}
		}
		first = min(first, c.next[i])
	}
	if first == len(c.text) {
		return first
	}
	return c.src.LineStart(first)
}

// inCells gives matches in the view their cells, and their places in the JSON.
func inCells(c *placing.Cells, matches []textMatch) {
	for i := range matches {
		m := &matches[i]
		m.Cell, m.FileHash = c.CellAt(m.StartByte), c.Src.Hash
		m.StartByte, m.EndByte = c.Raw(m.StartByte), c.Raw(m.EndByte)
	}
}
