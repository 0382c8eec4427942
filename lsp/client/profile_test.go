package client

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/wire"
)

// profileOf returns the profile of a client whose initialize is recorded.
func profileOf(t *testing.T, file string) Profile {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Params protocol.InitializeParams `json:"params"`
	}
	if err := protocol.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	return NewProfile(&recorded.Params, nil)
}

// TestProfilesOfClients reads what real clients declare. What they do otherwise is in the table of quirks.
func TestProfilesOfClients(t *testing.T) {
	want := map[string]string{
		"ale-3.3":     "utf-16",
		"coc.nvim":    "utf-16, opens by edit, changes files, shows documents, calm questions",
		"eglot-28":    "utf-16, confirms edits, stays in the workspace, stops at responses",
		"eglot-30":    "utf-32, confirms edits, shows documents, stays in the workspace, stops at responses",
		"helix-25.01": "utf-8, opens by edit, changes files, stays in the workspace",
		"kakoune":     "utf-8, opens by edit, changes files",
		"lsp-mode-8":  "utf-32 but says utf-16, opens by edit, changes files",
		"neovim-0.7":  "utf-16, opens by edit, changes files",
		"neovim-0.10": "utf-16, opens by edit, changes files, shows documents",
		"neovim-0.12": "utf-8, opens by edit, changes files, shows documents",
		"vscode":      "utf-16, opens by edit, changes files, shows documents, calm questions",
		"zed":         "utf-16, opens by edit, changes files",
	}
	files, err := filepath.Glob("../testdata/clients/*.json")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d clients are recorded, want %d: %v", len(files), len(want), err)
	}
	for _, file := range files {
		p, name := profileOf(t, file), strings.TrimSuffix(filepath.Base(file), ".json")
		got := []string{string(p.Encoding)}
		if p.Negotiated != p.Encoding {
			got[0] += " but says " + string(p.Negotiated)
		}
		for _, has := range []struct {
			is   bool
			what string
		}{
			{p.OpensByEdit(), "opens by edit"},
			{p.ConfirmsEdits, "confirms edits"},
			{p.ChangesFiles(), "changes files"},
			{p.ShowsDocuments, "shows documents"},
			{p.StaysInWorkspace, "stays in the workspace"},
			{p.StopsAtResponses, "stops at responses"},
			{p.CalmQuestions, "calm questions"},
		} {
			if has.is {
				got = append(got, has.what)
			}
		}
		if got := strings.Join(got, ", "); got != want[name] {
			t.Errorf("%s: %q, want %q", name, got, want[name])
		}
	}
}

// TestWhatAClientWaitsFor sends a response and a message to a client that reads both in one piece, unless they are apart.
func TestWhatAClientWaitsFor(t *testing.T) {
	for name, apart := range map[string]bool{"eglot-28": true, "neovim-0.10": false} {
		synctest.Test(t, func(t *testing.T) {
			out := &writes{}
			stream := wire.NewStream(out, wire.Events{})
			c := New(nil, stream)
			c.Introduce(profileOf(t, "../testdata/clients/"+name+".json"))
			for _, m := range []jsonrpc2.Message{
				jsonrpc2.NewResponse(jsonrpc2.NewNumberID(1), jsonrpc2.RawMessage(`1`), nil), jsonrpc2.NewNotification("m", nil),
			} {
				if _, err := stream.Write(t.Context(), m); err != nil {
					t.Fatal(err)
				}
			}
			stream.Flush(t.Context())
			if got := out.last.After(out.first); got != apart {
				t.Errorf("%s gets a message later than a response: %t", name, got)
			}
			stream.Close()
		})
	}
}

// writes is a connection that remembers when it was first and last written to.
type writes struct{ first, last time.Time }

func (w *writes) Write(p []byte) (int, error) {
	w.last = time.Now()
	if w.first.IsZero() {
		w.first = w.last
	}
	return len(p), nil
}

func (*writes) Read([]byte) (int, error) { return 0, io.EOF }
func (*writes) Close() error             { return nil }
