package shards

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/disk"
)

// newSegment is a segment file that was written, but has no ID yet.
type newSegment struct {
	dir  string
	file *os.File
}

// writeSegment writes a new segment file. Several may be written at the same time. The caller opens or
// discards it.
func (g *generations) writeSegment(write func(io.Writer) error) (*newSegment, error) {
	path := newSegmentPath(g.dir, g.newSegments.Add(1))
	f, err := createFile(path)
	if err == nil {
		n := &newSegment{g.dir, f}
		if err = write(f); err == nil {
			return n, nil
		}
		n.discard() // a partial file is useless
	}
	return nil, fmt.Errorf("writing %s: %w", path, err)
}

// createFile creates a new file. It removes what is in its place first, since another process
// may have mapped that.
func createFile(path string) (*os.File, error) {
	if err := os.RemoveAll(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// open syncs the file and opens it as the segment with that ID. The segment is valid once
// index.db lists it.
func (n *newSegment) open(id int64) (*segment, error) {
	path := segmentPath(n.dir, id)
	size, err := n.sync()
	if err == nil {
		err = n.rename(path)
	}
	if err != nil {
		n.discard()
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return openSegmentFile(path, id, size)
}

// sync makes the content of the file last, and closes the file.
func (n *newSegment) sync() (size int64, err error) {
	if err := n.file.Sync(); err != nil {
		return 0, err
	}
	if size, err = n.file.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	return size, n.file.Close()
}

// rename gives the file another name, in place of an invalid segment.
func (n *newSegment) rename(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return disk.Rename(n.file.Name(), path)
}

// discard removes the file.
func (n *newSegment) discard() {
	n.file.Close()
	os.Remove(n.file.Name())
}

// removeOrphans removes the files of invalid segments. A process that has mapped such a
// file keeps its content.
func (g *generations) removeOrphans() {
	valid := map[string]bool{}
	for _, p := range g.current.parts {
		valid[segmentPath(g.dir, p.id)] = true
	}
	paths, _ := filepath.Glob(filepath.Join(g.dir, segmentPattern))
	for _, path := range paths {
		if !valid[path] {
			if err := os.Remove(path); err != nil {
				g.log.Warn("removing an old segment", "error", err)
			}
		}
	}
}

// segmentPattern matches the names of segment files; the * is the ID, or begins with new.
const segmentPattern = "postings-*.seg"

func newSegmentPath(dir string, number int64) string {
	return filepath.Join(dir, fmt.Sprintf("postings-new%d.seg", number))
}

func segmentPath(dir string, id int64) string {
	return filepath.Join(dir, fmt.Sprintf("postings-%d.seg", id))
}

// segment is an open segment of a shard.
type segment struct {
	*postings.Segment
	id    int64
	bytes int64
	file  fs.FileInfo // before it was opened
	users int         // number of snapshots; guarded by the mu of generations
}

func openSegmentFile(path string, id, bytes int64) (*segment, error) {
	file := stat(path)
	open, err := postings.Open(path)
	if err != nil {
		return nil, err
	}
	return &segment{Segment: open, id: id, bytes: bytes, file: file}, nil
}

// segmentsIntact reports whether the files of the current segments are in their places, and
// unchanged since they were opened. A segment is written once. The checksums of its blocks
// are compared only when they are first read, so they do not reveal a file that is
// overwritten later. The caller keeps other processes from merging.
func (g *generations) segmentsIntact() bool {
	for _, p := range g.current.parts {
		now := stat(segmentPath(g.dir, p.id))
		if !same(p.file, now) || now.Size() != p.file.Size() || !now.ModTime().Equal(p.file.ModTime()) {
			return false
		}
	}
	return true
}

// errSegmentMissing says that the file of a segment is gone.
var errSegmentMissing = errors.New("the file of a segment is missing")

// openSegment opens a valid segment, or returns it if it is open.
func (g *generations) openSegment(id, bytes int64, sum uint64) (*segment, error) {
	if g.current != nil {
		for _, p := range g.current.parts {
			if p.id == id {
				return p.segment, nil
			}
		}
	}
	open, err := openSegmentFile(segmentPath(g.dir, id), id, bytes)
	if err == nil && open.Sum() != sum {
		err = errors.Join(fmt.Errorf("segment %d is another one", id), open.Close())
	}
	if err != nil {
		return nil, segmentError(err)
	}
	return open, nil
}

// segmentError tells a file that is gone, and a process or system without room for one more, from
// a file that is not what it was.
func segmentError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %w", errSegmentMissing, err)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ENOMEM):
		return fmt.Errorf("opening a segment of the index: %w", err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}
