package workspace

// Hold notes why a file may not be edited, such as a notebook whose cells in an editor are not those on disk. The file
// is read as before. A later reason replaces an earlier one, and Release ends it.
func (w *Workspace) Hold(path, why string) {
	w.setBuffer(w.held, &buffer{path: w.canonical(path), unknown: why})
}

// Release ends Hold.
func (w *Workspace) Release(path string) { w.deleteBuffer(w.held, path) }

// Held returns why a file may not be edited, in words that end with what the person can do; "" if it may be edited.
func (w *Workspace) Held(path string) (why string) {
	key := w.Key(w.canonical(path))
	w.mu.RLock()
	defer w.mu.RUnlock()
	if b := w.held[key]; b != nil {
		return b.unknown
	}
	return ""
}
