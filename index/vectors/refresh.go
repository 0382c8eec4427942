package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ploke-lsp/internal/disk"
)

// Refresh reads what other processes have added or vacuumed since.
func (s *Set) Refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh()
}

func (s *Set) refresh() error {
	err := s.read()
	if unusable(err) {
		return s.discard()
	}
	return err
}

func unusable(err error) bool { return errors.Is(err, errDamaged) || errors.Is(err, errOutdated) }

// discard removes the file if it can't be used, and no other process is just writing it.
func (s *Set) discard() error {
	busy := errBusy
	err := s.whileLocked(func() error {
		busy = nil
		err := s.read()
		if !unusable(err) {
			return err
		}
		if errors.Is(err, errDamaged) {
			s.lost += max(1, len(s.keys))
		}
		s.reset()
		return os.RemoveAll(s.path)
	})
	return cmp.Or(err, busy)
}

// errBusy says that a file can't be used, perhaps because another process is writing it.
var errBusy = errors.New("the vectors are damaged, but another process is using them; try again later")

// whileLocked runs fn with the lock, unless another process has it.
func (s *Set) whileLocked(fn func() error) error {
	if s.lock.Locked() {
		return fn()
	}
	if locked, err := s.TryLock(); err != nil || !locked {
		return err
	}
	return errors.Join(fn(), s.lock.Unlock())
}

// read reads the file as it is now. Other processes append to it, replace it when they vacuum it, and a person may
// delete it. The same file that has only grown is read on from where the last call ended. Another file, or one
// that is shorter, is read from its beginning.
func (s *Set) read() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.reset() // it was deleted, or there was none
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w: it is not a file", s.path, errDamaged)
	}
	if s.file != nil {
		own, err := s.file.Stat()
		if err != nil {
			return err
		}
		if os.SameFile(own, info) && info.Size() == s.end && s.head.complete > 0 {
			return nil
		}
		if !os.SameFile(own, info) || info.Size() < s.end { // another process has vacuumed it, or it was cut
			s.reset()
		}
	}
	if s.file == nil {
		s.file, err = disk.Open(s.path, os.O_RDWR, 0o600)
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w: %w", errDamaged, err)
		}
		if err != nil {
			s.file = nil
			return err
		}
	}
	if err := s.readHeader(); err != nil {
		return err
	}
	return s.load()
}
