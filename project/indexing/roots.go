package indexing

import (
	"context"
	"fmt"
	"slices"
)

// Roots returns the folders of the workspace, and a channel that is closed when there may be
// others.
func (i *Indexer) Roots() (roots []string, changed <-chan struct{}) {
	changed = i.rootChanges.Next()
	return i.Workspace.Roots(), changed
}

// RootsChanged gives the index the folders that the workspace has.
func (i *Indexer) RootsChanged() {
	i.restart() // the scan may be reading a folder that is closed now
	i.request(func(r *request) { r.roots, r.scan = true, true })
	i.rootChanges.Announce()
}

// syncRoots opens and closes indexes until each folder of the workspace has one,
// and returns these folders.
func (i *Indexer) syncRoots(ctx context.Context, indexed []string) []string {
	roots := i.Workspace.Roots()
	for _, root := range indexed {
		if slices.Contains(roots, root) {
			continue
		}
		if err := i.Index.RemoveRoot(root); err != nil {
			i.Log.Error("closing the index of a folder", "folder", root, "error", err)
		}
	}
	var open []string
	for _, root := range roots {
		if err := i.Index.AddRoot(ctx, root); err != nil {
			i.Workspace.RemoveRoot(root)
			i.FrontEnd.ShowError(fmt.Sprintf("the folder %s could not be opened: %v", root, err))
			continue
		}
		open = append(open, root)
	}
	return open
}
