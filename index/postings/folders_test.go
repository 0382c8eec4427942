package postings_test

import (
	"path"
	"testing"

	"ploke-lsp/index/postings"
)

// TestFolders compares the folders of documents with their paths.
func TestFolders(t *testing.T) {
	rels := []string{"b.go", "x/y/a.go", "x/a.go", "x/y/b.go", "a.go", "x/y.go", "z/é/a.go"}
	var b postings.Builder
	for i, rel := range rels {
		add(&b, int64(i), rel, "text")
	}
	s, err := postings.OpenBytes(segment(t, &b))
	if err != nil {
		t.Fatal(err)
	}
	folders := s.Folders()
	if got, want := len(folders.Rels()), 4; got != want {
		t.Errorf("%d folders, not %d: %q", got, want, folders.Rels())
	}
	for doc := range s.Docs() {
		if got, want := folders.Rels()[folders.Of(doc)], path.Dir(s.Rel(doc)); got != want {
			t.Errorf("%s is in %s", s.Rel(doc), got)
		}
	}
	if s.Folders() != folders {
		t.Error("the folders are not kept")
	}
}
