package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
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

	mu      sync.Mutex // guards current, and the users of snapshots and segments
	current *snapshot

	complete bool // every file has been looked at once; guarded by Index.mu
}

func openShard(ctx context.Context, root, dir string, log *slog.Logger) (*shard, error) {
	db, err := openDatabase(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &shard{root: root, dir: dir, log: log, db: db, lock: flock.New(filepath.Join(dir, "index.lock"))}
	if err = s.load(ctx); errors.Is(err, errDamaged) {
		err = s.reopen(ctx)
	}
	if err != nil {
		s.db.close()
		return nil, fmt.Errorf("opening the index in %s: %v", dir, err)
	}
	complete, err := meta(ctx, s.db.read, "complete")
	if err != nil {
		s.close()
		return nil, fmt.Errorf("opening the index in %s: %v", dir, err)
	}
	s.complete = complete != 0
	return s, nil
}

// reopen replaces an index whose segments are not what index.db says.
func (s *shard) reopen(ctx context.Context) error {
	s.log.Warn("the index is damaged and will be built anew", "folder", s.dir)
	if err := s.db.close(); err != nil {
		return err
	}
	if err := removeIndex(s.dir); err != nil {
		return err
	}
	db, err := openDatabase(ctx, s.dir)
	if err != nil {
		return err
	}
	s.db = db
	return s.load(ctx)
}

// lockRetry is how often a process looks whether another has stopped writing.
const lockRetry = 50 * time.Millisecond

// exclusively runs fn while nobody else writes the index, on the newest generation.
func (s *shard) exclusively(ctx context.Context, fn func() error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("waiting for another process to write the index: %w", err)
	}
	defer func() {
		if err := s.lock.Unlock(); err != nil {
			s.log.Warn("unlocking the index", "error", err)
		}
	}()
	if err := s.load(ctx); err != nil {
		return err
	}
	return fn()
}

func (s *shard) close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.current != nil {
		s.release(s.current)
	}
	return s.db.close()
}

// path is the absolute path of a file of the shard.
func (s *shard) path(rel string) string { return filepath.Join(s.root, filepath.FromSlash(rel)) }

// rel is a path relative to the root, with slashes.
func (s *shard) rel(path string) string {
	rel, err := filepath.Rel(s.root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
