package workspace

import (
	"context"
	"fmt"
	"time"
)

// Text is the current content of a path, without its hash, which takes most of the time of
// reading a file.
type Text struct {
	Path    string    // canonical
	Size    int64     // of the file on disk, in bytes
	ModTime time.Time // of the file on disk
	Open    bool      // the content is an editor's buffer; Size and ModTime are not set

	text []byte
}

// Open returns the content that Read would return. It fails when Read would fail.
func (w *Workspace) Open(ctx context.Context, path string) (*Text, error) {
	o, err := w.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if o.buffer != nil {
		return &Text{Path: o.path, Open: true, text: o.buffer.Text}, nil
	}
	defer o.file.Close()
	data, err := o.read(w.maxFileBytes.Load())
	if err != nil {
		return nil, err
	}
	t := &Text{Path: o.path, Size: o.info.Size(), ModTime: o.info.ModTime()}
	t.text, _, _ = decode(o.path, data)
	return t, nil
}

// Len returns the length of the text in bytes, without a byte order mark.
func (t *Text) Len() int { return len(t.text) }

// Part returns the bytes from start up to, but not including, end. It fails if the text is
// shorter. The result must not be modified.
func (t *Text) Part(start, end int) ([]byte, error) {
	if start < 0 || start > end || end > t.Len() {
		return nil, fmt.Errorf("%s has %d bytes, so there is no range from %d to %d", t.Path, t.Len(), start, end)
	}
	return t.text[start:end:end], nil
}
