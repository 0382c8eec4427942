package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
)

// AddRoots opens more folders, of absolute paths. The person is told of one that can't be
// opened, such as one that does not exist. It is opened later if a file in it is, or if it
// is added again.
func (p *Project) AddRoots(roots []string) {
	p.addRoots(roots)
	p.rootsChanged()
}

func (p *Project) addRoots(roots []string) {
	for _, root := range roots {
		p.absent.remove(root)
		if err := p.addRoot(root); err != nil {
			p.absent.add(root)
			p.frontEnd.ShowMessage(Warning, fmt.Sprintf(
				"the folder %s could not be opened: %v. ploke serves what else is open, and this folder once a file in it is opened", root, err))
		}
	}
}

// enterFolder opens the folder of a document that the editor has opened, if that folder
// could not be opened before. Without any folder, the document's own becomes the root.
func (p *Project) enterFolder(path string) {
	for _, root := range p.absent.around(p.Workspace, path) {
		if p.addRoot(root) == nil {
			p.absent.remove(root)
			p.rootsChanged()
			p.frontEnd.ShowMessage(Info, fmt.Sprintf("the folder %s is served now", root))
		}
	}
	if len(p.Workspace.Roots()) > 0 {
		return
	}
	switch err := p.addRoot(filepath.Dir(path)); {
	case err == nil:
		p.rootsChanged()
	case !errors.Is(err, os.ErrNotExist):
		p.bus.Publish(bus.Notice{Text: fmt.Sprintf("the folder of %s could not be opened: %v", path, err)})
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

// RemoveRoot closes a folder. A path that is not open is ignored.
func (p *Project) RemoveRoot(root string) {
	if root == "" {
		return
	}
	p.absent.remove(root)
	p.Workspace.RemoveRoot(root)
	p.rootsChanged()
}

// Roots returns the folders of the workspace, and a channel that is closed when
// there may be others.
func (p *Project) Roots() (roots []string, changed <-chan struct{}) {
	return p.indexer.Roots()
}

// RootsChanged notes that the workspace has other folders.
func (p *Project) rootsChanged() {
	p.indexer.RootsChanged()
	p.peers.RootsChanged()
}
