package document

import (
	"encoding/json"
	"testing"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
)

// TestEditsNameDocumentsAsTheClientDoes opens a file under many spellings of its URI.
func TestEditsNameDocumentsAsTheClientDoes(t *testing.T) {
	for _, tt := range []struct{ path, spelling string }{
		{"/w/a[b].go", "file:///w/a[b].go"},
		{"/w/a[b].go", "file:///w/a%5Bb%5D.go"},
		{"/w/a[b].go", "file:///w/a%5bb%5d.go"},
		{"/w/a+b@c.go", "file:///w/a+b@c.go"},
		{"/w/a+b@c.go", "file:///w/a%2Bb%40c.go"},
		{"/w/a+b@c.go", "file:///w/a%2bb@c.go"},
		{"/w/a b.go", "file:///w/a%20b.go"},
		{"/w/a b.go", "file:///w/a b.go"},
		{"/w/a:b.go", "file:///w/a:b.go"},
		{"/w/a:b.go", "file:///w/a%3Ab.go"},
		{"/w/(a)!'*,;=$&.go", "file:///w/(a)!'*,;=$&.go"},
		{"/w/(a)!'*,;=$&.go", "file:///w/%28a%29%21%27%2A%2C%3B%3D%24%26.go"},
		{"/w/\u00FC.go", "file:///w/\u00FC.go"},
		{"/w/\u00FC.go", "file:///w/%C3%BC.go"},
		{"/w/\u00FC.go", "file:///w/%c3%bc.go"},
		{"/w/u\u0308.go", "file:///w/u%CC%88.go"},
		{"/w/a.go", "file:/w/a.go"},
		{"/w/a.go", "file://localhost/w/a.go"},
		{"/w/a.go", "FILE:///w/a.go"},
		{"/w/a.go", "file:///w/%61.go"},
		{"/w/a.go", "file:///w//a.go"},
		{"/w/a.go", "file:///w/./a.go"},
		{"/w/a.go", "file:///w/a.go/"},
		{"/w/a~b.go", "file:///w/a%7Eb.go"},
		{"/w/a#b?.go", "file:///w/a%23b%3F.go"},
		{"/w/{a}^`|.go", "file:///w/{a}^`|.go"},
	} {
		t.Run(tt.spelling, func(t *testing.T) {
			raw, err := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": tt.spelling, "version": 3, "languageId": "go", "text": "a"}})
			if err != nil {
				t.Fatal(err)
			}
			var p OpenParams
			if err := p.UnmarshalJSON(raw); err != nil || p.fault != nil {
				t.Fatal(err, p.fault)
			}
			d := NewTable()
			d.set(&Document{URI: p.uri.canonical, spelling: p.uri.spelling, Path: FilePath(p.uri.canonical)})
			edit := (&Applier{client: &client.Client{}, documents: d}).WorkspaceEdit([]edits.PlannedFile{{Path: tt.path}})
			if _, ok := edit.Changes[uri.URI(tt.spelling)]; !ok {
				t.Errorf("the edit names %v", edit.Changes)
			}
			sent, err := json.Marshal(d.Spelled(p.uri.canonical))
			var back string
			if err != nil || json.Unmarshal(sent, &back) != nil || back != tt.spelling {
				t.Errorf("%s is sent: %v", sent, err)
			}
		})
	}
}
