package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/project"
)

// TestTheFirstCallWaitsForTheIndex looks a symbol up in a folder that has never been indexed. A client that may not
// wait learns how far the index is.
func TestTheFirstCallWaitsForTheIndex(t *testing.T) {
	root := t.TempDir()
	for i := range 100 {
		text := fmt.Sprintf("package p\n\nfunc f%d() {}\n", i)
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d.go", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(t.Context(),
		project.Options{StateDir: t.TempDir(), Settings: project.NewSettings(), Getenv: func(string) string { return "" }},
		[]string{root}, &headless{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.Indexer.Pause()
	client := p.NewToolClient(map[string]string{"search_text": "grep"})
	client.WaitUntil(time.Now().Add(time.Hour)) // but not while the person has paused the indexing
	answer, err := client.Call(t.Context(), "code_item_lookup", []byte(`{"name":"f99"}`))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Notice != "" && !strings.Contains(answer.Notice, "grep, read_file and get_file_metadata need no index") {
		t.Errorf("the notice is %q", answer.Notice)
	}
	p.ResumeIndexing()
	answer, err = client.Call(t.Context(), "code_item_lookup", []byte(`{"name":"f99"}`))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Failed || !strings.Contains(answer.Text, "func f99()") {
		t.Errorf("%s\n%s", answer.Text, answer.Notice)
	}
}
