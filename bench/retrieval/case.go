package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// What of a case is searched for.
const (
	subject = "subject"
	full    = "full"
)

// testCase is a change, and what its author wrote.
type testCase struct {
	ID      string   `json:"id"`
	Commit  string   `json:"base_commit"` // the tree before it
	Subject string   `json:"subject"`
	Query   string   `json:"query"`
	Files   []string `json:"files"` // that it touched, relative paths
	Hunks   []hunk   `json:"hunks"`
}

// hunk is a place that the change touched, as it was before.
type hunk struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	Lines int    `json:"lines"`
}

// last is the last line, which is the first one where the change inserted only.
func (h hunk) last() int { return h.Start + max(h.Lines, 1) - 1 }

// prediction is what was found for a case.
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
