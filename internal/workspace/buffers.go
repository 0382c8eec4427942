package workspace

import (
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
	path, changed := w.canonical(path), time.Now()
	w.setBuffer(&buffer{path: path, size: int64(text.Len()), file: sync.OnceValue(func() *File {
		f := newFile(path, text.Bytes())
		f.Open, f.Version, f.ModTime = true, version, changed
		return f
	})})
}

// SetBuffer is like SetContent with a copy of text.
func (w *Workspace) SetBuffer(path string, version int32, text []byte) {
	w.SetContent(path, version, plain(slices.Clone(text)))
}

// SetUnknown notes that path is open in an editor, but with a text that is not known. Until
// SetContent or CloseBuffer, reading fails with a *SkippedError that says why.
func (w *Workspace) SetUnknown(path, why string) {
	w.setBuffer(&buffer{path: w.canonical(path), unknown: why})
}

func (w *Workspace) setBuffer(b *buffer) {
	key := w.Key(b.path)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffers[key] = b
}

// CloseBuffer makes the file on disk the content of path again.
func (w *Workspace) CloseBuffer(path string) {
	key := w.Key(w.canonical(path))
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.buffers, key)
}

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
	return w.buffers[key]
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
	w.mu.RUnlock()
	if w.inexact.Load() {
		for i, path := range open {
			open[i] = w.Canonical(path) // the file may be renamed in case alone
		}
	}
	slices.Sort(open)
	return slices.DeleteFunc(open, func(path string) bool { return w.skipResolved(path, false) != "" })
}
