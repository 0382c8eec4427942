package workspace

import (
	"maps"
	"slices"
	"time"
)

// SetBuffer makes a copy of text the content of path until CloseBuffer. It is called when
// an editor opens or changes the document.
func (w *Workspace) SetBuffer(path string, version int32, text []byte) {
	path = w.canonical(path)
	f := newFile(path, append([]byte(nil), text...))
	f.Open, f.Version, f.ModTime = true, version, time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffers[path] = f
}

// CloseBuffer makes the file on disk the content of path again.
func (w *Workspace) CloseBuffer(path string) {
	path = w.canonical(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.buffers, path)
}

// Buffer returns the editor's text of path. The path may lie outside the roots or name a
// skipped file, because the user has opened it.
func (w *Workspace) Buffer(path string) (*File, bool) {
	return w.buffer(w.canonical(path))
}

func (w *Workspace) buffer(canonical string) (*File, bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	f, ok := w.buffers[canonical]
	return f, ok
}

// Buffers returns the sorted paths of the buffers that Read serves: those inside the roots
// that are not skipped.
func (w *Workspace) Buffers() []string {
	w.mu.RLock()
	open := slices.Sorted(maps.Keys(w.buffers))
	w.mu.RUnlock()
	return slices.DeleteFunc(open, func(path string) bool { return w.skipResolved(path, false) != "" })
}
