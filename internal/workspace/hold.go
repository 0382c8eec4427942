package workspace

// Hold notes why a file may not be edited, such as a notebook whose cells in an editor are not those on disk. The file
// is read as before. A later reason replaces an earlier one, and Release ends it.
func (o *openTexts) Hold(path, why string) {
	o.setBuffer(o.held, &buffer{path: o.canonical(path), unknown: why})
}

// Release ends Hold.
func (o *openTexts) Release(path string) { o.deleteBuffer(o.held, path) }

// Held returns why a file may not be edited, in words that end with what the person can do; "" if it may be edited.
func (o *openTexts) Held(path string) (why string) {
	key := o.Key(o.canonical(path))
	o.mu.RLock()
	defer o.mu.RUnlock()
	if b := o.held[key]; b != nil {
		return b.unknown
	}
	return ""
}
