package workspace

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Text is what a path says now, of which only parts are read. Its owner closes it.
type Text struct {
	Path    string    // canonical
	Size    int64     // of the file on disk, in bytes
	ModTime time.Time // of the file on disk
	Open    bool      // an editor has the text; Size and ModTime say nothing then

	buffer *File
	file   *os.File
	start  int64 // of the text in the file, after a byte order mark
}

// Open finds what Read would return, and fails where Read would.
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

// Len is the length of the text in bytes, without a byte order mark.
func (t *Text) Len() int {
	if t.Open {
		return len(t.buffer.Text)
	}
	return int(t.Size - t.start)
}

// Part returns the text from the byte start up to end, and fails where it is shorter.
// Nobody may modify it.
func (t *Text) Part(start, end int) ([]byte, error) {
	if start < 0 || start > end || end > t.Len() {
		return nil, fmt.Errorf("%s has %d bytes, and no part from %d to %d", t.Path, t.Len(), start, end)
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

// Close gives the file back.
func (t *Text) Close() error {
	if t.Open {
		return nil
	}
	return t.file.Close()
}
