package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/gofrs/flock"
	sqlite "github.com/mattn/go-sqlite3"

	"ploke-lsp/index/pagesum"
	"ploke-lsp/index/postings"
	"ploke-lsp/internal/disk"
)

// ErrDamaged is the error of a query that came upon damage. The next update builds the
// index again, see [Index.OnDamage].
var ErrDamaged = errors.New("the index is damaged and is being built again; try again in a moment")

// asDamage turns the errors for damaged files into ErrDamaged.
func asDamage(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	if pagesum.Damaged(err) || errors.Is(err, postings.ErrDamaged) || unusable(err) || tableMissing(err) {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}

// unusable reports whether SQLite can't use a file because of what it is: a folder, or not
// permitted to be read or written.
func unusable(err error) bool {
	var e sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	if errors.Is(e.SystemErrno, fs.ErrPermission) || e.SystemErrno == syscall.EISDIR {
		return e.Code == sqlite.ErrCantOpen
	}
	return e.Code == sqlite.ErrReadonly
}

// tableMissing reports whether a table of the index is gone. A new database whose write-ahead log was
// emptied has none: the tables were only there.
func tableMissing(err error) bool {
	var e sqlite.Error
	return errors.As(err, &e) && e.Code == sqlite.ErrError && strings.HasPrefix(e.Error(), "no such table: ")
}

// NoteDamage marks the shard as damaged if err says so; the next update rebuilds it.
func (s *Shard) NoteDamage(err error) error {
	err = asDamage(err)
	if errors.Is(err, ErrDamaged) && !s.damaged.Swap(true) {
		s.log.Warn("the index is damaged", "folder", s.dir, "error", err)
		s.onDamage()
	}
	return err
}

// OnDamage makes x call f whenever it finds damage. Then an update is due, which builds the
// index of the damaged root again; until then, queries fail with ErrDamaged. f is called
// from any goroutine, and must not block.
func (x *Set) OnDamage(f func()) { x.opener.onDamage.Store(&f) }

// opener opens the index of a root, and replaces one that is damaged.
type opener struct {
	opts     Options
	log      *slog.Logger
	onDamage atomic.Pointer[func()] // see Set.OnDamage
}

func (o *opener) damageFound() {
	if f := o.onDamage.Load(); f != nil {
		(*f)()
	}
}

// noteDamagedViews marks the shard with the damaged segment, if err is such damage. If it can't
// be told apart, it marks all.
func noteDamagedViews(views []*View, err error) error {
	var d *postings.Damage
	if !errors.As(err, &d) {
		return err
	}
	for _, v := range views {
		if d.In(v.Segment) {
			return v.Shard.NoteDamage(err)
		}
	}
	for _, v := range views {
		v.Shard.NoteDamage(err)
	}
	return asDamage(err)
}

// openShard opens the index in dir. It replaces a damaged index, and that of an older
// program, by an empty one. damaged says that it was damaged.
func (o *opener) openShard(ctx context.Context, root, dir string) (s *Shard, damaged bool, err error) {
	s, err = o.tryShard(ctx, root, dir)
	damaged = errors.Is(asDamage(err), ErrDamaged)
	if mayReplace(err) {
		o.log.Warn("the index can't be used and will be rebuilt", "folder", dir, "error", err)
		err = whileLocked(ctx, dir, func() error {
			s, err = o.openOrEmpty(ctx, root, dir)
			return err
		})
	}
	if err != nil {
		return nil, false, fmt.Errorf("opening the index in %s: %w", dir, err)
	}
	return s, damaged, nil
}

// mayReplace reports whether an index that can't be opened may be replaced: not that of a newer program, for example.
func mayReplace(err error) bool {
	return errors.Is(asDamage(err), ErrDamaged) || errors.Is(err, errOutdated)
}

// openOrEmpty opens the index in dir, which another process may have built again. If mayReplace
// says so, it replaces it by an empty one. The caller holds the lock, so that no process removes the
// files while they are created.
func (o *opener) openOrEmpty(ctx context.Context, root, dir string) (*Shard, error) {
	s, err := o.tryShard(ctx, root, dir)
	if !mayReplace(err) {
		return s, err
	}
	if err := removeIndex(dir); err != nil {
		return nil, err
	}
	return o.tryShard(ctx, root, dir)
}

func (o *opener) tryShard(ctx context.Context, root, dir string) (*Shard, error) {
	db, err := openDatabase(ctx, dir, root)
	if err != nil {
		return nil, err
	}
	s := &Shard{
		Root: root, dir: dir, log: o.log, db: db, generations: generations{dir: dir, log: o.log},
		alarm:       alarm{notice: o.notice, onDamage: o.damageFound},
		writerState: writerState{lock: flock.New(filepath.Join(dir, lockName))},
	}
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// noticeRebuild tells the person that a damaged index is being built again, unless another
// process has done so.
func (o *opener) noticeRebuild(s *Shard) {
	if !s.complete {
		o.notice(fmt.Sprintf("the index of %s was damaged and is being built again; searches find less until it is ready",
			s.Root))
	}
}

func (o *opener) notice(text string) {
	if o.opts.Notice != nil {
		o.opts.Notice(text)
	}
}

// whileLocked runs fn while no other process writes to the index in dir.
func whileLocked(ctx context.Context, dir string, fn func() error) error {
	if err := prepareLock(dir); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(dir, lockName))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("locking the index: %w", err)
	}
	defer lock.Close() // which unlocks
	return fn()
}

// onShard runs fn, which writes, on a shard while indexing is not paused. It repeats fn
// after a pause has interrupted it, and once on an empty shard if the shard is damaged.
func (x *Set) onShard(ctx context.Context, s *Shard, fn func(*Shard) error) error {
	for rebuilt := false; ; {
		if err := x.gate.wait(ctx); err != nil {
			return err
		}
		err := fn(s)
		switch {
		case errors.Is(err, errPaused):
		case errors.Is(err, ErrDamaged) && !rebuilt:
			if s, err = x.replaceShard(ctx, s); err != nil {
				return err
			}
			rebuilt = true
		default:
			return err
		}
	}
}

// replaceShard replaces a damaged shard by an empty one, or by what another process has
// built in its place. Calls that still read the old shard may fail.
func (x *Set) replaceShard(ctx context.Context, old *Shard) (*Shard, error) {
	x.replacing.Lock()
	defer x.replacing.Unlock()
	if s := x.shardFor(old.Root); s != old {
		if s == nil {
			return nil, fmt.Errorf("%s is no longer a folder of the workspace", old.Root)
		}
		return s, nil // another goroutine has replaced it
	}
	old.damaged.Store(true) // if this fails, the next update tries again
	if err := old.close(); err != nil {
		x.log.Warn("closing a damaged index", "folder", old.dir, "error", err)
	}
	var replacement *Shard
	err := whileLocked(ctx, old.dir, func() (err error) {
		if !old.db.files.taken() {
			if err := removeIndex(old.dir); err != nil {
				return err
			}
		}
		replacement, err = x.opener.openOrEmpty(ctx, old.Root, old.dir)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("opening the index in %s: %w", old.dir, err)
	}
	x.opener.noticeRebuild(replacement)
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

// prepareLock makes sure that the lock file in dir can be opened, and that dir exists. What
// is in its place is removed, unless it is a folder with files.
func prepareLock(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, lockName)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil // it is created when it is locked
	case !info.Mode().IsRegular():
		return os.Remove(path)
	case info.Mode().Perm() != 0o600:
		return os.Chmod(path, 0o600)
	}
	return nil
}

// The names of the files of an index, besides its segments and vectors.
const (
	databaseName  = "index.db"
	journalSuffix = "-journal" // while the database is created
	walSuffix     = "-wal"
	shmSuffix     = "-shm"
	lockName      = "index.lock"
)

// removeIndex removes everything at the names of an index's files, except vectors. The
// database comes first: a process that still opens it finds either all of its files, or
// that the database is gone.
func removeIndex(dir string) error {
	segments, err := filepath.Glob(filepath.Join(dir, segmentPattern))
	if err != nil {
		return err
	}
	main := filepath.Join(dir, databaseName)
	for _, path := range append([]string{main, main + journalSuffix, main + walSuffix, main + shmSuffix},
		segments...) {
		if err := disk.Try(path, func() error { return os.RemoveAll(path) }); err != nil {
			return fmt.Errorf("removing a damaged index: %w; make the folder writable, "+
				"or choose another place with --state-dir", err)
		}
	}
	return nil
}
