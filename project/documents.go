package project

import (
	"context"
	"errors"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
)

// Opened takes the text of a document that the editor has opened. An empty path
// is ignored.
func (p *Project) Opened(path string, version int32, text workspace.Content) {
	if p == nil || path == "" {
		return
	}
	p.Folders.enter(path)
	p.Changed(path, version, text)
	p.Indexer.Active()
}

// OutOfStep notes that a document is open in the editor with a text that is not known.
// Until the text comes by Opened or Changed, or Closed, the file is neither searched nor
// read nor edited; why says in a message for the person what happened. An empty path is
// ignored.
func (p *Project) OutOfStep(path, why string) {
	if p == nil || path == "" {
		return
	}
	p.Folders.enter(path)
	p.Workspace.SetUnknown(path, why)
	p.debouncer.Hide(path)
	p.peers.Set(path, &peers.Document{Hidden: why})
	p.texts.Announce()
}

// Changed takes the new text of an open document. It does not read it. An empty path
// is ignored.
func (p *Project) Changed(path string, version int32, text workspace.Content) {
	if p == nil || path == "" {
		return
	}
	p.Workspace.SetContent(path, version, text)
	p.debouncer.Changed(path)
	p.peers.Set(path, &peers.Document{Version: version, Text: text})
	p.texts.Announce()
}

// Saved notes that the editor has written a file. An empty path is ignored.
func (p *Project) Saved(path string) {
	if p == nil || path == "" {
		return
	}
	p.Indexer.Saved(path)
}

// Closed makes the disk's text of a document count again. An empty path is ignored.
func (p *Project) Closed(path string) {
	if p == nil || path == "" {
		return
	}
	p.Workspace.CloseBuffer(path)
	p.debouncer.Closed(path)
	p.peers.Set(path, nil)
	p.Indexer.DiskChanged(path)
	p.texts.Announce()
}

// IndexUnsaved indexes the unsaved texts that the index does not have yet, those of other processes
// included. What reads the index for a person who asks once calls it first: then what was just typed is
// found, and the places are those of the text that was there at the call. A long text takes 100 ms and
// more. It fails only when ctx ends.
func (p *Project) IndexUnsaved(ctx context.Context) error {
	return errors.Join(p.debouncer.Flush(ctx), p.peers.Flush(ctx))
}

// WatcherReported notes files and folders that may have changed on disk, as a watcher of
// the disk reports them. Empty paths are ignored.
func (p *Project) WatcherReported(paths []string) {
	if p != nil {
		p.Indexer.WatcherReported(paths)
	}
}

// DiskChanged notes files and folders that may have changed on disk, because of something
// that the front end or the project has done. Empty paths are ignored.
func (p *Project) DiskChanged(paths []string) {
	if p != nil {
		p.Indexer.DiskChanged(paths...)
	}
}
