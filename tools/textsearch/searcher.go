package textsearch

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
	"ploke-lsp/tools/wording"
)

const (
	searchWorkers = 2
	searchBatch   = 128 // files between two checks of the match count
)

// Searcher searches files for a pattern, line by line.
type Searcher struct {
	pattern   *regexp.Regexp
	prefilter prefilter
	disk      workspace.Reader // faster than view; used for files without staged changes
	view      *edits.View
	touched   []string // sorted
	rel       func(path string) string
	Before    int // lines that are shown before each match
	After     int
	LongLines bool // search a file that has mostly long lines, too, as it is the only one
}

// New returns a searcher for a regular expression. touched are the files for which the turn has staged
// something, sorted.
func New(srcs *current.Files, pattern string, touched []string) (s Searcher, err error) {
	s = Searcher{disk: srcs.Workspace, view: srcs.View, rel: srcs.Workspace.Rel, touched: touched}
	if s.pattern, err = wording.Compile(pattern); err != nil {
		return s, err
	}
	s.prefilter = prefilterOf(pattern)
	return s, nil
}

// Hits are the matching lines of one file: their count, and the first of them.
type Hits struct {
	Path       string
	precedence traits.Precedence
	Count      int
	Matches    []Match
	Unreadable bool
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

// Search searches files with several workers and keeps limit matches, in the order of the results: by
// precedence, then in the order of files. No file gets more than its share before others had theirs
// (see [Shares]).
//
// What is kept depends on files that come later, so nothing can be dropped for good before the end. But a file can
// never keep more than what was left for it when its batch began: limit less what files before it, of its precedence
// or a better one, have kept, or a fair share while fewer files than limit have matches. These are the vacancies.
// So memory is bounded by the limit and not by the workspace, and the result does not depend on which worker is
// faster.
func (s Searcher) Search(ctx context.Context, files []string, limit int) ([]Hits, error) {
	var wanted vacancies
	for p := range wanted {
		wanted[p] = vacancy{limit, limit}
	}
	all := make([]Hits, len(files))
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
	slices.SortStableFunc(all, func(a, b Hits) int { return int(a.precedence - b.precedence) })
	keepShares(all, limit)
	return all, nil
}

// fill keeps the matches that are wanted.
func (v *vacancies) fill(h *Hits) {
	if h.Count == 0 {
		return
	}
	h.keep(v[h.precedence].of())
	v[h.precedence].files = max(0, v[h.precedence].files-1)
	for p := int(h.precedence); p < len(v); p++ {
		v[p].matches = max(0, v[p].matches-len(h.Matches))
	}
}

// keep removes all but the first n matches.
func (h *Hits) keep(n int) { h.Matches = h.Matches[:min(n, len(h.Matches))] }

// batch searches files, and stores each result at its place in found. A worker's panic is
// repeated in the caller, which can recover it.
func (s Searcher) batch(ctx context.Context, files []string, found []Hits, wanted vacancies) {
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
func (s Searcher) searches(text []byte) bool {
	skip := workspace.Classify(text)
	return skip == "" || skip == workspace.Minified && s.LongLines
}

// file searches one file. A file that is gone since the walk, or is skipped, has no matches.
func (s Searcher) file(ctx context.Context, path string, wanted vacancies) Hits {
	file, proposed, err := s.read(ctx, path)
	if err != nil {
		return Hits{Path: path, Unreadable: !current.Unavailable(err)}
	}
	found := Hits{Path: path}
	src := &current.File{SourceFile: &placing.SourceFile{File: file}}
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
		if found.Count++; found.Count == 1 {
			found.precedence = traits.PrecedenceOf(s.rel(path), file.Text)
		}
		if len(found.Matches) < wanted[found.precedence].of() {
			if len(found.Matches) == 0 {
				current.NoteSecrets(ctx, file)
			}
			line += bytes.Count(file.Text[counted:at], []byte("\n"))
			counted = at
			found.Matches = append(found.Matches, Match{File: path, Line: line, Column: 1 + utf8.RuneCount(text[:m[0]]),
				StartByte: at + m[0], EndByte: at + m[1], FileHash: file.Hash, Text: src.LineText(at + m[0]), Proposed: proposed})
		}
	}
	s.addContext(src, found.Matches)
	if notebook != nil {
		inCells(notebook, found.Matches)
	}
	return found
}

// addContext adds the lines around matches. Each line is shown once.
func (s Searcher) addContext(src *current.File, matches []Match) {
	if s.Before+s.After == 0 {
		return
	}
	shown, last := 0, src.LineCount()
	for i := range matches {
		m := &matches[i]
		next := last + 1
		if i+1 < len(matches) {
			next = matches[i+1].Line
		}
		m.Before = linesAbove(src, m.StartByte, min(s.Before, m.Line-1-shown))
		m.After = linesBelow(src, m.StartByte, min(s.After, next-1-m.Line))
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
func (s Searcher) read(ctx context.Context, path string) (file *workspace.File, proposed string, err error) {
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

func (s Searcher) candidateLines(src *current.File) *candidateLines {
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
func inCells(c *placing.Cells, matches []Match) {
	for i := range matches {
		m := &matches[i]
		m.Cell, m.FileHash = c.CellAt(m.StartByte), c.Src.Hash
		m.StartByte, m.EndByte = c.Raw(m.StartByte), c.Raw(m.EndByte)
	}
}
