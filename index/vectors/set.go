package vectors

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/disk"
)

// Key is the hash of a text.
type Key [16]byte

// Set is an open set of vectors. All have the same number of dimensions and belong to one
// space, since vectors of different models can't be compared. It is safe for concurrent
// use.
type Set struct {
	path string
	lock *flock.Flock

	mu   sync.RWMutex // guards the following fields
	file *os.File     // nil while the file does not exist
	head header
	end  int64 // the end of the last valid record in the file
	lost int   // number of records that were found damaged

	slots   map[Key]int32 // the index of a key in the following slices
	keys    []Key
	records []int32  // the number of each vector's record in the file
	codes   []uint64 // the sign bits of each vector
	pool    sync.Pool

	sampling sync.Mutex // guards sampled while mu is held for reading
	sampled  []byte     // see scorer.sample; nil: not yet, or not of these keys
}

// Open opens the set in a file. If the file does not exist, the set is empty, and Add
// creates the file. A file that is not a set of that space is removed, and counts as lost.
func Open(path, space string) (*Set, error) {
	s := &Set{path: path, lock: flock.New(path + ".lock"), head: header{space: space}}
	if err := s.Refresh(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the set. No other method may be running.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return s.lock.Close()
	}
	return errors.Join(s.file.Close(), s.lock.Close())
}

// TryLock acquires the lock for adding vectors and reports whether it succeeded. It fails
// if another process holds the lock.
func (s *Set) TryLock() (bool, error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return false, err
	}
	if info, err := os.Lstat(s.lock.Path()); err == nil && !info.Mode().IsRegular() {
		if err := os.RemoveAll(s.lock.Path()); err != nil {
			return false, err
		}
	}
	return s.lock.TryLock()
}

// Unlock releases the lock.
func (s *Set) Unlock() error { return s.lock.Unlock() }

// Len returns the number of vectors.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.keys)
}

// Lost returns how many vectors were found damaged, at least 1 for a file that had to be
// removed. The set no longer has them.
func (s *Set) Lost() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lost
}

// Has reports whether there is a vector for a key.
func (s *Set) Has(k Key) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.slots[k]
	return ok
}

// Complete reports whether the set was ever marked as complete.
func (s *Set) Complete() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.head.complete > 0
}

// reset closes the file and clears everything that was read from it.
func (s *Set) reset() {
	if s.file != nil {
		s.file.Close() // it was only read
	}
	s.file, s.head, s.end = nil, header{space: s.head.space}, 0
	s.slots, s.keys, s.records, s.codes, s.sampled = nil, nil, nil, nil, nil
}

// Add adds one vector for each key. Keys must be distinct. A key that the set already has
// keeps its vector. The caller holds the lock. Add fails if a vector has no direction, or
// another number of dimensions than the set.
func (s *Set) Add(keys []Key, all [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return err
	}
	if err := s.validate(all); err != nil {
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
	s.appendRecords(records)
	return nil
}

func (s *Set) validate(all [][]float32) error {
	if len(all) == 0 {
		return errors.New("there are no vectors to add")
	}
	want := s.head.dimensions
	if want == 0 {
		want = len(all[0])
	}
	for _, v := range all {
		if len(v) != want {
			return fmt.Errorf("a vector has %d dimensions instead of %d", len(v), want)
		}
		if !hasDirection(v) {
			return errors.New("a vector has no direction")
		}
	}
	return nil
}

// create creates the file of an empty set.
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

// replace atomically replaces the set's file, or creates it.
func (s *Set) replace(write func(*os.File) error) error {
	next := s.path + ".new"
	out, err := os.OpenFile(next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(out), out.Sync(), out.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	s.reset() // some systems can't replace an open file
	return errors.Join(disk.Rename(next, s.path), s.refresh())
}

// MarkComplete records durably that the set is complete. It does nothing to an empty set.
// The caller holds the lock.
func (s *Set) MarkComplete() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	complete := s.head
	complete.complete = s.stored()
	if err := s.file.Sync(); err != nil || complete == s.head {
		return err
	}
	if _, err := s.file.WriteAt(complete.encode(), 0); err != nil {
		return err
	}
	s.head = complete
	return s.file.Sync()
}

// Vacuum removes the vectors for whose keys keep returns false. The caller holds the lock.
func (s *Set) Vacuum(keep func(Key) bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.replace(func(out *os.File) error { return s.copyTo(out, keep) })
	if err != nil {
		return fmt.Errorf("vacuuming %s: %w", s.path, err)
	}
	return nil
}

func (s *Set) copyTo(out *os.File, keep func(Key) bool) error {
	head := s.head
	head.complete = 0
	if err := head.write(out); err != nil {
		return err
	}
	record := make([]byte, s.head.recordBytes())
	for slot, k := range s.keys {
		if !keep(k) {
			continue
		}
		if ok, err := s.readRecord(int32(slot), record); err != nil {
			return err
		} else if !ok {
			s.lost++
			continue
		}
		if _, err := out.Write(record); err != nil {
			return err
		}
		head.complete++
	}
	if s.head.complete == 0 {
		return nil
	}
	_, err := out.WriteAt(head.encode(), 0)
	return err
}
