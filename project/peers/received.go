package peers

import (
	"context"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/peer"
	"ploke-lsp/project/indexing"
)

// folderPeers is what is heard of the peers of one folder. It implements [peer.Listener].
type folderPeers struct {
	group *Group
	root  string

	mu      sync.Mutex
	running map[string][]string // turns of each peer that have proposals and have not ended
}

// plainText is a text in one piece.
type plainText []byte

func (p plainText) Len() int      { return len(p) }
func (p plainText) Bytes() []byte { return p }

// PeerOpened implements [peer.Listener].
func (r *folderPeers) PeerOpened(name string, d peer.Document) {
	if !isWithin(r.root, d.Path) {
		return
	}
	r.group.change(d.Path, func(open []openDocument) []openDocument {
		return append(without(open, name), openDocument{name, d})
	})
}

// PeerClosed implements [peer.Listener].
func (r *folderPeers) PeerClosed(name, path string) {
	r.group.change(path, func(open []openDocument) []openDocument { return without(open, name) })
}

// PeerGone implements [peer.Listener].
func (r *folderPeers) PeerGone(name string) {
	for _, path := range r.group.openBy(name) {
		r.PeerClosed(name, path)
	}
	r.mu.Lock()
	left := r.running[name]
	delete(r.running, name)
	r.mu.Unlock()
	r.group.On.TurnsEnded(left)
}

// PeerChangedProposals implements [peer.Listener].
func (r *folderPeers) PeerChangedProposals(name string, proposals, ended []string) {
	running := r.group.On.ProposalsChanged(proposals)
	r.mu.Lock()
	running = append(running, r.running[name]...)
	running = slices.DeleteFunc(running, func(turn string) bool { return slices.Contains(ended, turn) })
	slices.Sort(running)
	r.running[name] = slices.Compact(running)
	r.mu.Unlock()
	r.group.On.TurnsEnded(ended)
}

// without returns the documents that are not of that peer.
func without(open []openDocument, name string) []openDocument {
	return slices.DeleteFunc(slices.Clone(open), func(o openDocument) bool { return o.peer == name })
}

// openBy lists the paths of the documents of a peer.
func (t *Group) openBy(name string) (paths []string) {
	t.receiving.Lock()
	defer t.receiving.Unlock()
	for _, open := range t.elsewhere {
		for _, o := range open {
			if o.peer == name {
				paths = append(paths, o.Path)
			}
		}
	}
	return paths
}

// IsOpen reports whether a file is open in another process.
func (t *Group) IsOpen(path string) bool {
	key := t.Workspace.Key(t.Workspace.Canonical(path))
	t.receiving.Lock()
	defer t.receiving.Unlock()
	return len(t.elsewhere[key]) > 0
}

// Decides reports whether one of the processes that have a file open knows the proposals of this one: it has the same
// state folder.
func (t *Group) Decides(path string) bool {
	own := peer.StateID(t.StateDir)
	key := t.Workspace.Key(t.Workspace.Canonical(path))
	t.receiving.Lock()
	open := t.elsewhere[key]
	t.receiving.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(open, func(o openDocument) bool {
		for _, m := range t.members {
			if p, ok := m.Peer(o.peer); ok && p.State != "" && p.State != own {
				return false
			}
		}
		return true
	})
}

// HaveText reports whether all other processes that have a file open have this text of it.
func (t *Group) HaveText(path string, text []byte) bool {
	key := t.Workspace.Key(t.Workspace.Canonical(path))
	t.receiving.Lock()
	defer t.receiving.Unlock()
	return !slices.ContainsFunc(t.elsewhere[key],
		func(o openDocument) bool { return o.Hidden != "" || string(o.Text) != string(text) })
}

// AnyOpen reports whether any file is open in another process.
func (t *Group) AnyOpen() bool {
	t.receiving.Lock()
	defer t.receiving.Unlock()
	return len(t.elsewhere) > 0
}

// change changes which peers have a file open, and borrows the latest text.
func (t *Group) change(path string, how func([]openDocument) []openDocument) {
	path = t.Workspace.Canonical(path)
	key := t.Workspace.Key(path)
	t.receiving.Lock()
	open := how(t.elsewhere[key])
	if t.elsewhere[key] = open; len(open) == 0 {
		delete(t.elsewhere, key)
	}
	if !t.Editor {
		t.borrow(path, open)
	}
	t.receiving.Unlock()
	if t.Editor {
		return
	}
	t.On.TextChanged()
	if len(open) == 0 {
		t.On.Returned(path)
	}
}

// borrow makes the last of the texts count. receiving is held.
func (t *Group) borrow(path string, open []openDocument) {
	if len(open) == 0 {
		t.Workspace.Return(path)
		t.borrowed.Changed(path)
		return
	}
	switch last := open[len(open)-1]; {
	case last.Hidden != "":
		t.Workspace.BorrowUnknown(path, last.Hidden)
		t.borrowed.Hide(path)
	default:
		t.Workspace.Borrow(path, last.Version, plainText(last.Text))
		t.borrowed.Changed(path)
	}
}

const (
	// cheapText is how long a text may take to be indexed without a pause afterwards.
	cheapText = 25 * time.Millisecond
	// paceFactor is how many times as long as the rest the pause takes after any other one, so that
	// another process's typing in a large text costs little.
	paceFactor = 4
)

// paced returns a wait for a debouncer that does not wait for quiet, so that what was typed
// elsewhere is found soon. After a text that took long to index, it pauses.
func paced() func(ctx context.Context, signals <-chan struct{}) bool {
	var began time.Time
	return func(ctx context.Context, signals <-chan struct{}) bool {
		if pause := paceFactor * (time.Since(began) - cheapText); pause > 0 && !began.IsZero() {
			select {
			case <-time.After(min(pause, indexing.DebounceLimit)):
			case <-ctx.Done():
				return false
			}
		}
		select {
		case <-signals:
		case <-ctx.Done():
			return false
		}
		began = time.Now()
		return true
	}
}
