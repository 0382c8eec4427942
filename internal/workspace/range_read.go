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

	buffer *File
	file   *os.File
	start  int64 // the offset of the text in the file, after a byte order mark
}

// Open opens the content that Read would return. It fails when Read would fail.
func (w *Workspace) Open(ctx context.Context, path string) (*Text, error) {
	o, err := w.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if o.buffer != nil {
		return &Text{Path: o.path, Open: true, buffer: o.buffer}, nil
	}
	t := &Text{Path: o.path, Size: o.info.Size(), ModTime: o.info.ModTime(), file: o.file}
	mark := make([]byte, len(ByteOrderMark))
	if n, _ := o.file.ReadAt(mark, 0); string(mark[:n]) == ByteOrderMark {
		t.start = int64(n)
	}
	return t, nil
}

// Len returns the length of the text in bytes, without a byte order mark.
func (t *Text) Len() int {
	if t.Open {
		return len(t.buffer.Text)
	}
	return int(t.Size - t.start)
}

// Part returns the bytes from start up to, but not including, end. It fails if the text is
// shorter. The result must not be modified.
func (t *Text) Part(start, end int) ([]byte, error) {
	if start < 0 || start > end || end > t.Len() {
		return nil, fmt.Errorf("%s has %d bytes, so there is no range from %d to %d", t.Path, t.Len(), start, end)
	}
	if t.Open {
		return t.buffer.Text[start:end:end], nil
	}
	part := make([]byte, end-start)
	if _, err := t.file.ReadAt(part, t.start+int64(start)); err != nil {
		return nil, err
	}
	return part, nil
}

// Close closes the file.
func (t *Text) Close() error {
	if t.Open {
		return nil
	}
	return t.file.Close()
}
