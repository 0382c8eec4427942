package tools

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
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
}

// hits are the matching lines of one file: their count, and the first of them.
type hits struct {
	count      int
	matches    []textMatch
	unreadable bool
}

// files searches files with several workers and keeps the first limit matches, in the order of
// files. It works in batches, so its memory is bounded by the limit, not by the workspace.
func (s searcher) files(ctx context.Context, files []string, limit int) ([]hits, error) {
	all := make([]hits, len(files))
	for start := 0; start < len(files); start += searchBatch {
		end := min(start+searchBatch, len(files))
		s.batch(ctx, files[start:end], all[start:end], limit)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := start; i < end; i++ {
			all[i].matches = all[i].matches[:min(limit, len(all[i].matches))]
			limit -= len(all[i].matches)
		}
	}
	return all, nil
}

// batch searches files, and stores each result at its place in found. A worker's panic is
// repeated in the caller, which can recover it.
func (s searcher) batch(ctx context.Context, files []string, found []hits, limit int) {
	var workers sync.WaitGroup
	var panics [searchWorkers]any
	for w := range searchWorkers {
		workers.Go(func() {
			defer func() { panics[w] = recover() }()
			for i := w; i < len(files) && ctx.Err() == nil; i += searchWorkers {
				found[i] = s.file(ctx, files[i], limit)
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

// file searches one file. A file that is gone since the walk, or is skipped, has no matches.
func (s searcher) file(ctx context.Context, path string, limit int) hits {
	file, proposed, err := s.read(ctx, path)
	if err != nil {
		return hits{unreadable: !unavailable(err)}
	}
	var found hits
	src := &source{File: file}
	candidates := s.candidateLines(src)
	at := candidates.from(0)
	if at == len(file.Text) || workspace.Classify(file.Text) != "" {
		return hits{}
	}
	line, counted := 1, 0 // the line of the offset counted
	for ; at < len(file.Text) && ctx.Err() == nil; at = candidates.from(src.lineEnd(at) + 1) {
		text := bytes.TrimSuffix(file.Text[at:src.lineEnd(at)], []byte("\r"))
		m := s.pattern.FindIndex(text)
		if m == nil {
			continue
		}
		found.count++
		if len(found.matches) < limit {
			if len(found.matches) == 0 {
				noteSecrets(ctx, file)
			}
			line += bytes.Count(file.Text[counted:at], []byte("\n"))
			counted = at
			found.matches = append(found.matches, textMatch{File: path, Line: line, Column: 1 + utf8.RuneCount(text[:m[0]]),
				StartByte: at + m[0], EndByte: at + m[1], FileHash: file.Hash, Text: src.lineText(at + m[0]), Proposed: proposed})
		}
	}
	return found
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
	src      *source
	pattern  *regexp.Regexp
	literals [][]byte
	text     []byte // where the literals are searched
	next     []int  // the next offset of each literal; the text's length if there is none
}

func (s searcher) candidateLines(src *source) *candidateLines {
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
	case c.src.crlf():
		return at // $ matches before the carriage return, which is no line end for regexp
	}
	// Searching the complete text at once is fast, and finds every line that matches on its
	// own.
	m := c.pattern.FindIndex(c.text[at:])
	if m == nil {
		return len(c.text)
	}
	return c.src.lineStart(at + m[0])
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
	return c.src.lineStart(first)
}
