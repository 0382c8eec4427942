package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ploke-lsp/index/postings"
)

// writeSegment writes and syncs a new segment file, and opens it. The segment is valid
// once index.db lists it.
func (s *shard) writeSegment(id int64, write func(io.Writer) error) (*segment, error) {
	path := segmentPath(s.dir, id)
	size, err := writeFile(path, write)
	if err != nil {
		os.Remove(path) // a partial file is useless
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return openSegmentFile(path, id, size)
}

// writeFile writes a new file. It removes what is in its place first, since another process
// may have mapped that.
func writeFile(path string, write func(io.Writer) error) (size int64, err error) {
	if err := os.RemoveAll(path); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	return f.Seek(0, io.SeekCurrent)
}

// removeOrphans removes the files of invalid segments. A process that has mapped such a
// file keeps its content.
func (s *shard) removeOrphans() {
	valid := map[string]bool{}
	for _, p := range s.current.parts {
		valid[segmentPath(s.dir, p.id)] = true
	}
	paths, _ := filepath.Glob(filepath.Join(s.dir, segmentPattern))
	for _, path := range paths {
		if !valid[path] {
			if err := os.Remove(path); err != nil {
				s.log.Warn("removing an old segment", "error", err)
			}
		}
	}
}

// segmentPattern matches the names of segment files; the * is the ID.
const segmentPattern = "postings-*.seg"

func segmentPath(dir string, id int64) string {
	return filepath.Join(dir, fmt.Sprintf("postings-%d.seg", id))
}

// segment is an open segment of a shard.
type segment struct {
	*postings.Segment
	id    int64
	bytes int64
	file  fs.FileInfo // before it was opened
	users int         // number of snapshots; guarded by the shard's mu
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
func (s *shard) segmentsIntact() bool {
	for _, p := range s.current.parts {
		now := stat(segmentPath(s.dir, p.id))
		if !same(p.file, now) || now.Size() != p.file.Size() || !now.ModTime().Equal(p.file.ModTime()) {
			return false
		}
	}
	return true
}

// openSegment opens a valid segment, or returns it if it is open.
func (s *shard) openSegment(id, bytes int64, sum uint64) (*segment, error) {
	if s.current != nil {
		for _, p := range s.current.parts {
			if p.id == id {
				return p.segment, nil
			}
		}
	}
	open, err := openSegmentFile(segmentPath(s.dir, id), id, bytes)
	if err == nil && open.Sum() != sum {
		err = errors.Join(fmt.Errorf("segment %d is another one", id), open.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return open, nil
}
