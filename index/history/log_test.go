package history

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
)

func TestVotes(t *testing.T) {
	l := NewLog([]Commit{
		{Subject: "Flush the cache", Files: []string{"cache.go", "flush.go"}},
		{Subject: "Mend a typo", Files: []string{"doc.go"}},
		{Subject: "Evict from the cache", Files: []string{"cache.go"}},
		{Subject: "Parse durations", Files: []string{"parse.go"}},
	})
	votes := l.Votes(query("evict the cache"))
	if votes["cache.go"] != 1 || votes["flush.go"] <= 0 || votes["flush.go"] >= 1 || len(votes) != 2 {
		t.Errorf("votes for the cache are %v", votes)
	}
	if votes := l.Votes(query("zebra")); len(votes) != 0 {
		t.Errorf("votes for a topic without commits are %v", votes)
	}
	if votes := (*Log)(nil).Votes(query("cache")); votes != nil {
		t.Errorf("votes without a history are %v", votes)
	}
}

func TestRecency(t *testing.T) {
	commits := []Commit{{Files: []string{"new.go", "often.go"}}, {Files: []string{"often.go", "old.go"}}}
	for i := range 200 {
		commits = slices.Insert(commits, 1, Commit{Subject: "Nothing", Files: []string{strings.Repeat("x", i+1)}})
	}
	l := NewLog(commits)
	if l.Recency("new.go") != 1 || l.Recency("often.go") != 1 || l.Recency("none.go") != 0 {
		t.Errorf("of the newest commit's files %v and %v, of no commit's %v", l.Recency("new.go"), l.Recency("often.go"), l.Recency("none.go"))
	}
	if old := l.Recency("old.go"); old <= 0.1 || old >= 0.2 {
		t.Errorf("after 200 commits a file is as recent as %v", old)
	}
	if recency := (*Log)(nil).Recency("new.go"); recency != 0 {
		t.Errorf("without a history a file is as recent as %v", recency)
	}
}

// query returns the terms of a text, each with the weight 1.
func query(text string) (all []Term) {
	for _, word := range strings.Fields(text) {
		for _, term := range postings.Terms(word) {
			all = append(all, Term{term, 1})
		}
	}
	return slices.Clip(all)
}
