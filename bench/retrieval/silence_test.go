package main

import (
	"path/filepath"
	"testing"
)

// TestSilence measures whether the results of a text are doubted that nothing is about, beside two that have an answer.
func TestSilence(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	b.questions("", `{"query": "flush writes", "category": "architecture", "relevant": ["cache.go"], "secondary": []}`)
	b.write(filepath.Join(b.cases, "silence", "a.jsonl"), `{"id": "s", "repo": "a/b", "base_commit": "`+b.base+
		`", "kind": "natural", "query": "memory of bananas that ripen in yellow glass houses near volcanoes"}`)
	out := b.run()
	b.expect(out, "doubted 100.0 [100.0, 100.0]", "natural 1 100.0",
		"texts now 1 % 2 % 5 % 10 % 20 % changes, subject 1 0.0 ", "questions, without history 1 0.0 ", "natural 1 100.0 100.0",
		"area under the curve of each feature, of 100 natural confidence 100.0 fit 100.0 ")
}

// TestCrossed asks each project what the cases ask of the others, and nothing of names.
func TestCrossed(t *testing.T) {
	changes, names, silence := sets[0], sets[2], sets[len(sets)-1]
	if silence.name != silenceSet || names.name != "names" {
		t.Fatalf("the sets are %q and %q", names.name, silence.name)
	}
	of := func(s *set, repo, text string) *outcome {
		return &outcome{set: s, testCase: testCase{ID: text, Repo: repo, Commit: "of " + repo, Subject: text, Query: text}}
	}
	all := []*outcome{of(changes, "a/a", "A"), of(changes, "b/b", "B"), of(names, "c/c", "C"), of(silence, "d/d", "D")}
	asked := map[string]string{}
	for _, o := range crossed(all, silence) {
		if o.Commit != "of "+o.Repo || o.Category != crossedCategory || o.set != silence {
			t.Errorf("crossed case %+v", o)
		}
		asked[o.Repo] += o.Query
	}
	if len(asked) != 2 || asked["a/a"] != "B" || asked["b/b"] != "A" {
		t.Errorf("the projects are asked %q", asked)
	}
	if more := crossed(all[:1], silence); len(more) > 0 {
		t.Errorf("a single project is asked %+v", more)
	}
}
