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

// Change is a file that differs from the last commit.
type Change struct {
	Path string // relative to the folder, with slashes
	How  string // changed, new or deleted
}

// LocalChanges returns the files of a folder that differ from the last commit of its repository, those first that git
// tracks. Git says what is staged; what differs on disk is found here, since git would run the filters that the
// repository names. A file whose line ends alone differ counts as unchanged. known is false without a repository, git
// or commits.
func LocalChanges(ctx context.Context, dir string) (changes []Change, known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if ok, err := hasCommits(ctx, dir); !ok {
		return nil, false, err
	}
	staged, err := stagedChanges(ctx, dir)
	if err != nil {
		return nil, false, err
	}
	if err := addUnstaged(ctx, dir, staged); err != nil {
		return nil, false, err
	}
	for _, path := range slices.Sorted(maps.Keys(staged)) {
		changes = append(changes, Change{path, staged[path]})
	}
	others, err := git(ctx, dir, "ls-files", "--others", "--exclude-standard", "-z")
	for path := range strings.SplitSeq(string(others), "\x00") {
		if path != "" {
			changes = append(changes, Change{path, "new"})
		}
	}
	return changes, true, err
}

// stagedChanges returns what git's index has other than the last commit.
func stagedChanges(ctx context.Context, dir string) (map[string]string, error) {
	out, err := git(ctx, dir, "diff-index", "--cached", "--name-status", "-z", "--no-renames", "--relative", "HEAD", "--")
	staged := map[string]string{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		switch fields[i] {
		case "A":
			staged[fields[i+1]] = "new"
		case "D":
			staged[fields[i+1]] = "deleted"
		default:
			staged[fields[i+1]] = "changed"
		}
	}
	return staged, err
}

// indexed matches a file of git's index: its mode, ID and path, and the time and the size that it had.
var indexed = lazyregexp.New(`H (\d{6}) ([0-9a-f]+) 0\t([^\x00]*)\x00  ctime: [^\n]*\n  mtime: (\d+):(\d+)\n` +
	`  dev: [^\n]*\n  uid: [^\n]*\n  size: (\d+)\t[^\n]*\n`)

// addUnstaged adds the files on disk that differ from git's index.
func addUnstaged(ctx context.Context, dir string, changes map[string]string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var listed []byte
	err = stream(ctx, dir, nil, func(r io.Reader) (err error) {
		listed, err = io.ReadAll(io.LimitReader(r, maxIndex))
		return err
	}, "ls-files", "-v", "--stage", "--debug", "-z")
	var files []indexedFile
	newest := time.Time{}
	for _, m := range indexed.FindAllSubmatch(listed, -1) {
		f := newIndexedFile(m)
		files = append(files, f)
		if f.modified.After(newest) {
			newest = f.modified
		}
	}
	for _, f := range files {
		if how := f.change(root, newest.Add(-timeOfIndex)); how != "" && ctx.Err() == nil {
			changes[f.path] = how
		}
	}
	return cmp.Or(err, ctx.Err())
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

// change says how the file on disk differs, "" if it does not. Of files that are as old as before, only those are read
// that were changed after a time.
func (f indexedFile) change(root *os.Root, after time.Time) string {
	const symlink, submodule = "120000", "160000"
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
