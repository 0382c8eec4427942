package trials

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
)

// Limits of the commands of a trial.
const (
	maxProcesses     = 4096
	maxFile          = 4 << 30 // bytes
	defaultMegabytes = 8192
)

// Trials are the trees of one process. They are safe for concurrent use.
type Trials struct {
	// Megabytes returns how many MiB on disk a tree may take, with the caches of its commands; 0: as the settings say
	// by default. It may be nil.
	Megabytes func() int

	dir   string // of this process
	waits func(ctx context.Context, turn string) bool
	box   func(roots []string) (sandbox.Sandbox, error)

	mu    sync.Mutex
	trees map[key]*tree
	lock  io.Closer // of dir; nil while there is none
}

// key is what a tree is for.
type key struct{ turn, variant, folder string }

// tree is a tree and its lock: its commands run one after another.
type tree struct {
	busy chan struct{} // holds one value while no command runs in the tree
	uses int           // commands that run or wait; guarded by Trials.mu
	dir  string
	trial.Tree
	copied  *trial.Copy     // the tree, if it is a copy
	refused error           // why it is one
	mounts  []sandbox.Mount // of the tree
}

// New returns the trials of this process, which keep their trees in a folder of their own, dir/id.
// waits reports whether the proposal of a turn still waits.
func New(dir, id string, waits func(ctx context.Context, turn string) bool) *Trials {
	return &Trials{dir: filepath.Join(dir, id), waits: waits, box: sandbox.New, trees: map[key]*tree{}}
}

// bytes returns how many bytes on disk a tree may take.
func (t *Trials) bytes() int64 {
	if t.Megabytes == nil {
		return defaultMegabytes << 20
	}
	return int64(cmp.Or(t.Megabytes(), defaultMegabytes)) << 20
}

const (
	// lockFile is the file of a process's folder that is locked for as long as the process lives.
	lockFile = "lock"
	// unlocked ends the name of a folder that is not locked yet, for at most unlockedFor.
	unlocked    = ".new"
	unlockedFor = time.Hour
)

// Sweep removes the folders in dir of processes that have ended.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		info, infoErr := e.Info()
		young := infoErr == nil && strings.HasSuffix(e.Name(), unlocked) && time.Since(info.ModTime()) < unlockedFor
		if folder := filepath.Join(dir, e.Name()); !young && !isLocked(filepath.Join(folder, lockFile)) {
			err = errors.Join(err, trial.Remove(folder))
		}
	}
	return err
}

// take returns the tree of a command, and makes it if there is none. It stays until it is released.
func (t *Trials) take(ctx context.Context, box sandbox.Sandbox, c Command) (found *tree, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := key{c.Turn, c.Variant, c.Folder}
	if found = t.trees[k]; found == nil {
		t.removeOthers(ctx, c.Turn)
		if found, err = t.newTree(ctx, box, c.Folder); err != nil {
			return nil, err
		}
		t.trees[k] = found
	}
	found.uses++
	return found, nil
}

func (t *Trials) release(tree *tree) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tree.uses--
}

// removeOthers removes the trees of turns whose proposals no longer wait and that no command uses. The caller holds
// mu.
func (t *Trials) removeOthers(ctx context.Context, turn string) {
	for k, tree := range t.trees {
		if k.turn != turn && tree.uses == 0 && !t.waits(ctx, k.turn) {
			_ = tree.remove() // what is left goes with the process's folder
			delete(t.trees, k)
		}
	}
}

// newTree returns a tree of a folder, in a folder that the next process removes if this one is killed.
func (t *Trials) newTree(ctx context.Context, box sandbox.Sandbox, folder string) (*tree, error) {
	if err := t.own(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(t.dir, "")
	if err != nil {
		return nil, err
	}
	made := &tree{busy: make(chan struct{}, 1), dir: dir}
	made.busy <- struct{}{}
	if err := made.open(ctx, box, folder); err != nil {
		return nil, errors.Join(err, trial.Remove(dir))
	}
	return made, nil
}

// own makes the process's folder, which is locked from its first moment.
func (t *Trials) own() error {
	if t.lock != nil {
		return nil
	}
	if err := os.MkdirAll(t.dir+unlocked, 0o700); err != nil {
		return err
	}
	lock, err := newLock(filepath.Join(t.dir+unlocked, lockFile))
	if err != nil {
		return err
	}
	if err := os.Rename(t.dir+unlocked, t.dir); err != nil {
		return errors.Join(err, lock.Close())
	}
	t.lock = lock
	return nil
}

// Close removes all trees. No command may be running.
func (t *Trials) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all error
	for _, tree := range t.trees {
		all = errors.Join(all, tree.remove())
	}
	t.trees = map[key]*tree{}
	all = errors.Join(all, trial.Remove(t.dir))
	if t.lock != nil {
		all = errors.Join(all, t.lock.Close())
		t.lock = nil
	}
	return all
}

func (t *tree) remove() error { return errors.Join(t.Tree.Remove(), trial.Remove(t.dir)) }
