package shards

import (
	"testing"

	"ploke-lsp/index/postings"
)

// TestClosingAndHidingDoNotWaitForIndexing drops and hides texts while another one is being
// indexed. If they waited, the test would never end.
func TestClosingAndHidingDoNotWaitForIndexing(t *testing.T) {
	x, path := openTestSet(t, nil, "package a\n\nfunc OnDisk() {}\n")
	x.ws.SetBuffer(path, 1, []byte("package a\n\nfunc Typed() {}\n"))
	if err := x.SyncBuffer(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	found := func(onDisk, typed bool) {
		t.Helper()
		docs := map[string]int{}
		err := x.onViews(t.Context(), func(views []*View) error {
			for _, v := range views {
				for _, name := range []string{"OnDisk", "Typed"} {
					docs[name] += v.ServedWith(postings.NewKey(postings.Exact(name)), 1)
				}
			}
			return nil
		})
		if err != nil || docs["OnDisk"] > 0 != onDisk || docs["Typed"] > 0 != typed {
			t.Errorf("the documents by name are %v, %v; want OnDisk: %v, Typed: %v", docs, err, onDisk, typed)
		}
	}
	found(false, true)
	x.incremental.mu.Lock()
	x.ws.SetUnknown(path, "a test")
	if err := x.HideBuffer(path); err != nil {
		t.Fatal(err)
	}
	found(false, false)
	x.ws.CloseBuffer(path)
	x.DropBuffer(path)
	found(true, false)
	x.incremental.mu.Unlock()
	if err := x.SyncBuffer(t.Context(), path); err != nil { // a late one
		t.Fatal(err)
	}
	found(true, false)
}
