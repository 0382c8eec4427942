package shards

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/workspace"
)

// Options are the settings of an index.
type Options struct {
	Dir    func(root string) string // returns the state folder of a root
	Logger *slog.Logger             // nil: none
	// Notice is called with news for the person, for example that a damaged index is being
	// rebuilt. It may be nil, is called from any goroutine, and must not block.
	Notice func(text string)
}

// Set is the shards of a workspace, with its unsaved texts. It is safe for concurrent use until
// Close.
//
// It is made of parts that all read one catalog: what opens shards, what indexes unsaved texts, and what
// compares vectors. Its own methods change shards: they add, remove, update, merge and rebuild them.
type Set struct {
	*catalog
	unsavedTexts
	vectorSearch
	opener opener

	gate      pauseGate  // closed while indexing is paused
	replacing sync.Mutex // held while a damaged shard is replaced

	background  *background
	endLifetime context.CancelFunc
}

// catalog is which shards and unsaved texts there are, and the status of the index.
type catalog struct {
	ws  *workspace.Workspace
	log *slog.Logger

	mu      sync.RWMutex // guards the fields below
	shards  []*Shard
	buffers map[string]*Buffer // by absolute path
	status  Status
}

// background is the work that goes on after the call that began it.
type background struct {
	sync.WaitGroup
	lifetime context.Context // ends with Close
}

// The states of an index.
const (
	Starting = "starting" // no update has begun yet
	Indexing = "indexing"
	Paused   = "paused" // by Pause, with or without work to do
	Ready    = "ready"
	Failed   = "failed"
)

// Status describes what an index holds, and its state.
type Status struct {
	State      string
	Files      int
	Symbols    int
	References int
	Error      string // why the last update failed
	Paused     bool
	Progress   *Progress // of the running update; nil if none runs
}

// Open opens the index of each root of the workspace. It indexes nothing yet. It fails if
// an index folder can't be created, or holds the index of a newer program.
func Open(ctx context.Context, ws *workspace.Workspace, opts Options) (*Set, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	c := &catalog{ws: ws, log: opts.Logger, buffers: map[string]*Buffer{}, status: Status{State: Starting}}
	lifetime, end := context.WithCancel(context.Background())
	work := &background{lifetime: lifetime}
	x := &Set{catalog: c, unsavedTexts: unsavedTexts{catalog: c}, vectorSearch: vectorSearch{catalog: c, work: work},
		opener: opener{opts: opts, log: opts.Logger}, background: work, endLifetime: end}
	for _, root := range ws.Roots() {
		if err := x.AddRoot(ctx, root); err != nil {
			x.Close()
			return nil, err
		}
	}
	return x, nil
}

// AddRoot opens the index of a folder that has been added to the workspace. The next
// Update indexes its files.
func (x *Set) AddRoot(ctx context.Context, root string) error {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	x.mu.RLock()
	known := x.shardAt(root) >= 0
	x.mu.RUnlock()
	if known {
		return nil
	}
	s, damaged, err := x.opener.openShard(ctx, root, x.opener.opts.Dir(root))
	if err != nil {
		return err
	}
	if damaged {
		x.opener.noticeRebuild(s)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.shards = append(slices.Clip(x.shards), s)
	x.status.add(s.held)
	return nil
}

// RemoveRoot closes the index of a folder. It waits until an update of the folder has
// ended; a search that uses it may fail. The index stays on disk.
func (x *Set) RemoveRoot(root string) error {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	x.mu.Lock()
	i := x.shardAt(root)
	if i < 0 {
		x.mu.Unlock()
		return nil
	}
	s := x.shards[i]
	x.shards = slices.Delete(slices.Clone(x.shards), i, i+1)
	maps.DeleteFunc(x.buffers, func(_ string, b *Buffer) bool { return b.shard == s })
	x.mu.Unlock()
	return errors.Join(s.close(), x.recount(context.Background()))
}

// canonical returns the form of a path that the index uses: absolute, with symbolic links
// resolved.
func (c *catalog) canonical(path string) string {
	if resolved, err := c.ws.Resolve(path); err == nil {
		return resolved
	}
	return path
}

// shardAt returns the position of a root's shard, or -1. The caller holds mu.
func (c *catalog) shardAt(root string) int {
	return slices.IndexFunc(c.shards, func(s *Shard) bool { return s.Root == root })
}

// ShardOf returns the shard that a path belongs to, or nil.
func (c *catalog) shardOf(path string) *Shard {
	root, ok := c.ws.RootOf(path)
	if !ok {
		return nil
	}
	return c.shardFor(root)
}

// shardFor returns the shard of a root, or nil.
func (c *catalog) shardFor(root string) *Shard {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if i := c.shardAt(root); i >= 0 {
		return c.shards[i]
	}
	return nil
}

// all returns the current shards.
func (c *catalog) all() []*Shard {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.shards
}

// Status returns the current status.
func (x *Set) Status() Status {
	x.mu.RLock()
	defer x.mu.RUnlock()
	status := x.status
	if status.Paused = x.gate.closed(); status.Paused {
		status.State = Paused
	}
	return status
}

// Close closes the index. Nothing else may use it at the same time, or later.
func (x *Set) Close() error {
	x.endLifetime()
	x.background.Wait()
	x.incremental.document.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	var errs []error
	for _, s := range x.shards {
		errs = append(errs, s.close())
	}
	x.shards = nil
	return errors.Join(errs...)
}

func (st *Status) add(c Status) {
	st.Files += c.Files
	st.Symbols += c.Symbols
	st.References += c.References
}

// fewFiles are read in a moment, so they don't make the index incomplete.
const fewFiles = 32

// Incomplete reports whether the index lacks much of what it knows to be on disk: the first
// indexing of a root has not finished, or a scan has more than fewFiles left to read, as
// after a change of branch. Most scans find nothing new, and leave the index complete.
func (x *Set) Incomplete() bool {
	if x.partial() {
		return true
	}
	st := x.Status()
	return st.Progress != nil && st.Progress.TotalFiles-st.Progress.Files > fewFiles
}

// partial reports whether the first indexing of a root has not finished.
func (c *catalog) partial() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.ContainsFunc(c.shards, func(s *Shard) bool { return !s.complete })
}
