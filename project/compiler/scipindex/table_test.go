package scipindex

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// write returns an index of documents.
func write(t testing.TB, root string, documents ...scip.NewDocument) []byte {
	var out bytes.Buffer
	w, err := scip.NewWriter(&out, scip.Metadata{Tool: "tool", Root: root})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if err := w.Document(d); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// TestTooMuch refuses a file whose table would take more memory than there is for it.
func TestTooMuch(t *testing.T) {
	ws, err := workspace.New([]string{t.TempDir()}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, "", make([]scip.NewDocument, testbed.Size(100_000, 1_000))...)
	for i, d := range []scip.NewDocument{{Path: "a"}, {Path: "b"}} {
		file = append(file, write(t, "", d)[len(write(t, "")):]...)
		tab := &table{byPath: map[string][]int32{}}
		room := (i + 1) * (documentBytes + 1)
		if err := tab.read(t.Context(), bytes.NewReader(file), ws, room); err != nil || len(tab.documents) != i+1 {
			t.Errorf("%d documents: %v", len(tab.documents), err)
		}
		tab = &table{byPath: map[string][]int32{}}
		if err := tab.read(t.Context(), bytes.NewReader(file), ws, room-1); err == nil || !strings.Contains(err.Error(), "more symbols") {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestPathsOutside are of no document.
func TestPathsOutside(t *testing.T) {
	ws, err := workspace.New([]string{t.TempDir()}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab := &table{byPath: map[string][]int32{}}
	var documents []scip.NewDocument
	for _, path := range []string{"../a", "/etc/passwd", "a/../../b", "", strings.Repeat("long/", 1000)} {
		documents = append(documents, scip.NewDocument{Path: path})
	}
	if err := tab.read(t.Context(), bytes.NewReader(write(t, "", documents...)), ws, maxTables); err != nil || len(tab.documents) > 0 {
		t.Errorf("%v: the documents are %v", err, tab.documents)
	}
}

// TestNamesOfIndexers are one word of text that can't be mistaken for another line or a color.
func TestNamesOfIndexers(t *testing.T) {
	for name, want := range map[string]string{"scip-go": "scip-go", "a\nb \x1b[31mc‮": "ab[31mc", strings.Repeat("x", 99): strings.Repeat("x", 40)} {
		if got := plain(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
}

// TestFolders finds the folder of an index that was made elsewhere, by the files in it.
func TestFolders(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		touch(t, filepath.Join(root, "web/client", fmt.Sprintf("%d.ts", i)))
	}
	touch(t, filepath.Join(root, "0.ts"))
	for uri, want := range map[string]struct {
		dir  string
		here bool
	}{
		"file://" + filepath.ToSlash(root) + "/web/client":   {filepath.Join(root, "web/client"), true},
		"file:///home/runner/builds/shop/web/client":         {filepath.Join(root, "web/client"), false},
		"file:///builds/shop":                                {root, false}, // which has one of the files
		"https://example.com/web/client":                     {root, false},
		"file://" + filepath.ToSlash(root) + "-2/web/client": {filepath.Join(root, "web/client"), false},
	} {
		tab := &table{byPath: map[string][]int32{}, documents: []document{{path: "0.ts"}, {path: "1.ts"}, {path: "2.ts"}}}
		if tab.locate([]string{root}, uri); tab.dir != want.dir || tab.here != want.here {
			t.Errorf("%s is %s, here: %v", uri, tab.dir, tab.here)
		}
	}
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}
