package current_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/tools/current"
)

// TestAround reads the lines around a unit of a file as the turn sees it.
func TestAround(t *testing.T) {
	line := "a line of the file\n"
	text := strings.Repeat(line, 500) + t.TempDir() + "\n" // which nobody has looked at before
	f := newFolder(t, nil)
	path, past := f.path("a.txt"), time.Now().Add(-time.Hour) // the index does not rely on the time of what is new
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, past, past)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.index.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	u := index.Unit{Path: path, Extent: index.Extent{StartLine: 300, EndLine: 300}}
	u.StartByte, u.EndByte = 299*len(line), 300*len(line)
	around := func(whole int) current.Surroundings {
		t.Helper()
		got, err := f.files().Around(t.Context(), u, 3, 3, whole)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := around(0); !got.Whole || got.Text != text {
		t.Errorf("a text of which nothing is known: %d bytes from line %d", len(got.Text), got.First)
	}
	if _, err := f.index.Search(t.Context(), index.Query{Text: "a line of the file"}); err != nil {
		t.Fatal(err) // which finds that the text is the one that was indexed
	}
	if got := around(0); got.Whole || got.First < 200 || got.First > 297 || len(got.Text) > 200*len(line) {
		t.Errorf("a text that is known: %d bytes from line %d", len(got.Text), got.First)
	}
	if got := around(len(text)); !got.Whole || got.First != 1 || got.Text != text {
		t.Errorf("a short text: %d bytes from line %d", len(got.Text), got.First)
	}
	change := f.base(edits.OpEdit, "a.txt")
	change.Edits = []edits.Edit{{Start: 0, End: 1, New: "another"}}
	f.stage(change)
	staged := f.files()
	if _, err := staged.Overlay(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := staged.Around(t.Context(), u, 3, 3, 0)
	if err != nil || !strings.HasPrefix(got.Text, "another line") {
		t.Errorf("a staged text: %v, %.20q", err, got.Text)
	}
	key := `{"type": "service_account", "private_key": "x"}` + "\n"
	if err := os.WriteFile(path, []byte(key+text[len(key):]), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time when the workspace knows the file
		if got, err := f.files().Around(t.Context(), u, 3, 3, 0); !current.Unavailable(err) {
			t.Errorf("a file of credentials: %v, %d bytes", err, len(got.Text))
		}
	}
}
