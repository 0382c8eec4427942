package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	sqlite "github.com/mattn/go-sqlite3"
)

// onShard runs fn, which writes, on a shard while indexing is not paused. It repeats fn
// after a pause has interrupted it, and once on an empty shard if the shard is damaged.
func (x *Index) onShard(ctx context.Context, s *shard, fn func(*shard) error) error {
	for rebuilt := false; ; {
		if err := x.gate.wait(ctx); err != nil {
			return err
		}
		err := fn(s)
		switch {
		case errors.Is(err, errPaused):
		case errors.Is(err, errDamaged) && !rebuilt:
			if s, err = x.replaceShard(ctx, s); err != nil {
				return err
			}
			rebuilt = true
		default:
			return err
		}
	}
}

// replaceShard replaces a damaged shard by an empty one. Calls that still read the old
// shard may fail.
func (x *Index) replaceShard(ctx context.Context, old *shard) (*shard, error) {
	x.notify(fmt.Sprintf("the index of %s was damaged and is being built anew; searches find less until it is ready", old.root))
	if err := old.close(); err != nil {
		x.log.Warn("closing a damaged index", "folder", old.dir, "error", err)
	}
	if old.db.inPlace() {
		if err := removeIndex(old.dir); err != nil {
			return nil, fmt.Errorf("removing the damaged index in %s: %v; delete the folder", old.dir, err)
		}
	}
	replacement, _, err := openShard(ctx, old.root, old.dir, x.log)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.shards = slices.Clone(x.shards)
	if i := slices.Index(x.shards, old); i >= 0 {
		x.shards[i] = replacement
	}
	for path, b := range x.buffers {
		if b.shard == old {
			moved := *b
			moved.shard = replacement
			x.buffers[path] = &moved
		}
	}
	return replacement, nil
}

func (x *Index) notify(text string) {
	if x.opts.Notice != nil {
		x.opts.Notice(text)
	}
}

// storageError adds advice to an error about a full disk.
func storageError(err error) error {
	var db sqlite.Error
	full := errors.As(err, &db) && (db.Code == sqlite.ErrFull || outOfSpace(db.SystemErrno))
	if full || outOfSpace(err) {
		return fmt.Errorf("no space for the index: %w; free some space, or choose another place with --state-dir (what has been indexed can be searched)", err)
	}
	return err
}

// outOfSpace reports whether the disk is full, or a quota or a limit on file sizes is
// reached.
func outOfSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
