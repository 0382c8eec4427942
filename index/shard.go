package index

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
)

// shard is the index of one root folder.
type shard struct {
	root string
	dir  string
	log  *slog.Logger
	db   *database

	writing sync.Mutex   // held while this process writes
	lock    *flock.Flock // held while any process writes

	historyMu sync.Mutex // held while the history is updated
	dense     dense

	mu      sync.Mutex // guards current and goMods, and the users of snapshots and segments
	current *snapshot
	goMods  goMods

	damaged atomic.Bool // invalid data has been read

	complete bool // every file has been seen once; guarded by Index.mu
}

// openShard opens the index in dir. It replaces a damaged index by an empty one, and then
// sets rebuilt.
func openShard(ctx context.Context, root, dir string, log *slog.Logger) (s *shard, rebuilt bool, err error) {
	s, err = tryShard(ctx, root, dir, log)
	if errors.Is(asDamage(err), errDamaged) {
		log.Warn("the index is damaged and will be rebuilt", "folder", dir, "error", err)
		if err := removeIndex(dir); err != nil {
			return nil, false, fmt.Errorf("removing the damaged index in %s: %v; delete the folder", dir, err)
		}
		rebuilt = true
		s, err = tryShard(ctx, root, dir, log)
	}
	if err != nil {
		return nil, false, fmt.Errorf("opening the index in %s: %w", dir, err)
	}
	return s, rebuilt, nil
}

func tryShard(ctx context.Context, root, dir string, log *slog.Logger) (*shard, error) {
	db, err := openDatabase(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &shard{root: root, dir: dir, log: log, db: db, lock: flock.New(filepath.Join(dir, "index.lock"))}
	if err := s.load(ctx); err != nil {
		s.close()
		return nil, err
	}
	complete, err := meta(ctx, s.db.read, "complete")
	if err != nil {
		s.close()
		return nil, err
	}
	s.complete = complete != 0
	return s, nil
}

// exclusively runs fn on the newest generation while no other process or goroutine writes.
// It fails with errDamaged if the index has to be rebuilt.
func (s *shard) exclusively(ctx context.Context, fn func() error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.waitForLock(ctx); err != nil {
		return fmt.Errorf("locking the index: %w", err)
	}
	defer func() {
		if err := s.lock.Unlock(); err != nil {
			s.log.Warn("unlocking the index", "error", err)
		}
	}()
	if s.damaged.Load() || !s.db.inPlace() {
		return errDamaged
	}
	if err := s.load(ctx); err != nil {
		return s.noteDamage(err)
	}
	return s.noteDamage(fn())
}

// lockRetry is how often a process tries to take the lock. The system releases the lock of
// a process that dies.
const lockRetry = 50 * time.Millisecond

// waitForLock waits until no other process writes. Meanwhile it loads what that process
// commits.
func (s *shard) waitForLock(ctx context.Context) error {
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

// noteDamage marks the shard as damaged if err says so; the next update rebuilds it.
func (s *shard) noteDamage(err error) error {
	if errors.Is(asDamage(err), errDamaged) {
		s.damaged.Store(true)
		return fmt.Errorf("%w: %v", errDamaged, err)
	}
	return err
}

func (s *shard) close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.clear()
	return errors.Join(s.dense.close(), s.db.close())
}

// path returns the absolute path of a file of the shard.
func (s *shard) path(rel string) string { return filepath.Join(s.root, filepath.FromSlash(rel)) }

// rel returns a path relative to the root, with slashes.
func (s *shard) rel(path string) string {
	return filepath.ToSlash(strings.TrimLeft(strings.TrimPrefix(path, s.root), string(filepath.Separator)))
}
