package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ploke-lsp/session/bus"
)

// Opened takes the text of a document that the editor has opened. An empty path
// is ignored. Without any folder, the document's own becomes the root.
func (p *Project) Opened(path string, version int32, text []byte) {
	if p == nil || path == "" {
		return
	}
	if len(p.Workspace.Roots()) == 0 {
		if err := p.AddRoot(filepath.Dir(path)); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.bus.Publish(bus.Notice{Text: fmt.Sprintf("the folder of %s could not be opened: %v", path, err)})
		}
	}
	p.Changed(path, version, text)
	p.indexer.active()
}

// Changed takes the new text of an open document. An empty path is ignored.
func (p *Project) Changed(path string, version int32, text []byte) {
	if p == nil || path == "" {
		return
	}
	p.Workspace.SetBuffer(path, version, text)
	p.debouncer.changed(path)
	p.texts.announce()
}

// Saved notes that the editor has written a file. An empty path is ignored.
func (p *Project) Saved(path string) {
	if p == nil || path == "" {
		return
	}
	p.indexer.saved(path)
}

// Closed makes the disk's text of a document count again. An empty path is ignored.
func (p *Project) Closed(path string) {
	if p == nil || path == "" {
		return
	}
	p.Workspace.CloseBuffer(path)
	p.debouncer.closed(path)
	p.indexer.diskChanged(path)
	p.texts.announce()
}

// DiskChanged notes files and folders that may have changed on disk. Empty paths
// are ignored.
func (p *Project) DiskChanged(paths []string) {
	if p == nil {
		return
	}
	p.indexer.diskChanged(slices.DeleteFunc(paths, func(path string) bool { return path == "" })...)
}

// Active notes that the person does something, such as asking for code actions.
// Where the disk is not watched, it may have changed meanwhile.
func (p *Project) Active() { p.indexer.active() }
