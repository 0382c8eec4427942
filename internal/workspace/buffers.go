package workspace

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Content is an immutable text that is put together when it is read.
type Content interface {
	Len() int      // in bytes
	Bytes() []byte // the caller may keep, but not modify it
}

// plain is a content in one piece.
type plain []byte

func (p plain) Len() int      { return len(p) }
func (p plain) Bytes() []byte { return p }

// bufferMap holds buffers by the key of their canonical path; see Key.
type bufferMap map[string]*buffer

// buffer is what an editor says about an open document.
type buffer struct {
	path    string // canonical
	size    int64
	file    func() *File // puts the text together on its first call; nil if the text is unknown
	unknown string       // why
}

// SetContent makes text the content of path until CloseBuffer. It is called when an editor
// opens or changes the document. It does not read the text.
func (w *Workspace) SetContent(path string, version int32, text Content) {
	w.setBuffer(w.buffers, newBuffer(w.canonical(path), version, text))
}

func newBuffer(canonical string, version int32, text Content) *buffer {
	changed := time.Now()
	return &buffer{path: canonical, size: int64(text.Len()), file: sync.OnceValue(func() *File {
		f := newFile(canonical, text.Bytes())
		f.Open, f.Version, f.ModTime = true, version, changed
		return f
	})}
}

// SetBuffer is like SetContent with a copy of text.
func (w *Workspace) SetBuffer(path string, version int32, text []byte) {
	w.SetContent(path, version, plain(slices.Clone(text)))
}

// SetUnknown notes that path is open in an editor, but with a text that is not known. Until
// SetContent or CloseBuffer, reading fails with a *SkippedError that says why.
func (w *Workspace) SetUnknown(path, why string) {
	w.setBuffer(w.buffers, &buffer{path: w.canonical(path), unknown: why})
}

// Borrow makes text, which is open in another process's editor, the content of path until
// Return. A buffer of this process takes precedence.
func (w *Workspace) Borrow(path string, version int32, text Content) {
	w.setBuffer(w.borrowed, newBuffer(w.canonical(path), version, text))
}

// BorrowUnknown is what SetUnknown is to SetContent.
func (w *Workspace) BorrowUnknown(path, why string) {
	w.setBuffer(w.borrowed, &buffer{path: w.canonical(path), unknown: why})
}

// Return ends Borrow.
func (w *Workspace) Return(path string) { w.deleteBuffer(w.borrowed, path) }

// setBuffer adds to buffers, one of the maps of w.
func (w *Workspace) setBuffer(buffers bufferMap, b *buffer) {
	key := w.Key(b.path)
	w.mu.Lock()
	defer w.mu.Unlock()
	buffers[key] = b
}

func (w *Workspace) deleteBuffer(buffers bufferMap, path string) {
	key := w.Key(w.canonical(path))
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(buffers, key)
}

// CloseBuffer makes the file on disk the content of path again.
func (w *Workspace) CloseBuffer(path string) { w.deleteBuffer(w.buffers, path) }

// IsOpen reports whether path is open in an editor, and whether Buffer returns its text.
func (w *Workspace) IsOpen(path string) (open, known bool) {
	b := w.openBuffer(w.canonical(path))
	return b != nil, b != nil && w.skipBuffer(b) == ""
}

// Buffer returns the editor's text of path, unless it is unknown or too large. The path may
// lie outside the roots or name a skipped file, because the user has opened it.
func (w *Workspace) Buffer(path string) (*File, bool) {
	path = w.canonical(path)
	f, err := w.buffer(path)
	return f.at(path), f != nil && err == nil
}

// buffer returns the editor's text of a path; nil if it is not open. The error is a
// *SkippedError if it is open, but its text is not served.
func (w *Workspace) buffer(canonical string) (*File, error) {
	b := w.openBuffer(canonical)
	if b == nil {
		return nil, nil
	}
	switch skip := w.skipBuffer(b); skip {
	case "":
		return b.file(), nil
	case TooLarge:
		return nil, tooLarge(w.Rel(canonical), w.maxFileBytes.Load())
	default:
		return nil, &SkippedError{Rel: w.Rel(canonical), Skip: skip, Hint: b.unknown}
	}
}

func (w *Workspace) openBuffer(canonical string) *buffer {
	key := w.Key(canonical)
	w.mu.RLock()
	defer w.mu.RUnlock()
	return cmp.Or(w.buffers[key], w.borrowed[key])
}

// skipBuffer returns why the text of a buffer is not served.
func (w *Workspace) skipBuffer(b *buffer) Skip {
	switch {
	case b.file == nil:
		return OutOfStep
	case b.size > w.maxFileBytes.Load():
		return TooLarge
	}
	return ""
}

// Buffers returns the sorted paths of the buffers that Read serves: those inside the roots
// that are not skipped, and whose text is known and not too large.
func (w *Workspace) Buffers() []string {
	return slices.DeleteFunc(w.OpenFiles(), func(path string) bool {
		b := w.openBuffer(path)
		return b == nil || w.skipBuffer(b) != ""
	})
}

// OpenFiles returns the sorted paths of all open documents inside the roots that are not
// skipped.
func (w *Workspace) OpenFiles() []string {
	w.mu.RLock()
	open := make([]string, 0, len(w.buffers))
	for _, b := range w.buffers {
		open = append(open, b.path)
	}
	for key, b := range w.borrowed {
		if w.buffers[key] == nil {
			open = append(open, b.path)
		}
	}
	w.mu.RUnlock()
	if w.inexact.Load() {
		for i, path := range open {
			open[i] = w.Canonical(path) // the file may be renamed in case alone
		}
	}
	slices.Sort(open)
	return slices.DeleteFunc(open, func(path string) bool { return w.skipResolved(path, false) != "" })
}
