package query

import (
	"testing"

	"ploke-lsp/index/shards"
)

// TestConfidence holds what each kind of evidence is worth, and below which confidence results are doubted.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		Evidence
		confidence float64
		doubt      string
	}{
		{Evidence{Fit: .24, Known: 1}, .24, ""},
		{Evidence{Fit: .22, Known: .5}, .22, "no place has many of the words"},
		{Evidence{Fit: .22, Known: .4}, .22, "no file has most of the words"},
		{Evidence{Fit: .1, Naming: .5}, .2, "no file has most of the words"},
		{Evidence{Fit: .1, Together: 1}, .2, "no file has most of the words"},
		{Evidence{Fit: .1, Naming: .5, Together: .5}, .25, ""},
		{Evidence{Fit: 1, Naming: 1, Together: 1}, 1, ""},
		{Evidence{Named: true}, 1, ""},
	} {
		r := Results{Hits: make([]Hit, 1), Evidence: c.Evidence}
		if got := c.Confidence(); got < c.confidence-1e-9 || got > c.confidence+1e-9 || r.Doubt() != c.doubt {
			t.Errorf("%+v: confidence %v, doubt %q", c.Evidence, got, r.Doubt())
		}
		if r.Hits = nil; r.Doubt() != "" {
			t.Errorf("%+v: no result is doubted", c.Evidence)
		}
	}
}

// TestTogether counts the folders of the ten best files but the first.
func TestTogether(t *testing.T) {
	c := &corpus{views: []*shards.View{{Shard: &shards.Shard{}}, {Shard: &shards.Shard{}}}}
	var files []*candidate
	for _, rel := range []string{"a/1", "a/2", "b/3", "b/4", "b/5", "b/6", "b/7", "b/8", "b/9", "a/10", "a/11"} {
		files = append(files, &candidate{rel: rel})
	}
	files[9].view = 1
	for n, want := range map[int]float64{1: 0, 2: 1, 3: .5, 11: 1. / 9} {
		if got := c.evidence([]rankedUnit{{from: files[0]}}, files[:n], askedWords{}).Together; got != want {
			t.Errorf("of %d files: %v instead of %v", n, got, want)
		}
	}
}
