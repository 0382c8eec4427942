package document

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/client"
)

// A notebookEditor sends notifications about one notebook.
type notebookEditor struct {
	t         *testing.T
	notebooks *Notebooks
	path      string
}

// twoCells is a notebook with the cells of openTwo.
const twoCells = `{"cells":[{"cell_type":"markdown","source":["# A\n","b"]},{"cell_type":"code","source":"x = 1"}]}`

func newNotebookEditor(t *testing.T) *notebookEditor {
	s := follow(t, client.Quirks{}).sync
	e := &notebookEditor{t, NewNotebooks(s.client, s.workspace, s.background), filepath.Join(s.workspace.Roots()[0], "a.ipynb")}
	e.write(twoCells)
	return e
}

func (e *notebookEditor) write(text string) {
	e.t.Helper()
	if err := os.WriteFile(e.path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// send sends a notification and returns why the file is held once its cells have been compared.
func (e *notebookEditor) send(method, params string) string {
	e.t.Helper()
	raw := []byte(strings.ReplaceAll(params, "URI", string(uri.File(e.path))))
	ctx := e.t.Context()
	switch method {
	case "didOpen":
		var p NotebookOpenParams
		if json.Unmarshal(raw, &p) == nil {
			_ = e.notebooks.DidOpen(ctx, &p)
		}
	case "didChange":
		var p NotebookChangeParams
		if json.Unmarshal(raw, &p) == nil {
			_ = e.notebooks.DidChange(ctx, &p)
		}
	case "didSave":
		_ = e.notebooks.DidSave(ctx, &protocol.DidSaveNotebookDocumentParams{
			NotebookDocument: protocol.NotebookDocumentIdentifier{URI: uri.File(e.path)}})
	case "didClose":
		_ = e.notebooks.DidClose(ctx, &protocol.DidCloseNotebookDocumentParams{
			NotebookDocument: protocol.NotebookDocumentIdentifier{URI: uri.File(e.path)}})
	}
	testbed.Eventually(e.t, func() bool {
		e.notebooks.mu.Lock()
		defer e.notebooks.mu.Unlock()
		o := e.notebooks.open[uri.File(e.path)]
		return o == nil || !o.checking
	}, func() string { return "the cells are still compared" })
	return e.notebooks.workspace.Held(e.path)
}

// changed returns a didChange of the cells.
func changed(cells string) string {
	return `{"notebookDocument":{"uri":"URI","version":2},"change":{"cells":` + cells + `}}`
}

const (
	openTwo = `{"notebookDocument":{"uri":"URI","notebookType":"jupyter-notebook","version":1,"cells":[
		{"kind":1,"document":"cell:1"},{"kind":2,"document":"cell:2"}]},"cellTextDocuments":[
		{"uri":"cell:1","languageId":"markdown","version":1,"text":"# A\nb"},{"uri":"cell:2","languageId":"python","version":1,"text":"x = 1"}]}`
	typed = `{"textContent":[{"document":{"uri":"cell:2","version":2},"changes":[{"range":{"start":{"line":0,"character":4},` +
		`"end":{"line":0,"character":5}},"text":"2"}]}]}`
	typeBack = `{"textContent":[{"document":{"uri":"cell:2","version":3},"changes":[{"text":"x = 1"}]}]}`
	added    = `{"structure":{"array":{"start":2,"deleteCount":0,"cells":[{"kind":2,"document":"cell:3"}]},"didOpen":[{"uri":"cell:3",` +
		`"version":1,"text":""}]}}`
	removed  = `{"structure":{"array":{"start":2,"deleteCount":1},"didClose":[{"uri":"cell:3"}]}}`
	swapped  = `{"structure":{"array":{"start":0,"deleteCount":2,"cells":[{"kind":2,"document":"cell:2"},{"kind":1,"document":"cell:1"}]}}}`
	swapBack = `{"structure":{"array":{"start":0,"deleteCount":2,"cells":[{"kind":1,"document":"cell:1"},{"kind":2,"document":"cell:2"}]}}}`
	prose    = `{"data":[{"kind":1,"document":"cell:2"}]}`
	code     = `{"data":[{"kind":2,"document":"cell:2","executionSummary":{"executionOrder":1}}]}`
)

// TestANotebookIsHeldWhileItsCellsAreNotThoseOnDisk changes cells, and changes them back.
func TestANotebookIsHeldWhileItsCellsAreNotThoseOnDisk(t *testing.T) {
	e := newNotebookEditor(t)
	for _, step := range []struct{ what, method, params, held string }{
		{"opened", "didOpen", openTwo, ""},
		{"typed", "didChange", changed(typed), unsavedCells},
		{"typed back", "didChange", changed(typeBack), ""},
		{"a cell was added", "didChange", changed(added), unsavedCells},
		{"and removed", "didChange", changed(removed), ""},
		{"cells were swapped", "didChange", changed(swapped), unsavedCells},
		{"and swapped back", "didChange", changed(swapBack), ""},
		{"code became prose", "didChange", changed(prose), unsavedCells},
		{"and code again", "didChange", changed(code), ""},
		{"metadata", "didChange", `{"notebookDocument":{"uri":"URI","version":9},"change":{"metadata":{"a":1}}}`, ""},
		{"typed once more", "didChange", changed(strings.ReplaceAll(typed, `"version":2`, `"version":4`)), unsavedCells},
		{"closed without saving", "didClose", "", ""},
		{"changed after closing", "didChange", changed(typed), ""},
	} {
		if held := e.send(step.method, step.params); held != step.held {
			t.Errorf("%s: it is held because %q, want %q", step.what, held, step.held)
		}
	}
}

// TestANotebookIsReleasedOnceItIsSaved writes the cells that the editor has.
func TestANotebookIsReleasedOnceItIsSaved(t *testing.T) {
	e := newNotebookEditor(t)
	e.send("didOpen", openTwo)
	e.send("didChange", changed(typed))
	e.write(strings.Replace(twoCells, "x = 1", "x = 2", 1))
	if held := e.send("didSave", ""); held != "" {
		t.Errorf("after saving it is held because %q", held)
	}
	e.write(twoCells)
	e.notebooks.DiskChanged([]string{e.path})
	if held := e.send("", ""); held != unsavedCells {
		t.Errorf("after somebody else wrote the file it is held because %q", held)
	}
	e.notebooks.workspace.Release(e.path)
	e.write(`{"cells":`)
	if held := e.send("didSave", ""); held != unsavedCells {
		t.Errorf("with a broken file it is held because %q", held)
	}
}

// TestANotebookWithoutKnownCellsIsHeldUntilItIsOpenedAgain sends what can't be applied.
func TestANotebookWithoutKnownCellsIsHeldUntilItIsOpenedAgain(t *testing.T) {
	for what, params := range map[string]string{
		"no change":                  `{"notebookDocument":{"uri":"URI","version":2}}`,
		"a change that is odd":       `{"notebookDocument":{"uri":"URI","version":2},"change":[1]}`,
		"an unknown cell":            changed(strings.ReplaceAll(typed, "cell:2", "cell:9")),
		"an unknown kind":            changed(strings.ReplaceAll(prose, `"kind":1`, `"kind":3`)),
		"a kind of no cell":          changed(strings.ReplaceAll(prose, "cell:2", "cell:9")),
		"an unopened cell":           changed(strings.ReplaceAll(swapped, "cell:2", "cell:9")),
		"too many cells":             changed(strings.ReplaceAll(swapped, `"deleteCount":2`, `"deleteCount":3`)),
		"a start far away":           changed(strings.ReplaceAll(swapped, `"start":0`, `"start":4294967295`)),
		"a start below 0":            changed(strings.ReplaceAll(swapped, `"start":0`, `"start":-1`)),
		"no start":                   changed(strings.ReplaceAll(swapped, `"start":0,`, ``)),
		"no array":                   changed(`{"structure":{}}`),
		"an opened cell has no text": changed(strings.ReplaceAll(added, `,"text":""`, "")),
		"no changes of a text":       changed(`{"textContent":[{"document":{"uri":"cell:2","version":2}}]}`),
		"a bad range":                changed(strings.ReplaceAll(typed, `"line":0`, `"line":-1`)),
		"a message not read":         `{"notebookDocument":{"uri":"URI"},"unread":{"reason":"too long","tooLong":true}}`,
	} {
		e := newNotebookEditor(t)
		e.send("didOpen", openTwo)
		if held := e.send("didChange", params); held != lostCells {
			t.Errorf("%s: it is held because %q", what, held)
		}
		if held := e.send("didChange", changed(typeBack)); held != lostCells {
			t.Errorf("%s, and another change: it is held because %q", what, held)
		}
		if held := e.send("didSave", ""); held != lostCells {
			t.Errorf("%s, and saved: it is held because %q", what, held)
		}
		if held := e.send("didOpen", openTwo); held != "" {
			t.Errorf("%s, and opened again: it is held because %q", what, held)
		}
	}
}

// TestANotebookThatIsOpenedAmissIsHeld opens notebooks without their cells, and documents that are none of files.
func TestANotebookThatIsOpenedAmissIsHeld(t *testing.T) {
	for what, tt := range map[string]struct{ params, held string }{
		"no cells":      {`{"notebookDocument":{"uri":"URI"}}`, lostCells},
		"cells are odd": {`{"notebookDocument":{"uri":"URI","cells":"x"}}`, lostCells},
		"no texts":      {strings.Split(openTwo, `,"cellTextDocuments"`)[0] + "}", lostCells},
		"no URI":        {strings.ReplaceAll(openTwo, `"uri":"URI",`, ""), ""},
		"no file":       {strings.ReplaceAll(openTwo, "URI", "untitled:a.ipynb"), ""},
		"no notebook":   {strings.ReplaceAll(openTwo, "URI", "URI.txt"), ""},
		"other cells":   {strings.ReplaceAll(openTwo, "x = 1", "x = 3"), unsavedCells},
		"no object":     {`[1]`, ""},
	} {
		e := newNotebookEditor(t)
		if held := e.send("didOpen", tt.params); held != tt.held {
			t.Errorf("%s: it is held because %q, want %q", what, held, tt.held)
		}
		if open := len(e.notebooks.open); (open > 0) != (tt.held != "") {
			t.Errorf("%s: %d notebooks are open", what, open)
		}
	}
}
