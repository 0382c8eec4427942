package main

import (
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// TestFates says of each line of a file what becomes of it.
func TestFates(t *testing.T) {
	root := t.TempDir()
	text := "package p\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint\n\ntype T interface {\n\tGet()\n\n\tSet()\n}\n\n" + // 12 lines
		"func Shown() {\n\t_ = 1\n}\n\nfunc Cut() {\n\t_ = 1\n\t_ = 2\n}\n\nfunc Named() {}\n\nfunc Absent() {}\n"
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	x, err := index.Open(t.Context(), ws, index.Options{Dir: func(string) string { return dir }})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	a := answer{shown: []span{{"a.go", 8, 8}, {"a.go", 13, 15}, {"a.go", 17, 18}}, named: []span{{"a.go", 22, 22}}}
	if err := withPacker(t.Context(), ws, x, "what", func(f *packer) error {
		for at, want := range map[line]fate{
			{"a.go", 14}: lineShown, {"a.go", 8}: lineShown, {"b.go", 14}: fileMissing, {"a.go", 24}: symbolAbsent,
			{"a.go", 22}: symbolNamed, {"a.go", 19}: symbolCut, {"a.go", 16}: betweenSymbols, {"a.go", 9}: betweenSymbols,
			{"a.go", 3}: inImports, {"a.go", 4}: inImports,
		} {
			if got, err := f.fateOf(t.Context(), a, at); err != nil || got != want {
				t.Errorf("line %d of %s: %s, %v, want %s", at.number, at.file, fateNames[got], err, fateNames[want])
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestCodeOfTheAutomaticContext finds the lines in the text of an answer, and counts no insertion twice.
func TestCodeOfTheAutomaticContext(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.write(filepath.Join(b.cases, "changes", "a.jsonl"), `{"id": "one", "repo": "a/b", "base_commit": "`+b.base+`", "subject": "`+
		"Let `Evict` return"+`", "query": "x", "files": ["cache.go"], "hunks": [{"file": "cache.go", "start": 4, "lines": 0}, `+
		`{"file": "cache.go", "start": 4, "lines": 1}, {"file": "none.go", "start": 1, "lines": 3}]}`)
	b.expect(b.run("-lines"), "changed lines tokens shown other file other symbol only a card cut between imports",
		"automatic context 400 25.0 [25.0, 25.0] 75.0 0.0", "request_code_context 8192 25.0 [25.0, 25.0] 75.0 0.0")
}
