package project

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// AddRoot opens one more folder, of an absolute path.
func (p *Project) AddRoot(root string) error {
	if err := p.Workspace.AddRoot(root); err != nil {
		return err
	}
	p.indexer.rootsChanged()
	return nil
}

// RemoveRoot closes a folder. A path that is not open is ignored.
func (p *Project) RemoveRoot(root string) {
	if root == "" {
		return
	}
	p.Workspace.RemoveRoot(root)
	p.indexer.rootsChanged()
}

// Roots returns the folders of the workspace, and a channel that is closed when
// there may be others.
func (p *Project) Roots() (roots []string, changed <-chan struct{}) {
	changed = p.indexer.rootChanges.next()
	return p.Workspace.Roots(), changed
}

// SetWatched takes the folders whose changes the front end reports by DiskChanged
// from now on.
func (p *Project) SetWatched(roots []string) { p.indexer.setWatched(roots) }

// rootsChanged gives the index the folders that the workspace has.
func (i *indexer) rootsChanged() {
	i.restart() // the scan may be reading a folder that is closed now
	i.request(func(r *request) { r.roots, r.scan = true, true })
	i.rootChanges.announce()
}

// syncRoots opens and closes indexes until each folder of the workspace has one,
// and returns these folders.
func (i *indexer) syncRoots(ctx context.Context, indexed []string) []string {
	roots := i.workspace.Roots()
	for _, root := range indexed {
		if slices.Contains(roots, root) {
			continue
		}
		if err := i.index.RemoveRoot(root); err != nil {
			i.log.Error("closing the index of a folder", "folder", root, "error", err)
		}
	}
	var open []string
	for _, root := range roots {
		if err := i.index.AddRoot(ctx, root); err != nil {
			i.workspace.RemoveRoot(root)
			i.frontEnd.ShowMessage(Error, fmt.Sprintf("the folder %s could not be opened: %v", root, err))
			continue
		}
		open = append(open, root)
	}
	return open
}

// active notes that the person does something.
func (i *indexer) active() {
	if i.diskWatched() {
		return
	}
	i.request(func(r *request) { r.scan = r.scan || i.scanned && time.Since(i.lastScan) > staleAfter })
}

// diskWatched reports whether the front end reports changes of all folders.
func (i *indexer) diskWatched() bool {
	roots := i.workspace.Roots()
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(roots) > 0 && containsAll(i.watched, roots)
}

// setWatched takes the folders whose changes the front end reports from now on.
// Earlier changes of a new one were not seen, so the disk is scanned.
func (i *indexer) setWatched(roots []string) {
	i.mu.Lock()
	more := !containsAll(i.watched, roots)
	i.watched = slices.Clone(roots)
	i.mu.Unlock()
	if more {
		i.rescan()
	}
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(list, s) })
}
