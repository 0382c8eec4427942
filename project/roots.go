package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
	"ploke-lsp/project/peers"
	"ploke-lsp/session/bus"
)

// Folders opens and closes the folders of a project.
type Folders struct {
	ws       *workspace.Workspace
	frontEnd FrontEnd
	bus      *bus.Bus
	getenv   func(string) string
	indexer  *indexing.Indexer
	peers    *peers.Group
	absent   absentRoots
}

// Add opens more folders, of absolute paths. The person is told of one that can't be
// opened, such as one that does not exist. It is opened later if a file in it is, or if it
// is added again.
func (f *Folders) Add(roots []string) {
	f.add(roots)
	f.changed()
}

func (f *Folders) add(roots []string) {
	for _, root := range roots {
		f.absent.remove(root)
		if err := f.open(root); err != nil {
			f.absent.add(root)
			f.frontEnd.ShowMessage(Warning, fmt.Sprintf(
				"the folder %s could not be opened: %v. ploke serves what else is open, and this folder once a file in it is "+
					"opened", root, err))
		}
	}
}

// enter opens the folder of a document that the editor has opened, if that folder
// could not be opened before. Without any folder, the document's own becomes the root.
func (f *Folders) enter(path string) {
	for _, root := range f.absent.around(f.ws, path) {
		if f.open(root) == nil {
			f.absent.remove(root)
			f.changed()
			f.frontEnd.ShowMessage(Info, fmt.Sprintf("the folder %s is served now", root))
		}
	}
	if len(f.ws.Roots()) > 0 {
		return
	}
	switch err := f.open(filepath.Dir(path)); {
	case err == nil:
		f.changed()
	case !errors.Is(err, os.ErrNotExist):
		f.bus.Publish(bus.Notice{Text: fmt.Sprintf("the folder of %s could not be opened: %v", path, err)})
	}
}

// absentRoots are folders that the person opened, but that could not be opened. The zero
// value is ready to use.
type absentRoots struct {
	mu   sync.Mutex
	list []string
}

func (a *absentRoots) add(root string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, root)
}

func (a *absentRoots) remove(root string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = slices.DeleteFunc(a.list, func(r string) bool { return filepath.Clean(r) == filepath.Clean(root) })
}

// around returns the folders that contain a canonical path.
func (a *absentRoots) around(w *workspace.Workspace, path string) (roots []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, root := range a.list {
		if rel, err := filepath.Rel(w.Canonical(root), path); err == nil && filepath.IsLocal(rel) {
			roots = append(roots, root)
		}
	}
	return roots
}

// Remove closes a folder. A path that is not open is ignored.
func (f *Folders) Remove(root string) {
	if root == "" {
		return
	}
	f.absent.remove(root)
	f.ws.RemoveRoot(root)
	f.changed()
}

// changed notes that the workspace has other folders.
func (f *Folders) changed() {
	f.indexer.RootsChanged()
	f.peers.RootsChanged()
}
