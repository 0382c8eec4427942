package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// A folder is indexed, searched by words and by name, and asked for the callers of a function.
func Example() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "example")
	state, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(folder)
	defer os.RemoveAll(state)
	os.WriteFile(filepath.Join(folder, "mail.py"), []byte(
		"def send(to):\n    \"\"\"Send a letter.\"\"\"\n\ndef greet(people):\n    for p in people:\n        send(p)\n"), 0o644)

	ws, _ := workspace.New([]string{folder}, workspace.Options{})
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	x.Update(ctx, nil)

	results, _ := x.Search(ctx, index.Query{Text: "who sends a letter?", Limit: 1})
	fmt.Println("best:", results.Hits[0].Rel, results.Hits[0].Canon)
	found, _, _ := x.Lookup(ctx, index.LookupQuery{Name: "send"})
	uses, _ := x.Overlay(nil).References(ctx, found[0])
	fmt.Println("called by:", uses.Edges[0].From, "in line", uses.Edges[0].Line)
	// Output:
	// best: mail.py send
	// called by: greet in line 6
}
