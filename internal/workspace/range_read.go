package workspace

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Text is the current content of a path, opened for reading ranges of it. The caller must
// close it.
type Text struct {
	Path    string    // canonical
	Size    int64     // of the file on disk, in bytes
	ModTime time.Time // of the file on disk
	Open    bool      // the content is an editor's buffer; Size and ModTime are not set

	text  []byte   // the whole text, if file is nil
	file  *os.File // has the text as it is
	start int64    // the offset of the text in the file, after a byte order mark
}

// knownText says that a file of a certain size and time stores its text as it is.
type knownText struct {
	size    int64
	modTime time.Time
	start   int64 // the offset of the text in the file
}

// maxKnownTexts bounds the memory for what is known about files.
const maxKnownTexts = 20_000

// knownText returns what is known about an opened file.
func (w *Workspace) knownText(o openedFile) (known knownText, ok bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	known, ok = w.known[o.path]
	return known, ok && known.size == o.info.Size() && known.modTime.Equal(o.info.ModTime())
}

func (w *Workspace) setKnownText(path string, known knownText) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.known) >= maxKnownTexts {
		clear(w.known)
	}
	w.known[path] = known
}

// Open opens the content that Read would return. It fails when Read would fail. It reads all of
// a file the first time, to know its encoding.
func (w *Workspace) Open(ctx context.Context, path string) (*Text, error) {
	o, err := w.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if o.buffer != nil {
		return &Text{Path: o.path, Open: true, text: o.buffer.Text}, nil
	}
	t := &Text{Path: o.path, Size: o.info.Size(), ModTime: o.info.ModTime()}
	if known, ok := w.knownText(o); ok {
		t.file, t.start = o.file, known.start
		return t, nil
	}
	defer o.file.Close()
	data, err := o.read(w.maxFileBytes.Load())
	if err != nil {
		return nil, err
	}
	var e Encoding
	if t.text, e, _ = decode(o.path, data); e.Charset == "" && int64(len(data)) == t.Size {
		w.setKnownText(o.path, knownText{t.Size, t.ModTime, int64(len(data) - len(t.text))})
	}
	return t, nil
}

// Len returns the length of the text in bytes, without a byte order mark.
func (t *Text) Len() int {
	if t.file == nil {
		return len(t.text)
	}
	return int(t.Size - t.start)
}

// Part returns the bytes from start up to, but not including, end. It fails if the text is
// shorter. The result must not be modified.
func (t *Text) Part(start, end int) ([]byte, error) {
	if start < 0 || start > end || end > t.Len() {
		return nil, fmt.Errorf("%s has %d bytes, so there is no range from %d to %d", t.Path, t.Len(), start, end)
	}
	if t.file == nil {
		return t.text[start:end:end], nil
	}
	part := make([]byte, end-start)
	if _, err := t.file.ReadAt(part, t.start+int64(start)); err != nil {
		return nil, err
	}
	return part, nil
}

// Close closes the file.
func (t *Text) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
