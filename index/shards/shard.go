package shards

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"ploke-lsp/index/postings"
)

// Shard is the index of one root folder.
type Shard struct {
	Root string
	dir  string
	log  *slog.Logger
	db   *database
	held Status // what it held when it was opened

	writerState

	historyMu       sync.Mutex // held while the history is updated
	historyTooLarge bool       // for the bounds of reading it; guarded by historyMu
	dense           dense

	generations
	manifests manifests // guarded by the mu of generations

	alarm

	complete bool // every file has been seen once; guarded by the set's mu
}

// writerState is what a shard needs to be written.
type writerState struct {
	writing sync.Mutex   // held while this process writes
	lock    *flock.Flock // held while any process writes
	writer  []byte       // what noteWriter writes; guarded by writing
	// uncompacted counts the files that were parsed since the segments were last compacted. It is
	// at least 1 if there is something to do.
	uncompacted atomic.Int64
}

// alarm is whom a shard tells of damage.
type alarm struct {
	damaged  atomic.Bool // damage has been found
	onDamage func()      // called then, once
	notice   func(text string)
}

// open reads what the database holds.
func (s *Shard) open(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	complete, err := meta(ctx, s.db.read, "complete")
	if err != nil {
		return err
	}
	s.complete = complete != 0
	s.held, err = s.counts(ctx)
	return err
}

// exclusively runs fn on the newest generation while no other process or goroutine writes.
// It fails with ErrDamaged if the index has to be rebuilt.
func (s *Shard) exclusively(ctx context.Context, fn func() error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.waitForLock(ctx); err != nil {
		return s.NoteDamage(fmt.Errorf("locking the index: %w", err))
	}
	defer func() {
		if err := s.lock.Unlock(); err != nil {
			s.log.Warn("unlocking the index", "error", err)
		}
	}()
	s.noteWriter()
	if s.damaged.Load() || !s.db.files.intact() {
		return ErrDamaged
	}
	if err := s.load(ctx); err != nil {
		return s.NoteDamage(err)
	}
	if !s.segmentsIntact() {
		return s.NoteDamage(fmt.Errorf("%w: the file of a segment was changed or removed", ErrDamaged))
	}
	return s.NoteDamage(postings.Read(fn))
}

// lockRetry is how often a process tries to take the lock. The system releases the lock of
// a process that dies.
const lockRetry = 50 * time.Millisecond

// waitForLock waits until no other process writes. Meanwhile it loads what that process
// commits.
func (s *Shard) waitForLock(ctx context.Context) error {
	if err := prepareLock(s.dir); err != nil {
		return err
	}
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for {
		locked, err := s.lock.TryLock()
		if locked || err != nil {
			return err
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.load(ctx); err != nil {
			return err
		}
	}
}

func (s *Shard) close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.clear()
	return errors.Join(s.dense.close(), s.db.close())
}

// Path returns the absolute path of a file of the shard.
func (s *Shard) Path(rel string) string { return filepath.Join(s.Root, filepath.FromSlash(rel)) }

// Rel returns a path relative to the root, with slashes.
func (s *Shard) Rel(path string) string {
	return filepath.ToSlash(strings.TrimLeft(strings.TrimPrefix(path, s.Root), string(filepath.Separator)))
}
