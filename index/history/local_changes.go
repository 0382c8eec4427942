package history

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"ploke-lsp/internal/lazyregexp"
)

// maxCompared is the size in bytes of the largest file that is compared with what is committed.
const maxCompared = 16 << 20

// indexed matches a file of git's index: its mode, ID and path, and the time and the size that it had.
var indexed = lazyregexp.New(`H (\d{6}) ([0-9a-f]+) 0\t([^\x00]*)\x00  ctime: [^\n]*\n  mtime: (\d+):(\d+)\n` +
	`  dev: [^\n]*\n  uid: [^\n]*\n  size: (\d+)\t[^\n]*\n`)

// addUnstaged adds to what is staged the files whose current text differs, and those that git does not know.
func addUnstaged(ctx context.Context, dir string, staged []Change, unsaved map[string][]byte) ([]Change, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, newest, err := indexedFiles(ctx, dir)
	if err != nil {
		return nil, err
	}
	changes := map[string]Change{}
	for _, c := range staged {
		changes[c.Path] = c
	}
	unknown := map[string]bool{}
	for path := range unsaved {
		unknown[path] = true
	}
	for _, f := range files {
		if how := f.change(root, newest.Add(-timeOfIndex), unsaved); how != "" {
			changes[f.path] = f.changed(how, changes)
		}
		delete(unknown, f.path)
	}
	sorted := slices.SortedFunc(maps.Values(changes), func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	others, err := git(ctx, dir, "ls-files", "--others", "--exclude-standard", "-z")
	for path := range strings.SplitSeq(string(others), "\x00") {
		if path != "" {
			unknown[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(unknown)) {
		if _, known := changes[path]; !known {
			sorted = append(sorted, Change{Path: path, How: "new"})
		}
	}
	return sorted, cmp.Or(err, ctx.Err())
}

// indexedFiles returns the files of git's index, and when the youngest was changed.
func indexedFiles(ctx context.Context, dir string) (files []indexedFile, newest time.Time, err error) {
	var listed []byte
	err = stream(ctx, dir, nil, func(r io.Reader) (err error) {
		listed, err = io.ReadAll(io.LimitReader(r, maxIndex))
		return err
	}, "ls-files", "-v", "--stage", "--debug", "-z")
	for _, m := range indexed.FindAllSubmatch(listed, -1) {
		f := newIndexedFile(m)
		files = append(files, f)
		if f.modified.After(newest) {
			newest = f.modified
		}
	}
	return files, newest, err
}

const (
	// maxIndex is the size in bytes of git's index in words that is read.
	maxIndex = 64 << 20
	// timeOfIndex is how long before the newest file of the index another one may have changed again without a trace in
	// its time: the index is not older, and some file systems count whole seconds.
	timeOfIndex = 2 * time.Second
)

// indexedFile is a file as git's index has it.
type indexedFile struct {
	mode, id, path string
	modified       time.Time
	size           int64
}

func newIndexedFile(m [][]byte) indexedFile {
	seconds, _ := strconv.ParseInt(string(m[4]), 10, 64)
	nanoseconds, _ := strconv.ParseInt(string(m[5]), 10, 64)
	size, _ := strconv.ParseInt(string(m[6]), 10, 64)
	return indexedFile{string(m[1]), string(m[2]), string(m[3]), time.Unix(seconds, nanoseconds), size}
}

// changed returns the change of a file that differs from git's index, which may be staged as well.
func (f indexedFile) changed(how string, staged map[string]Change) Change {
	c, isStaged := staged[f.path]
	if !isStaged {
		return Change{Path: f.path, How: how, before: f.id, staged: f.id}
	}
	if c.How != "new" {
		c.How = how
	}
	return c
}

// change says how the current file differs, "" if it does not. Of files that are as old as before, only those are read
// that were changed after a time.
func (f indexedFile) change(root *os.Root, after time.Time, unsaved map[string][]byte) string {
	const symlink = "120000"
	if text, ok := unsaved[f.path]; ok {
		if isText(text, f.id) {
			return ""
		}
		return "changed"
	}
	info, err := root.Lstat(f.path)
	switch {
	case f.mode == submodule:
		return ""
	case err != nil:
		return "deleted"
	case f.mode == symlink:
		if to, err := root.Readlink(f.path); err == nil && blobID([]byte(to), len(f.id)) == f.id {
			return ""
		}
	case info.ModTime().Equal(f.modified) && info.Size() == f.size && f.modified.Before(after):
		return ""
	case info.Mode().IsRegular() && isBlob(root, f.path, f.id):
		return ""
	}
	return "changed"
}

// isBlob reports whether a file's content has an ID of git as it is, or with other line ends.
func isBlob(root *os.Root, path, id string) bool {
	file, err := root.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > maxCompared {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(file, maxCompared))
	if err != nil {
		return false
	}
	return isText(text, id)
}

// isText reports whether a text has an ID of git as it is, or with other line ends.
func isText(text []byte, id string) bool {
	unix := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return blobID(text, len(id)) == id || blobID(unix, len(id)) == id
}

// blobID returns git's ID of a content, of so many hexadecimal digits.
func blobID(text []byte, digits int) string {
	sum := hash.Hash(sha1.New())
	if digits == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(text))
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil))
}
