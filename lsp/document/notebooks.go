package document

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
)

// Notebooks follows the notebooks that are open in the editor. While the cells of one are not those of its file, the
// file is held; see [workspace.Workspace.Hold]. It is held from a notification on until the disk has been read, which
// no handler waits for.
type Notebooks struct {
	client     *client.Client
	workspace  *workspace.Workspace
	background *client.Background

	mu   sync.Mutex // held while a notebook is opened, changed or closed
	open map[uri.URI]*openNotebook
}

// An openNotebook is guarded by the lock of [Notebooks].
type openNotebook struct {
	uri      uri.URI
	path     string // canonical
	cells    notebookCells
	lost     bool // the cells are not known until the notebook is opened again
	changes  int  // counts what may have changed the cells or the file
	checking bool // the cells are being compared with the file
}

// Why a file is held.
const (
	unsavedCells = "its cells in the notebook editor are not those on disk; save the notebook first"
	lostCells    = "the editor sent a change of the notebook that can't be applied; " +
		"close the notebook and open it again first"
)

// NewNotebooks returns what follows the notebooks of a workspace.
func NewNotebooks(c *client.Client, w *workspace.Workspace, b *client.Background) *Notebooks {
	return &Notebooks{client: c, workspace: w, background: b, open: map[uri.URI]*openNotebook{}}
}

// DidOpen takes the cells of a notebook. Those that are not notebooks of files are ignored.
func (n *Notebooks) DidOpen(_ context.Context, p *NotebookOpenParams) error {
	path := CanonicalPath(n.workspace, p.uri)
	if !notebook.Is(path) {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	opened := &openNotebook{uri: p.uri, path: path, cells: p.cells}
	n.open[p.uri] = opened
	if p.fault != nil {
		return n.lose(opened, p.fault)
	}
	n.check(opened)
	return nil
}

// DidChange applies changes of cells.
func (n *Notebooks) DidChange(_ context.Context, p *NotebookChangeParams) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	changed := n.open[p.uri]
	if changed == nil || changed.lost {
		return nil
	}
	cells, err := changed.cells, p.fault
	if err == nil {
		cells, err = cells.changed(&p.change, n.client.Encoding)
	}
	if err != nil {
		return n.lose(changed, err)
	}
	changed.cells = cells
	n.check(changed)
	return nil
}

// DidSave compares the cells with the file that was written.
func (n *Notebooks) DidSave(_ context.Context, p *protocol.DidSaveNotebookDocumentParams) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if saved := n.open[p.NotebookDocument.URI]; saved != nil && !saved.lost {
		n.check(saved)
	}
	return nil
}

// DidClose forgets a notebook. One that is not open is ignored.
func (n *Notebooks) DidClose(_ context.Context, p *protocol.DidCloseNotebookDocumentParams) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if closed := n.open[p.NotebookDocument.URI]; closed != nil {
		delete(n.open, p.NotebookDocument.URI)
		n.workspace.Release(closed.path)
	}
	return nil
}

// DiskChanged compares the notebooks that are open of these files with them.
func (n *Notebooks) DiskChanged(paths []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, o := range n.open {
		same := func(path string) bool { return notebook.Is(path) && n.workspace.Canonical(path) == o.path }
		if !o.lost && slices.ContainsFunc(paths, same) {
			n.check(o)
		}
	}
}

// CellOf returns the path of the notebook that a cell's URI is in, and the number of the cell, counted from 1; 0 if no
// open notebook has it. The text is the cell's in the editor if the cells are not those of the file; "" if they are.
func (n *Notebooks) CellOf(u uri.URI) (path string, cell int, unsaved string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, o := range n.open {
		if at, err := o.cells.index(u); err == nil {
			if n.workspace.Held(o.path) != "" {
				unsaved = string(o.cells[at].Text.Bytes())
			}
			return o.path, at + 1, unsaved
		}
	}
	return "", 0, ""
}

// lose refuses a notification about a notebook, whose cells are not known from then on. The person is told once. It
// returns the reason for the log. The lock is held.
func (n *Notebooks) lose(o *openNotebook, reason error) error {
	o.lost, o.cells = true, nil
	o.changes++
	n.workspace.Hold(o.path, lostCells)
	n.client.ShowMessage(protocol.MessageTypeWarning, "ploke: the editor sent a change of %s that can't be applied: %v. "+
		"Please close the notebook and open it again; until then ploke does not edit it", n.workspace.Rel(o.path), reason)
	return fmt.Errorf("%s is out of step: %w", o.path, reason)
}

// check holds a file until its cells are found to be those of the editor. The lock is held.
func (n *Notebooks) check(o *openNotebook) {
	o.changes++
	n.workspace.Hold(o.path, unsavedCells)
	if !o.checking {
		o.checking = true
		n.background.Go(func() { n.compare(o) })
	}
}

// compare compares a notebook with its file until nothing has changed meanwhile.
func (n *Notebooks) compare(o *openNotebook) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for o.checking {
		changes, cells := o.changes, o.cells
		n.mu.Unlock()
		same := n.onDisk(o.path, cells)
		n.mu.Lock()
		if o.changes != changes {
			continue
		}
		o.checking = false
		if same && !o.lost && n.open[o.uri] == o {
			n.workspace.Release(o.path)
		}
	}
}

// onDisk reports whether the file has these cells.
func (n *Notebooks) onDisk(path string, cells notebookCells) bool {
	text, err := n.workspace.ReadDisk(n.background.Context(), path, notebook.MaxBytes)
	if err != nil {
		return false
	}
	nb, err := notebook.Parse(text)
	return err == nil && nb.HasSources(cells.sources())
}

// NotebookSync returns which notebooks are synced: those of files, with all of their cells.
func NotebookSync() *protocol.NotebookDocumentSyncOptions {
	scheme, yes := "file", true
	return &protocol.NotebookDocumentSyncOptions{
		NotebookSelector: []protocol.NotebookSelector{&protocol.NotebookDocumentFilterWithNotebook{
			Notebook: &protocol.NotebookDocumentFilterPattern{Scheme: &scheme, Pattern: protocol.Pattern("**/*.ipynb")},
		}},
		Save: &yes,
	}
}
