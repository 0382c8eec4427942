package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Reader reads files in a certain state: the workspace itself, or the workspace with
// proposed changes applied.
type Reader interface {
	// Read returns the file at an absolute path.
	Read(ctx context.Context, path string) (*File, error)
}

// File is a snapshot of a file. It must not be modified, including Text.
type File struct {
	Path    string    // canonical
	Text    []byte    // UTF-8 without a byte order mark; if Unclear is set, the bytes as they are stored
	Hash    string    // lower-case hex SHA-256 of Text
	Open    bool      // Text is an editor's buffer
	Version int32     // the document's version, if Open
	ModTime time.Time // of the file; of the last change, if Open

	Link     bool   // a symbolic link, as ReadLink returns it: Text is where it leads
	Encoding        // how the file stores Text; of a buffer, only BOM is known
	Unclear  string // why the encoding is not certain, so that the file may not be edited; "" if it is
}

// Hash returns the Hash of a File with this text: lower-case hex SHA-256.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// newFile returns a snapshot of an editor's text, which it takes ownership of.
func newFile(path string, text []byte) *File {
	text, bom := bytes.CutPrefix(text, []byte(ByteOrderMark))
	return &File{Path: path, Text: text, Hash: Hash(text), Encoding: Encoding{BOM: bom}}
}

// at returns the snapshot under another spelling of its path. A nil File stays nil.
func (f *File) at(path string) *File {
	if f == nil || f.Path == path {
		return f
	}
	respelled := *f
	respelled.Path = path
	return &respelled
}

// Read returns the current content of path: its buffer, or else the file on disk. The
// error is an *OutsideError for a path outside the roots, and a *SkippedError for a file
// that is skipped because of its name, the ignore rules or its size. Errors of the system
// wrap fs.ErrNotExist and the like, and name the file by its Rel.
func (w *Workspace) Read(ctx context.Context, path string) (*File, error) {
	o, err := w.open(ctx, path)
	if err != nil || o.buffer != nil {
		return o.buffer, err
	}
	defer o.file.Close()
	data, err := o.read(w.maxFileBytes.Load())
	if err != nil {
		return nil, err
	}
	f := &File{Path: o.path, ModTime: o.info.modified}
	f.Text, f.Encoding, f.Unclear = decode(o.path, data)
	f.Hash = Hash(f.Text)
	return f, nil
}

// ReadDisk returns the bytes of a file on disk, of at most limit bytes, also while it is open in an editor. It fails
// where Read of a file that is not open would.
func (w *Workspace) ReadDisk(ctx context.Context, path string, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := w.resolveServed(path)
	if err != nil {
		return nil, err
	}
	rel := w.Rel(path)
	f, info, err := openRegular(path, rel, limit, w.openConfined)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o := openedFile{path: path, rel: rel, file: f, info: info}
	return o.read(limit)
}

// resolveServed resolves the path of a file, and fails if the file is skipped.
func (w *Workspace) resolveServed(path string) (string, error) {
	path, err := w.Resolve(path)
	if err != nil {
		return "", err
	}
	if skip := w.skipResolved(path, false); skip != "" {
		return "", &SkippedError{Rel: w.Rel(path), Skip: skip}
	}
	return path, nil
}

// ReadRegular reads a regular file of at most limit bytes, which may lie outside of the roots. It does not wait for the
// other end of a pipe, and refuses a link.
func ReadRegular(path string, limit int64) ([]byte, error) {
	f, info, err := openRegular(path, path, limit, openAnywhere)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o := openedFile{rel: path, file: f, info: info}
	return o.read(limit)
}

// read reads the whole file on disk, of at most limit bytes.
func (o *openedFile) read(limit int64) ([]byte, error) {
	data := make([]byte, o.info.size+1) // one more, to detect a file that has grown
	n, err := io.ReadFull(o.file, data)
	if err == nil {
		return o.readMore(data, limit)
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return data[:n:n], nil
}

// openRegular opens a regular file of at most limit bytes with open, which must not block.
// It never opens a device or waits for the other end of a pipe, even if one replaces the
// file meanwhile. Errors name the file rel.
func openRegular(path, rel string, limit int64, open func(string) (diskFile, error)) (diskFile, stat, error) {
	found, err := os.Lstat(path)
	if err != nil {
		return nil, stat{}, withPath(err, rel)
	}
	if err := checkRegular(rel, newStat(found), limit); err != nil {
		return nil, stat{}, err
	}
	f, err := open(path)
	if err != nil {
		return nil, stat{}, withPath(err, rel)
	}
	info, err := f.stat()
	if err == nil {
		err = checkRegular(rel, info, limit)
	}
	if err != nil {
		f.Close()
		return nil, stat{}, err
	}
	return f, info, nil
}

// readMore reads the rest of a file that has grown.
func (o *openedFile) readMore(data []byte, limit int64) ([]byte, error) {
	more, err := io.ReadAll(io.LimitReader(o.file, limit+1-int64(len(data))))
	if err != nil {
		return nil, err
	}
	data = append(data, more...)
	if int64(len(data)) > limit {
		return nil, tooLarge(o.rel, limit)
	}
	return data, nil
}

// withPath replaces the path in an error of the system.
func withPath(err error, rel string) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return &fs.PathError{Op: of.Op, Path: rel, Err: of.Err}
	}
	return err
}

// FolderError is the error for reading a folder as a file.
type FolderError struct {
	Rel string
}

func (e *FolderError) Error() string { return e.Rel + " is a folder" }

func checkRegular(rel string, info stat, limit int64) error {
	switch skip := info.skip(limit); {
	case info.mode.IsDir():
		return &FolderError{Rel: rel}
	case skip == TooLarge:
		return tooLarge(rel, limit)
	case skip == Unreadable && !info.mode.IsRegular():
		return &SkippedError{Rel: rel, Skip: skip, Hint: "it is not a regular file"}
	case skip == Unreadable:
		return &fs.PathError{Op: "open", Path: rel, Err: fs.ErrPermission}
	case skip != "":
		return &SkippedError{Rel: rel, Skip: skip}
	}
	return nil
}

func tooLarge(rel string, limit int64) error {
	return &SkippedError{Rel: rel, Skip: TooLarge,
		Hint: fmt.Sprintf("the limit is %d bytes; raise index.maxFileBytes", limit)}
}
