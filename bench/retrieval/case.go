package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Values of -query: the part of a commit message that is searched for.
const (
	subject = "subject"
	full    = "full"
)

// testCase is a change of a repository and its commit message.
type testCase struct {
	ID      string   `json:"id"`
	Commit  string   `json:"base_commit"` // the commit before the change
	Subject string   `json:"subject"`
	Query   string   `json:"query"`
	Files   []string `json:"files"` // changed files, relative paths
	Hunks   []hunk   `json:"hunks"`
}

// hunk is a changed range of lines, 1-based, as it was before the change.
type hunk struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	Lines int    `json:"lines"`
}

// last returns the last line. For a pure insertion this is the first line.
func (h hunk) last() int { return h.Start + max(h.Lines, 1) - 1 }

// prediction is the search result for a case.
type prediction struct {
	ID    string   `json:"id"`
	Files []string `json:"files"`
	Spans []span   `json:"spans"`
}

type span struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

func (s span) overlaps(o span) bool {
	return s.File == o.File && s.Start <= o.End && o.Start <= s.End
}

func (h hunk) touches(s span) bool { return s.overlaps(span{h.File, h.Start, h.last()}) }

func readCases(name string) (all []testCase, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d, n := json.NewDecoder(bufio.NewReader(f)), 1; d.More(); n++ {
		var c testCase
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s: case %d: %w", name, n, err)
		}
		if c.ID == "" || c.Commit == "" || len(c.Files) == 0 {
			return nil, fmt.Errorf("%s: case %d lacks an id, a base_commit or files", name, n)
		}
		all = append(all, c)
	}
	return all, nil
}
