package index_test

import (
	"strings"
	"testing"
)

// TestClosingAndHidingDoNotWaitForIndexing drops and hides texts while another one is being
// indexed. If they waited, the test would never end.
func TestClosingAndHidingDoNotWaitForIndexing(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package a\n\nfunc OnDisk() {}\n"})
	p.update()
	path := p.path("a.go")
	p.ws.SetBuffer(path, 1, []byte("package a\n\nfunc Typed() {}\n"))
	if err := p.index.SyncBuffer(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	found := func(onDisk, typed bool) {
		t.Helper()
		hits := strings.Join(append(p.search("OnDisk"), p.search("Typed")...), " ")
		if strings.Contains(hits, "OnDisk") != onDisk || strings.Contains(hits, "Typed") != typed {
			t.Errorf("found is %q; want OnDisk: %v, Typed: %v", hits, onDisk, typed)
		}
	}
	found(false, true)
	p.index.WhileIndexing(func() {
		p.ws.SetUnknown(path, "a test")
		if err := p.index.HideBuffer(path); err != nil {
			t.Fatal(err)
		}
		found(false, false)
		p.ws.CloseBuffer(path)
		p.index.DropBuffer(path)
		found(true, false)
	})
	if err := p.index.SyncBuffer(t.Context(), path); err != nil { // a late one
		t.Fatal(err)
	}
	found(true, false)
}
