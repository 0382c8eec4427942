package graph

import "testing"

// TestForget checks that nothing which depends on the contents of files is kept.
func TestForget(t *testing.T) {
	set := func() fileSet {
		return fileSet{fitting: map[nameRule][]symbol{{}: nil}, resolved: map[nameRule]resolution{{}: {}}}
	}
	only := &declaringFolder{fileSet: set()}
	union := set()
	d := &declaringFiles{all: set(), folders: map[*shardFolder]*declaringFolder{{}: only},
		near: map[*Module]*fileSet{{}: &union}, unions: map[string]*fileSet{"": &union}}
	d.forget()
	kept := len(d.near) + len(d.unions)
	for _, s := range []*fileSet{&d.all, &only.fileSet} {
		kept += len(s.fitting) + len(s.resolved)
	}
	if kept > 0 {
		t.Errorf("%d values are kept", kept)
	}
}

// TestUnionBudget checks that no file of a union is loaded if not all may be.
func TestUnionBudget(t *testing.T) {
	part := func() *fileSet { return &fileSet{files: []*Module{{wordCount: 6}}} }
	a, b := part(), part()
	union := &fileSet{files: append(a.files, b.files...), parts: []*fileSet{a, b}}
	r := &resolver{nameIndex: &nameIndex{loader: &loader{wordBudget: 10}}}
	if fit := r.fitting("name", union, nameRule{}); fit != nil || !r.budgetExceeded || r.wordBudget != 10 {
		t.Errorf("%d symbols, %d words are left", len(fit), r.wordBudget)
	}
}
