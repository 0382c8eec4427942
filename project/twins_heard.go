package project

import (
	"context"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/twin"
	"ploke-lsp/project/indexing"
)

// room is what is heard of the twins of one folder. It implements [twin.Listener].
type room struct {
	twins *twins
	root  string

	mu      sync.Mutex
	running map[string][]string // turns of each twin that have proposals and have not ended
}

// plainText is a text in one piece.
type plainText []byte

func (p plainText) Len() int      { return len(p) }
func (p plainText) Bytes() []byte { return p }

// TwinOpened implements [twin.Listener].
func (r *room) TwinOpened(name string, d twin.Document) {
	if !isWithin(r.root, d.Path) {
		return
	}
	r.twins.change(d.Path, func(open []openByTwin) []openByTwin {
		return append(without(open, name), openByTwin{name, d})
	})
}

// TwinClosed implements [twin.Listener].
func (r *room) TwinClosed(name, path string) {
	r.twins.change(path, func(open []openByTwin) []openByTwin { return without(open, name) })
}

// TwinGone implements [twin.Listener].
func (r *room) TwinGone(name string) {
	for _, path := range r.twins.openBy(name) {
		r.TwinClosed(name, path)
	}
	r.mu.Lock()
	left := r.running[name]
	delete(r.running, name)
	r.mu.Unlock()
	r.twins.on.turnsEnded(left)
}

// TwinChangedProposals implements [twin.Listener].
func (r *room) TwinChangedProposals(name string, proposals, ended []string) {
	running := r.twins.on.proposalsChanged(proposals)
	r.mu.Lock()
	running = append(running, r.running[name]...)
	running = slices.DeleteFunc(running, func(turn string) bool { return slices.Contains(ended, turn) })
	slices.Sort(running)
	r.running[name] = slices.Compact(running)
	r.mu.Unlock()
	r.twins.on.turnsEnded(ended)
}

// without returns the documents that are not of that twin.
func without(open []openByTwin, name string) []openByTwin {
	return slices.DeleteFunc(slices.Clone(open), func(o openByTwin) bool { return o.twin == name })
}

// openBy lists the paths of the documents of a twin.
func (t *twins) openBy(name string) (paths []string) {
	t.hearing.Lock()
	defer t.hearing.Unlock()
	for _, open := range t.elsewhere {
		for _, o := range open {
			if o.twin == name {
				paths = append(paths, o.Path)
			}
		}
	}
	return paths
}

// isOpen reports whether a file is open in another process.
func (t *twins) isOpen(path string) bool {
	key := t.workspace.Key(t.workspace.Canonical(path))
	t.hearing.Lock()
	defer t.hearing.Unlock()
	return len(t.elsewhere[key]) > 0
}

// haveText reports whether all other processes that have a file open have this text of it.
func (t *twins) haveText(path string, text []byte) bool {
	key := t.workspace.Key(t.workspace.Canonical(path))
	t.hearing.Lock()
	defer t.hearing.Unlock()
	return !slices.ContainsFunc(t.elsewhere[key], func(o openByTwin) bool { return o.Hidden != "" || string(o.Text) != string(text) })
}

// anyOpen reports whether any file is open in another process.
func (t *twins) anyOpen() bool {
	t.hearing.Lock()
	defer t.hearing.Unlock()
	return len(t.elsewhere) > 0
}

// change changes which twins have a file open, and borrows the latest text.
func (t *twins) change(path string, how func([]openByTwin) []openByTwin) {
	path = t.workspace.Canonical(path)
	key := t.workspace.Key(path)
	t.hearing.Lock()
	open := how(t.elsewhere[key])
	if t.elsewhere[key] = open; len(open) == 0 {
		delete(t.elsewhere, key)
	}
	if !t.editor {
		t.borrow(path, open)
	}
	t.hearing.Unlock()
	if t.editor {
		return
	}
	t.on.textChanged()
	if len(open) == 0 {
		t.on.returned(path)
	}
}

// borrow makes the last of the texts count. hearing is held.
func (t *twins) borrow(path string, open []openByTwin) {
	if len(open) == 0 {
		t.workspace.Return(path)
		t.borrowed.Changed(path)
		return
	}
	switch last := open[len(open)-1]; {
	case last.Hidden != "":
		t.workspace.BorrowUnknown(path, last.Hidden)
		t.borrowed.Hide(path)
	default:
		t.workspace.Borrow(path, last.Version, plainText(last.Text))
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
