package edits_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// A change is staged, accepted as it was shown, written to the disk and settled.
func ExampleManager() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(folder)
	folder, _ = filepath.EvalSymlinks(folder)
	path, before := filepath.Join(folder, "limit.txt"), "limit = 3\n"
	os.WriteFile(path, []byte(before), 0o644)
	db, err := store.Open(ctx, filepath.Join(folder, "state.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	ws, _ := workspace.New([]string{folder}, workspace.Options{})
	m := edits.New(db, ws, edits.Options{})

	change := edits.Operation{Op: edits.OpEdit, Path: path, BaseHash: workspace.Hash([]byte(before)),
		Edits: []edits.Edit{{Start: 8, End: 9, New: "5"}}}
	proposal, _ := m.Staging.Stage(ctx, edits.Batch{ConversationID: "c1", RequestID: "r1", CallID: "1",
		Title: "raise the limit", Operations: []edits.Operation{change}})
	fmt.Println(proposal.Status())

	plan, _ := m.Accept(ctx, proposal.Whole())
	wrote := m.WriteToDisk(ctx, plan)
	proposal, _ = m.Settle(ctx, plan, edits.Outcome{Applied: wrote == nil})
	after, _ := os.ReadFile(path)
	fmt.Printf("%s: %s", proposal.Status(), after)
	// Output:
	// staged
	// verified: limit = 5
}
