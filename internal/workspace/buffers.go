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

// openTexts are the texts that are open in editors, which take precedence over the files in the folders.
type openTexts struct {
	*folders
	buffers  bufferMap // of this process's editor
	borrowed bufferMap // of other processes' editors
	held     bufferMap // files that may not be edited; see Hold
}

// buffer is what an editor says about an open document.
type buffer struct {
	path    string // canonical
	size    int64
	file    func() *File // puts the text together on its first call; nil if the text is unknown
	unknown string       // why
}

// SetContent makes text the content of path until CloseBuffer. It is called when an editor
// opens or changes the document. It does not read the text.
func (o *openTexts) SetContent(path string, version int32, text Content) {
	o.setBuffer(o.buffers, newBuffer(o.canonical(path), version, text))
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
func (o *openTexts) SetBuffer(path string, version int32, text []byte) {
	o.SetContent(path, version, plain(slices.Clone(text)))
}

// SetUnknown notes that path is open in an editor, but with a text that is not known. Until
// SetContent or CloseBuffer, reading fails with a *SkippedError that says why.
func (o *openTexts) SetUnknown(path, why string) {
	o.setBuffer(o.buffers, &buffer{path: o.canonical(path), unknown: why})
}

// Borrow makes text, which is open in another process's editor, the content of path until
// Return. A buffer of this process takes precedence.
func (o *openTexts) Borrow(path string, version int32, text Content) {
	o.setBuffer(o.borrowed, newBuffer(o.canonical(path), version, text))
}

// BorrowUnknown is what SetUnknown is to SetContent.
func (o *openTexts) BorrowUnknown(path, why string) {
	o.setBuffer(o.borrowed, &buffer{path: o.canonical(path), unknown: why})
}

// Return ends Borrow.
func (o *openTexts) Return(path string) { o.deleteBuffer(o.borrowed, path) }

// setBuffer adds to buffers, one of the maps of w.
func (o *openTexts) setBuffer(buffers bufferMap, b *buffer) {
	key := o.Key(b.path)
	o.mu.Lock()
	defer o.mu.Unlock()
	buffers[key] = b
}

func (o *openTexts) deleteBuffer(buffers bufferMap, path string) {
	key := o.Key(o.canonical(path))
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(buffers, key)
}

// CloseBuffer makes the file on disk the content of path again.
func (o *openTexts) CloseBuffer(path string) { o.deleteBuffer(o.buffers, path) }

// IsOpen reports whether path is open in an editor, and whether Buffer returns its text.
func (o *openTexts) IsOpen(path string) (open, known bool) {
	b := o.openBuffer(o.canonical(path))
	return b != nil, b != nil && o.skipBuffer(b) == ""
}

// Buffer returns the editor's text of path, unless it is unknown or too large. The path may
// lie outside the roots or name a skipped file, because the user has opened it.
func (o *openTexts) Buffer(path string) (*File, bool) {
	path = o.canonical(path)
	f, err := o.buffer(path)
	return f.at(path), f != nil && err == nil
}

// buffer returns the editor's text of a path; nil if it is not open. The error is a
// *SkippedError if it is open, but its text is not served.
func (o *openTexts) buffer(canonical string) (*File, error) {
	b := o.openBuffer(canonical)
	if b == nil {
		return nil, nil
	}
	switch skip := o.skipBuffer(b); skip {
	case "":
		return b.file(), nil
	case TooLarge:
		return nil, tooLarge(o.Rel(canonical), o.maxFileBytes.Load())
	default:
		return nil, &SkippedError{Rel: o.Rel(canonical), Skip: skip, Hint: b.unknown}
	}
}

func (o *openTexts) openBuffer(canonical string) *buffer {
	key := o.Key(canonical)
	o.mu.RLock()
	defer o.mu.RUnlock()
	return cmp.Or(o.buffers[key], o.borrowed[key])
}

// skipBuffer returns why the text of a buffer is not served.
func (o *openTexts) skipBuffer(b *buffer) Skip {
	switch {
	case b.file == nil:
		return OutOfStep
	case b.size > o.maxFileBytes.Load():
		return TooLarge
	}
	return ""
}

// Buffers returns the sorted paths of the buffers that Read serves: those inside the roots
// that are not skipped, and whose text is known and not too large.
func (o *openTexts) Buffers() []string {
	return slices.DeleteFunc(o.OpenFiles(), func(path string) bool {
		b := o.openBuffer(path)
		return b == nil || o.skipBuffer(b) != ""
	})
}

// OpenFiles returns the sorted paths of all open documents inside the roots that are not
// skipped.
func (o *openTexts) OpenFiles() []string {
	o.mu.RLock()
	open := make([]string, 0, len(o.buffers))
	for _, b := range o.buffers {
		open = append(open, b.path)
	}
	for key, b := range o.borrowed {
		if o.buffers[key] == nil {
			open = append(open, b.path)
		}
	}
	o.mu.RUnlock()
	if o.inexact.Load() {
		for i, path := range open {
			open[i] = o.Canonical(path) // the file may be renamed in case alone
		}
	}
	slices.Sort(open)
	return slices.DeleteFunc(open, func(path string) bool { return o.skipResolved(path, false) != "" })
}
