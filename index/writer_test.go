package index_test

import (
	"os"
	"testing"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/lease"
)

// TestWhoWritesIsNoted looks which process has locked the index: none, this process, and one that a file names.
func TestWhoWritesIsNoted(t *testing.T) {
	p := open(t, sample)
	p.update()
	p.index.Settle()
	if w := p.index.Writers(); len(w) != 0 {
		t.Errorf("no process writes, and it is %+v", w)
	}
	lock := flock.New(p.state + "/index.lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if w := p.index.Writers(); len(w) != 0 { // it was the last one that wrote
		t.Errorf("this process writes, and it is %+v", w)
	}
	for text, want := range map[string]int{`{"host":"` + lease.Host() + `","pid":4194304}`: 1, "no JSON": 0} {
		if err := os.WriteFile(p.state+"/index.writer", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if w := p.index.Writers(); len(w) != want || want == 1 && (w[0].PID != 4194304 || w[0].Root != p.root) {
			t.Errorf("%s: %+v", text, w)
		}
	}
}
