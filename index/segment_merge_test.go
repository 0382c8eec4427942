package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestSegmentsAreMerged writes several segments. They are merged into one, and nothing is
// lost.
func TestSegmentsAreMerged(t *testing.T) {
	p := open(t, nil)
	for n := range 120 {
		var text strings.Builder
		for line := range 600 {
			fmt.Fprintf(&text, "word%d_%d other%d\n", n, line, line*n)
		}
		p.write(fmt.Sprintf("f%d.txt", n), text.String())
	}
	p.update()
	p.index.Settle()
	if got := p.segments(); len(got) != 1 || filepath.Base(got[0]) < "postings-3.seg" {
		t.Errorf("the segments are %q, want a single merged one", got)
	}
	equal(t, "search", "f59.txt f59.txt", p.search("word59_599")[0])
	p.reopen()
	if stats := p.update(); stats.ParsedFiles != 0 {
		t.Errorf("the update parsed %d files", stats.ParsedFiles)
	}
	equal(t, "search", "f7.txt f7.txt", p.search("word7_3")[0])
}

func (p *project) segments() []string {
	paths, err := filepath.Glob(filepath.Join(p.state, "postings-*.seg"))
	if err != nil {
		p.t.Fatal(err)
	}
	return paths
}
