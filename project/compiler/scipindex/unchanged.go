package scipindex

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"ploke-lsp/index/history"
	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/trial"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
)

// findCommit finds the commit that an index was made at: the name of its file says so, or the version of its package.
func (t *table) findCommit(ctx context.Context, version string) error {
	named := append(aCommit.FindAllString(filepath.Base(t.path), -1), aCommit.FindAllString(version, -1)...)
	for _, commit := range named {
		id, err := history.Tree(ctx, t.dir, commit, func(path string, blob []byte) {
			for _, i := range t.byPath[path] {
				t.documents[i].blob = string(blob)
			}
		})
		if err != nil {
			return err
		}
		if id != "" {
			t.commit = id
			return nil
		}
	}
	return nil
}

// unchanged returns the present text of a document, nil if it is not the one that was indexed, or if that is not known.
func (t *table) unchanged(ctx context.Context, ws *workspace.Workspace, in *os.File, path string) *workspace.File {
	documents := t.byPath[path]
	if len(documents) == 0 {
		return nil
	}
	file, err := ws.Read(ctx, filepath.Join(t.dir, filepath.FromSlash(path)))
	if err != nil || file.Unclear != "" {
		return nil
	}
	t.mu.Lock()
	known := t.checked[path]
	t.mu.Unlock()
	if known == file.Hash {
		return file
	}
	for _, i := range documents {
		if !t.documents[i].isOf(file) && !(t.here && t.documents[i].text == "" && t.older(ctx, ws, file)) {
			return nil
		}
		if t.inWords(in, &t.documents[i], file.Text) != nil {
			return nil
		}
	}
	t.mu.Lock()
	t.checked[path] = file.Hash
	t.mu.Unlock()
	return file
}

// isOf reports whether a document is known to be of a text.
func (d *document) isOf(file *workspace.File) bool {
	if d.text != "" {
		return hex.EncodeToString([]byte(d.text)) == file.Hash
	}
	if d.blob == "" {
		return false
	}
	stored, err := file.Encode(file.Text)
	if err != nil {
		return false
	}
	return d.blob == blobOf(stored, len(d.blob)) || // or git has changed the ends of lines
		d.blob == blobOf(bytes.ReplaceAll(stored, []byte("\r\n"), []byte("\n")), len(d.blob))
}

// blobOf returns the id that git has for a text, of so many bytes.
func blobOf(text []byte, size int) string {
	head := "blob " + strconv.Itoa(len(text)) + "\x00"
	hash := sha1.New()
	if size == sha256.Size {
		hash = sha256.New()
	}
	hash.Write([]byte(head))
	hash.Write(text)
	return string(hash.Sum(nil))
}

// older reports whether a file has not changed on disk since the index was written, and has the text that it has there.
func (t *table) older(ctx context.Context, ws *workspace.Workspace, file *workspace.File) bool {
	info, err := disk.Stat(file.Path)
	written := t.identity.info.ModTime()
	if err != nil || !info.ModTime().Before(written) || !trial.ChangedAt(info).Before(written) {
		return false
	}
	if !file.Open {
		return true
	}
	stored, err := ws.ReadDisk(ctx, file.Path, int64(len(file.Text))+maxEncoded)
	if err != nil {
		return false
	}
	text, _, _ := workspace.Decode(file.Path, stored)
	return bytes.Equal(text, file.Text)
}

// maxEncoded is more than the bytes that a byte order mark adds to a text.
const maxEncoded = 16

// errWithin says that a place is not one of a text.
var errWithin = errors.New("a place is within a word, or behind the end")

// inWords returns an error if a place of a document begins or ends within a word of a text: it is one of another text.
func (t *table) inWords(in *os.File, d *document, text []byte) error {
	read, err := d.readFrom(in)
	if err != nil {
		return err
	}
	lines := scip.NewLines(text)
	return read.Occurrences(func(o scip.Occurrence) error {
		start, end, ok := lines.Bytes(o.Range, read.Encoding)
		if !ok || start < end && (compiler.WithinWord(text, start) || compiler.WithinWord(text, end)) {
			return errWithin
		}
		return nil
	})
}

// readFrom reads a document from the file.
func (d *document) readFrom(in *os.File) (scip.Document, error) {
	data := make([]byte, d.size)
	if _, err := in.ReadAt(data, d.offset); err != nil {
		return scip.Document{}, err
	}
	return scip.ParseDocument(data)
}

func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte(workspace.ByteOrderMark)) }

// folderOf returns the path of a file URI, "" if it is none.
func folderOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// inside reports whether a folder is another one, or in it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// sameFolder reports whether two paths are of one folder.
func sameFolder(a, b string) bool {
	if b == "" {
		return false
	}
	first, err := disk.Stat(a)
	if err != nil {
		return false
	}
	second, err := disk.Stat(b)
	return err == nil && os.SameFile(first, second)
}
