package workspace

import (
	"context"
	"fmt"
	"time"
)

// Text is the current content of a path, opened for reading ranges of it. The caller must
// close it.
type Text struct {
	Path    string    // canonical
	Size    int64     // of the file on disk, in bytes
	ModTime time.Time // of the file on disk
	Open    bool      // the content is an editor's buffer; Size and ModTime are not set
	Hash    string    // as that of a File; "" if it is not known

	text  []byte   // the whole text, if file is nil
	file  diskFile // has the text as it is
	start int64    // the offset of the text in the file, after a byte order mark
}

// PlainFile says that a file, while it has that size and time, stores its text as it is.
type PlainFile struct {
	Size     int64
	Modified int64 // Unix nanoseconds
	Start    int64 // the offset of the text in the file, after a byte order mark
	Hash     string
}

// Plain returns what is known about a file of that size and time, in bytes and Unix nanoseconds,
// from its snapshot, which was read from the disk. ok is false if the file stores another text.
func (f *File) Plain(size, modified int64) (plain PlainFile, ok bool) {
	plain = PlainFile{Size: size, Modified: modified, Hash: f.Hash}
	if f.BOM {
		plain.Start = int64(len(ByteOrderMark))
	}
	return plain, f.Charset == "" && plain.Start+int64(len(f.Text)) == size
}

// maxPlainFiles bounds the memory for what is known about files.
const maxPlainFiles = 20_000

// plainFile returns what is known about an opened file.
func (w *Workspace) plainFile(o openedFile) (known PlainFile, ok bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	known, ok = w.plain[o.path]
	return known, ok && known.Size == o.info.size && known.Modified == o.info.modified.UnixNano()
}

// SetPlain spares Open the reading of a whole file. The path is canonical.
func (w *Workspace) SetPlain(path string, known PlainFile) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.plain) >= maxPlainFiles {
		clear(w.plain)
	}
	w.plain[path] = known
}

// Open opens the content that Read would return. It fails when Read would fail. It reads all of
// a file of which it is not known that it is plain, to know its encoding.
func (w *Workspace) Open(ctx context.Context, path string) (*Text, error) {
	o, err := w.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if o.buffer != nil {
		return &Text{Path: o.path, Open: true, Hash: o.buffer.Hash, text: o.buffer.Text}, nil
	}
	t := &Text{Path: o.path, Size: o.info.size, ModTime: o.info.modified}
	if known, ok := w.plainFile(o); ok {
		t.file, t.start, t.Hash = o.file, known.Start, known.Hash
		return t, nil
	}
	defer o.file.Close()
	data, err := o.read(w.maxFileBytes.Load())
	if err != nil {
		return nil, err
	}
	f := File{}
	f.Text, f.Encoding, _ = decode(o.path, data)
	if plain, ok := f.Plain(t.Size, t.ModTime.UnixNano()); ok {
		w.SetPlain(o.path, plain)
	}
	t.text = f.Text
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
func (t *Text) Part(start, end int) ([]byte, error) { return t.PartInto(new([]byte), start, end) }

// PartInto is Part with the memory of buf, which it replaces if that is too small. The result is
// valid until the next use of buf.
func (t *Text) PartInto(buf *[]byte, start, end int) ([]byte, error) {
	if start < 0 || start > end || end > t.Len() {
		return nil, fmt.Errorf("%s has %d bytes, so there is no range from %d to %d", t.Path, t.Len(), start, end)
	}
	if t.file == nil {
		return t.text[start:end:end], nil
	}
	if cap(*buf) < end-start {
		*buf = make([]byte, end-start)
	}
	part := (*buf)[: end-start : end-start]
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
