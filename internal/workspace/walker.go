package workspace

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// maxAhead is how many folders may have been read that are not visited yet: what they
// hold takes memory.
const maxAhead = 256

// walker visits folders in order, while goroutines read those that come next.
type walker struct {
	w     *Workspace
	root  *root
	roots map[string]bool // folders with walks of their own
	label string          // begins each Rel
	visit func(Entry) error

	readers sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond // of what follows
	queue   []*folder  // to be read, roughly in the order of the visits: the next is last
	ahead   int        // folders that are begun or read, and not visited
	ended   bool
}

// folder is what a folder holds, once it is read.
type folder struct {
	path   string
	around *rules
	state  state // guarded by walker.mu

	unreadable bool
	entries    []Entry
	below      []*folder // of the entries that are folders
}

// state is how far the reading of a folder is.
type state int

const (
	waiting state = iota
	begun
	done
)

func newWalker(w *Workspace, r *root, visit func(Entry) error) *walker {
	k := &walker{w: w, root: r, roots: make(map[string]bool), label: w.labelOf(r), visit: visit}
	k.changed = sync.NewCond(&k.mu)
	for _, other := range w.Roots() {
		k.roots[other] = true
	}
	return k
}

// run walks the whole root.
func (k *walker) run(ctx context.Context) error {
	for range runtime.GOMAXPROCS(0) {
		k.readers.Go(k.readAhead)
	}
	defer k.end()
	return k.walk(ctx, &folder{path: k.root.dir})
}

func (k *walker) end() {
	k.mu.Lock()
	k.ended = true
	k.changed.Broadcast()
	k.mu.Unlock()
	k.readers.Wait()
}

func (k *walker) walk(ctx context.Context, f *folder) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k.await(f)
	if f.unreadable {
		return k.visit(Entry{Path: f.path, Rel: k.w.Rel(f.path), Skip: Unreadable, Dir: true})
	}
	below := f.below
	for _, e := range f.entries {
		var err error
		if e.Dir {
			err = k.walk(ctx, below[0])
			below = below[1:]
		} else {
			err = k.visit(e)
		}
		if err != nil {
			return err
		}
	}
	f.entries, f.below = nil, nil
	return nil
}

// await returns when f is read. If that is begun, it reads others meanwhile.
func (k *walker) await(f *folder) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for f.state != done {
		if f.state == waiting {
			k.read(f)
		} else if next := k.next(); next != nil {
			k.read(next)
		} else {
			k.changed.Wait()
		}
	}
	k.ahead--
	k.changed.Broadcast()
}

// readAhead reads what comes next, until the end of the walk.
func (k *walker) readAhead() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for !k.ended {
		if f := k.next(); f != nil {
			k.read(f)
		} else {
			k.changed.Wait()
		}
	}
}

// next takes a folder from the queue; nil where there is none, or no room for what it holds.
func (k *walker) next() *folder {
	for len(k.queue) > 0 && k.ahead < maxAhead {
		f := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if f.state == waiting {
			return f
		}
	}
	return nil
}

// read reads f, without the lock.
func (k *walker) read(f *folder) {
	f.state = begun
	k.ahead++
	k.mu.Unlock()
	k.list(f)
	k.mu.Lock()
	f.state = done
	for _, below := range slices.Backward(f.below) {
		k.queue = append(k.queue, below)
	}
	k.changed.Broadcast()
}
