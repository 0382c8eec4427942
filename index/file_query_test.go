package index_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files returns the files whose paths fit, relative to the root.
func (p *project) files(typed string, limit int) (rels []string) {
	p.t.Helper()
	paths, err := p.index.Files(p.t.Context(), typed, limit)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, path := range paths {
		rel, err := filepath.Rel(p.root, path)
		if err != nil {
			p.t.Fatal(err)
		}
		rels = append(rels, filepath.ToSlash(rel))
	}
	return rels
}

func TestFilesThatFit(t *testing.T) {
	p := open(t, map[string]string{
		"greet/greet.go":         "package greet\n",
		"greet/name.go":          "package greet\n",
		"web/GreetingCard.tsx":   "export {}\n",
		"web/agreement.txt":      "text\n",
		"internal/über/größe.md": "# x\n",
	})
	p.update()
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"greet", []string{"greet/greet.go", "web/GreetingCard.tsx"}},
		{"gcard", []string{"web/GreetingCard.tsx"}},
		{"greet/n", []string{"greet/name.go"}},
		{"name.go", []string{"greet/name.go"}},
		{"größ", []string{"internal/über/größe.md"}},
		{"nothing_like_it", nil},
		{"", nil},
	} {
		got := p.files(c.typed, len(c.want)+1)
		if c.want == nil && got != nil {
			t.Errorf("%q finds %q", c.typed, got)
		}
		if d := cmp.Diff(c.want, got[:min(len(got), len(c.want))]); c.want != nil && d != "" {
			t.Errorf("%q: %s", c.typed, d)
		}
	}
	if got := p.files("e", 2); len(got) != 2 {
		t.Errorf("of two there are %q", got)
	}
}
