package project

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/twin"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
)

// twins are the other processes that have the same folders open. They meet in a place for each
// folder; see [twin.Member].
//
// An editor's project tells them which documents it has open, with their texts. What a project
// tells is put together by a goroutine, so that no handler waits for it. A project without an
// editor borrows the texts of the others. An editor's project does not: its editor would apply
// edits to another text than they were made for. It only has to know which files are open
// elsewhere.
type twins struct {
	editor    bool
	alone     bool // no others are met
	program   string
	meet      func(root string) []string // where the twins of a folder may meet
	workspace *workspace.Workspace
	borrowed  *indexing.Debouncer // gives the index the texts of the others
	log       *slog.Logger
	on        twinEvents
	answer    func(ctx context.Context, root string, question []byte) ([]byte, error) // nil if nothing is answered

	started time.Time
	stop    context.CancelFunc
	done    sync.WaitGroup
	wake    chan struct{}     // holds a token if there is something to tell
	waiting map[string]string // the turns that run of changed proposals, by their ids; only the goroutine changes it

	mu      sync.Mutex              // guards what follows
	members map[string]*twin.Member // by folder; only the goroutine changes them
	failed  map[string]error        // why the twins of a folder are not met
	own     map[string]ownDocument  // by path
	pending map[string]bool         // paths of documents that the twins have not been told of
	news    proposalNews

	hearing   sync.Mutex              // held while something that was heard takes effect
	elsewhere map[string][]openByTwin // by key of the path; the latest text comes last
}

// ownDocument is a document that is open in this process's editor.
type ownDocument struct {
	version int32
	text    workspace.Content
	hidden  string // why the text is not known
}

// openByTwin is a document that is open in another process.
type openByTwin struct {
	twin string
	twin.Document
}

// twinEvents is what somebody wants to know of the twins. Its functions may be called from several goroutines.
type twinEvents struct {
	textChanged      func()                                 // a text was borrowed or returned
	returned         func(path string)                      // a file is not open in any of them any more
	proposalsChanged func(proposals []string) []string      // another process has changed proposals; returns their turns
	turnsEnded       func(turns []string)                   // the proposals of turns of other processes are ready
	running          func(turnID string) (hasNotEnded bool) // about a turn of this process
}

// proposalNews are changes of proposals that the twins have not been told of.
type proposalNews struct {
	turnOf map[string]string // the turns of the proposals, by their ids
	ended  map[string]bool   // turns
}

func newTwins(o Options, w *workspace.Workspace, x *index.Index, on twinEvents) *twins {
	return &twins{
		editor: o.Editor, alone: o.Alone, program: o.Version, workspace: w, log: o.Logger, on: on,
		meet:     func(root string) []string { return twin.Dirs(o.StateDir, root) },
		borrowed: indexing.StartDebouncer(x, o.Logger, paced()),
		wake:     make(chan struct{}, 1), members: map[string]*twin.Member{}, failed: map[string]error{}, own: map[string]ownDocument{}, pending: map[string]bool{},
		news:      proposalNews{map[string]string{}, map[string]bool{}},
		waiting:   map[string]string{},
		elsewhere: map[string][]openByTwin{},
	}
}

// start meets the twins of the folders that are open.
func (t *twins) start() {
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

// close leaves the twins, after they were told what was noted.
func (t *twins) close() {
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
func (t *twins) rootsChanged() { wake.Up(t.wake) }

// syncRoots meets the twins of the folders that are open now, and leaves those of others.
func (t *twins) syncRoots() {
	roots := t.workspace.Roots()
	for root, m := range t.members {
		if !slices.Contains(roots, root) {
			m.Close()
			t.setMember(root, nil)
		}
	}
	for _, root := range roots {
		if t.alone || t.members[root] != nil {
			continue
		}
		m, err := twin.Join(t.options(root))
		t.noteFailed(root, err)
		switch {
		case errors.Is(err, twin.ErrUnsupported):
			t.log.Info("other processes are not met", "folder", root, "reason", err)
		case err != nil:
			t.log.Warn("unsaved text is not shared with other processes", "folder", root, "error", err)
		default:
			t.setMember(root, m)
		}
	}
}

// options are those of a member in the place of a folder.
func (t *twins) options(root string) twin.Options {
	o := twin.Options{Dirs: t.meet(root), Program: t.program, Texts: !t.editor, Listener: &room{twins: t, root: root, running: map[string][]string{}}, Log: t.log}
	if t.answer != nil {
		o.Answer = func(ctx context.Context, question []byte) ([]byte, error) { return t.answer(ctx, root, question) }
	}
	return o
}

// noteFailed notes why the twins of a folder are not met, if err says so.
func (t *twins) noteFailed(root string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed[root] = err; err == nil {
		delete(t.failed, root)
	}
}

// setMember adds a member, or removes that of a folder. A new one is told of all documents.
func (t *twins) setMember(root string, m *twin.Member) {
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

// listLimit is how long after the start somebody waits for what the twins have open. It is short,
// since an editor may have been suspended in the same terminal.
const listLimit = 500 * time.Millisecond

// awaitListed waits until the twins that were there at the start have told what they have open.
func (t *twins) awaitListed(ctx context.Context) {
	ctx, cancel := context.WithDeadline(ctx, t.started.Add(listLimit))
	defer cancel()
	t.mu.Lock()
	members := slices.Collect(maps.Values(t.members))
	t.mu.Unlock()
	for _, m := range members {
		m.AwaitListed(ctx)
	}
}

// set notes the text of a document that is open in this process's editor, and that it is closed if doc is nil.
func (t *twins) set(path string, doc *ownDocument) {
	if !t.editor {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if doc == nil {
		delete(t.own, path)
	} else {
		t.own[path] = *doc
	}
	t.pending[path] = true
	wake.Up(t.wake)
}

// proposalChanged notes that this process has changed a proposal of a turn.
func (t *twins) proposalChanged(id, turnID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news.turnOf[id] = turnID
	wake.Up(t.wake)
}

// turnEnded notes that the proposals of a turn are ready for the person.
func (t *twins) turnEnded(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news.ended[id] = true
	wake.Up(t.wake)
}

// tell tells the twins what was noted.
func (t *twins) tell() {
	t.mu.Lock()
	pending, own, news := t.pending, maps.Clone(t.own), t.news
	t.pending, t.news = map[string]bool{}, proposalNews{map[string]string{}, map[string]bool{}}
	t.mu.Unlock()
	for path := range pending {
		for root, m := range t.members {
			if isWithin(root, path) {
				t.tellDocument(m, path, own)
			}
		}
	}
	for _, turnID := range news.turnOf {
		if !t.on.running(turnID) { // such as a proposal of no turn
			news.ended[turnID] = true
		}
	}
	if len(news.turnOf)+len(news.ended) > 0 {
		maps.Copy(t.waiting, news.turnOf)
		maps.DeleteFunc(t.waiting, func(_, turnID string) bool { return news.ended[turnID] })
		for _, m := range t.members {
			m.Announce(slices.Collect(maps.Keys(news.turnOf)), slices.Collect(maps.Keys(news.ended)), slices.Collect(maps.Keys(t.waiting)))
		}
	}
}

// isWithin reports whether a path lies in a folder, by name.
func isWithin(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// tellDocument tells what is open. The text of a file that nobody but the editor may read stays
// in this process.
func (t *twins) tellDocument(m *twin.Member, path string, own map[string]ownDocument) {
	doc, open := own[path]
	switch skip := t.workspace.Skipped(path); {
	case !open:
		m.Remove(path)
	case doc.hidden != "":
		m.Hide(path, doc.hidden)
	case skip != "":
		m.Hide(path, string(skip))
	default:
		m.Set(path, doc.version, doc.text)
	}
}
