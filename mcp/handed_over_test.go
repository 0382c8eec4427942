package mcp_test

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/mcp"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

// TestWhatAgentsGetIsInTheLedger reads the ledger after each call, from another process's view of the folder.
func TestWhatAgentsGetIsInTheLedger(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	var options project.Options
	w := newWorld(t, func(o *mcp.Options) { o.Apply, options = true, o.Project })
	w.write("token.go", "package greet\n\nconst token = \""+secret+"\"\n")
	w.write("Makefile", makefile)
	c := w.connect(&sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "decline"}, nil
	}})
	resource := func(uri string) {
		if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err != nil {
			t.Error(err)
		}
	}
	seen := 0
	for _, tt := range []struct {
		what, model string
		call        func()
		file        string // that an entry lists; "" for none
		secrets     int
		entries     int
	}{
		{"a file", "read", func() { c.call("read", map[string]any{"file": "greet.go"}) }, "greet.go", 0, 1},
		{"a secret", "read", func() { c.call("read", map[string]any{"file": "token.go"}) }, "token.go", 1, 1},
		{"a search", "context", func() { c.call("context", map[string]any{"query": "who greets somebody"}) }, "greet.go", 1, 1},
		{"a failure", "read", func() { c.try("read", map[string]any{"file": "nothing.go"}) }, "", 0, 1},
		{"the status", "status", func() { c.call("status", nil) }, "", 0, 1},
		{"a question to the person", "edit", func() { c.call("edit", edit("Makefile", "echo old", "echo new")) }, "", 0, 2},
		{"a resource", "resource", func() { resource("ploke://files/greet.go") }, "greet.go", 0, 1},
	} {
		tt.call()
		ledger, err := project.OpenLedger(t.Context(), options, w.root, session.LedgerQuery{})
		if err != nil {
			t.Fatal(err)
		}
		added := ledger.Entries[seen:]
		seen = len(ledger.Entries)
		if len(added) != tt.entries {
			t.Fatalf("%s: %d entries", tt.what, len(added))
		}
		var files []string
		for _, f := range added[0].Files {
			files = append(files, f.Path)
		}
		e := added[0]
		if e.Provider != session.ToAgents || e.Model != tt.model || e.Host == "" || e.Bytes == 0 || e.Secrets != tt.secrets || e.At.IsZero() ||
			(tt.file == "") != (len(files) == 0) || !strings.Contains(strings.Join(files, " "), tt.file) {
			t.Errorf("%s: %+v, files %q", tt.what, e.LedgerEntry, files)
		}
	}
}
