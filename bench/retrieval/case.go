package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// testCase is a text to search for in a tree, and what should be found there.
type testCase struct {
	ID      string   `json:"id"`
	Repo    string   `json:"repo"`        // OWNER/NAME
	Commit  string   `json:"base_commit"` // of the tree
	Subject string   `json:"subject"`     // the first line of the query
	Query   string   `json:"query"`       // the whole text
	Files   []string `json:"files"`       // changed files, slash-separated paths in the tree
	Hunks   []hunk   `json:"hunks"`

	question `json:"-"`
}

// hunk is a changed range of lines, 1-based, as it was before the change.
type hunk struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	Lines int    `json:"lines"`
}

// last returns the last line. For a pure insertion this is the first line.
func (h hunk) last() int { return h.Start + max(h.Lines, 1) - 1 }

func (h hunk) touches(s span) bool { return s.overlaps(span{h.File, h.Start, h.last()}) }

// span is a range of lines, 1-based and inclusive.
type span struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

func (s span) overlaps(o span) bool {
	return s.File == o.File && s.Start <= o.End && o.Start <= s.End
}

// readChanges reads cases in JSON lines.
func readChanges(name string) (all []testCase, err error) {
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
		if c.ID == "" || c.Repo == "" || c.Commit == "" || c.Subject == "" || c.Query == "" || len(c.Files) == 0 ||
			len(c.Hunks) == 0 {
			return nil, fmt.Errorf("%s: case %d needs an id, a repo, a base_commit, a subject, a query, files and hunks", name,
				n)
		}
		all = append(all, c)
	}
	return all, nil
}
