package peers

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/peer"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
)

// Group are the other processes that have the same folders open. They meet in a place for each
// folder; see [peer.Member].
//
// An editor's project tells them which documents it has open, with their texts. What a project
// tells is put together by a goroutine, so that no handler waits for it. A project without an
// editor borrows the texts of the others. An editor's project does not: its editor would apply
// edits to another text than they were made for. It only has to know which files are open
// elsewhere.
type Group struct {
	Options
	borrowed *indexing.Debouncer // gives the index the texts of the others

	started time.Time
	stop    context.CancelFunc
	done    sync.WaitGroup
	wake    chan struct{}     // holds a token if there is something to tell
	waiting map[string]string // the turns that run of changed proposals, by their ids; only the goroutine changes it

	mu      sync.Mutex              // guards what follows
	members map[string]*peer.Member // by folder; only the goroutine changes them
	failed  map[string]error        // why the peers of a folder are not met
	own     map[string]Document     // by path
	pending map[string]bool         // paths of documents that the peers have not been told of
	news    proposalNews

	receiving sync.Mutex                // held while something that was heard takes effect
	elsewhere map[string][]openDocument // by key of the path; the latest text comes last
}

// Options are what a group works with. All but Answer must be set.
type Options struct {
	Editor    bool   // this process's project is an editor's
	Alone     bool   // no others are met
	Program   string // the version of this program
	StateDir  string
	Workspace *workspace.Workspace
	Index     *index.Index
	Log       *slog.Logger
	On        Events
	// Answer answers what another process asks about a folder. nil answers nothing.
	Answer func(ctx context.Context, root string, question []byte) ([]byte, error)
}

// New returns a group that has met no peer yet.
func New(o Options) *Group {
	return &Group{
		Options:  o,
		borrowed: indexing.StartDebouncer(o.Index, o.Log, paced()),
		wake:     make(chan struct{}, 1), members: map[string]*peer.Member{}, failed: map[string]error{},
		own: map[string]Document{}, pending: map[string]bool{},
		news:      proposalNews{map[string]string{}, map[string]bool{}},
		waiting:   map[string]string{},
		elsewhere: map[string][]openDocument{},
	}
}

// Start meets the peers of the folders that are open.
func (t *Group) Start() {
	ctx, stop := context.WithCancel(context.Background())
	t.started, t.stop = time.Now(), stop
	t.syncRoots()
	t.done.Go(func() {
		for {
			select {
			case <-t.wake:
			case <-ctx.Done():
				return
			}
			t.syncRoots()
			t.tell()
		}
	})
}

// Close leaves the peers, after they were told what was noted.
func (t *Group) Close() {
	if t.stop != nil {
		t.stop()
		t.done.Wait()
		t.tell()
	}
	for _, m := range t.members {
		m.Close()
	}
	t.borrowed.Close()
}

// RootsChanged notes that other folders are open.
func (t *Group) RootsChanged() { wake.Up(t.wake) }

// syncRoots meets the peers of the folders that are open now, and leaves those of others.
func (t *Group) syncRoots() {
	roots := t.Workspace.Roots()
	for root, m := range t.members {
		if !slices.Contains(roots, root) {
			m.Close()
			t.setMember(root, nil)
		}
	}
	for _, root := range roots {
		if !t.Alone && t.members[root] == nil {
			t.join(root)
		}
	}
}

// join meets the other processes of a root.
func (t *Group) join(root string) {
	m, err := peer.Join(t.options(root))
	t.noteFailed(root, err)
	switch {
	case errors.Is(err, peer.ErrUnsupported):
		t.Log.Info("other processes are not met", "folder", root, "reason", err)
	case err != nil:
		t.Log.Warn("unsaved text is not shared with other processes", "folder", root, "error", err)
	default:
		t.setMember(root, m)
	}
}

// options are those of a member in the place of a folder.
func (t *Group) options(root string) peer.Options {
	o := peer.Options{Dirs: peer.Dirs(t.StateDir, root), Program: t.Program, State: peer.StateID(t.StateDir),
		Texts: !t.Editor, Listener: t.Listener(root), Log: t.Log}
	if t.Answer != nil {
		o.Answer = func(ctx context.Context, question []byte) ([]byte, error) { return t.Answer(ctx, root, question) }
	}
	return o
}

// Listener returns what takes what the peers of a folder tell.
func (t *Group) Listener(root string) peer.Listener {
	return &folderPeers{group: t, root: root, running: map[string][]string{}}
}

// Met returns the processes that are met in a folder, and why none can be.
func (t *Group) Met(root string) (met []peer.Peer, failed error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.members[root]; m != nil {
		met = m.Peers()
	}
	return met, t.failed[root]
}

// Flush gives the index the texts of the others that it does not have yet. It fails only when ctx ends.
func (t *Group) Flush(ctx context.Context) error { return t.borrowed.Flush(ctx) }

// noteFailed notes why the peers of a folder are not met, if err says so.
func (t *Group) noteFailed(root string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed[root] = err; err == nil {
		delete(t.failed, root)
	}
}

// setMember adds a member, or removes that of a folder. A new one is told of all documents.
func (t *Group) setMember(root string, m *peer.Member) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m == nil {
		delete(t.members, root)
		return
	}
	t.members[root] = m
	for path := range t.own {
		t.pending[path] = true
	}
}
