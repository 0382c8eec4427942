package vectors

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

// Key tells a text by its hash.
type Key [16]byte

// Set is an open set of vectors, all of as many dimensions and in one space: those of
// different models say nothing to each other. It is safe for concurrent use.
type Set struct {
	path string
	lock *flock.Flock

	mu    sync.RWMutex // guards what follows
	file  *os.File     // nil until there is one
	head  header
	end   int64 // of the last whole vector in the file
	slots map[Key]int32
	keys  []Key
	codes []uint64 // words of each vector
	pool  sync.Pool
}

// Open opens the set in a file, which need not exist: then it is an empty one, of
// vectors in that space. It fails where the file holds another space's.
func Open(path, space string) (*Set, error) {
	s := &Set{path: path, lock: flock.New(path + ".lock"), head: header{space: space}}
	if err := s.Follow(); err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes the set. Nothing else may be running on it.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return s.lock.Close()
	}
	return errors.Join(s.file.Close(), s.lock.Close())
}

// TryLock makes the caller the one who adds, unless another process is.
func (s *Set) TryLock() (bool, error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return false, err
	}
	return s.lock.TryLock()
}

// Unlock lets others add.
func (s *Set) Unlock() error { return s.lock.Unlock() }

// Len is the number of vectors.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.keys)
}

// Has says whether there is a vector for a key.
func (s *Set) Has(k Key) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.slots[k]
	return ok
}

// Complete says whether the set has once been marked as whole.
func (s *Set) Complete() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.head.complete
}

// Follow takes what another process has added since.
func (s *Set) Follow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.follow()
}

func (s *Set) follow() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.file != nil {
		own, err := s.file.Stat()
		if err != nil {
			return err
		}
		if os.SameFile(own, info) && info.Size() == s.end && s.head.complete {
			return nil
		}
		if !os.SameFile(own, info) { // it has been compacted
			s.drop()
		}
	}
	if s.file == nil {
		if s.file, err = os.OpenFile(s.path, os.O_RDWR, 0o600); err != nil {
			return err
		}
	}
	if err := s.readHeader(); err != nil {
		return err
	}
	return s.load()
}

// drop forgets the file and all that it held.
func (s *Set) drop() {
	if s.file != nil {
		s.file.Close() // it was only read
	}
	s.file, s.head, s.end = nil, header{space: s.head.space}, 0
	s.slots, s.keys, s.codes = nil, nil, nil
}

// Add adds vectors, each for the key of its place, no key twice; one that is there already
// keeps its own. The caller holds the lock. Vectors of other dimensions than the set's are refused,
// and so are those without a direction.
func (s *Set) Add(keys []Key, all [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(); err != nil {
		return err
	}
	if err := s.check(all); err != nil {
		return err
	}
	if err := s.create(len(all[0])); err != nil {
		return err
	}
	var records []byte
	for i, k := range keys {
		if _, known := s.slots[k]; known {
			continue
		}
		records = appendRecord(records, k, quantize(all[i]))
	}
	if _, err := s.file.WriteAt(records, s.end); err != nil {
		return fmt.Errorf("adding to %s: %w", s.path, err)
	}
	s.take(records)
	return nil
}

func (s *Set) check(all [][]float32) error {
	if len(all) == 0 {
		return errors.New("there are no vectors to add")
	}
	want := s.head.dimensions
	if want == 0 {
		want = len(all[0])
	}
	for _, v := range all {
		if len(v) != want {
			return fmt.Errorf("a vector has %d dimensions, and not %d as the others", len(v), want)
		}
		if !directed(v) {
			return errors.New("a vector has no direction")
		}
	}
	return nil
}

// create makes the file of an empty set.
func (s *Set) create(dimensions int) error {
	if s.file != nil {
		return nil
	}
	head := header{dimensions: dimensions, space: s.head.space}
	if err := s.replace(func(out *os.File) error { return head.write(out) }); err != nil {
		return fmt.Errorf("creating %s: %w", s.path, err)
	}
	return nil
}

// replace puts another file in the place of the set's, or the first one: whole or not at
// all.
func (s *Set) replace(write func(*os.File) error) error {
	next := s.path + ".new"
	out, err := os.OpenFile(next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(out), out.Sync(), out.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	s.drop() // some systems replace no open file
	return errors.Join(os.Rename(next, s.path), s.follow())
}

// MarkComplete notes that the set is whole, and makes it durable. The caller holds the
// lock. An empty set is never whole.
func (s *Set) MarkComplete() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	if err := s.file.Sync(); err != nil || s.head.complete {
		return err
	}
	complete := s.head
	complete.complete = true
	if _, err := s.file.WriteAt(complete.encode(), 0); err != nil {
		return err
	}
	s.head = complete
	return s.file.Sync()
}

// Compact takes out the vectors whose keys keep denies. The caller holds the lock.
func (s *Set) Compact(keep func(Key) bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.replace(func(out *os.File) error { return s.copyTo(out, keep) })
	if err != nil {
		return fmt.Errorf("compacting %s: %w", s.path, err)
	}
	return nil
}

func (s *Set) copyTo(out *os.File, keep func(Key) bool) error {
	if err := s.head.write(out); err != nil {
		return err
	}
	record := make([]byte, s.head.recordBytes())
	for slot, k := range s.keys {
		if !keep(k) {
			continue
		}
		if _, err := s.file.ReadAt(record, s.head.at(slot)); err != nil {
			return err
		}
		if _, err := out.Write(record); err != nil {
			return err
		}
	}
	return nil
}
