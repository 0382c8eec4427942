package workspace

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// maxUnvisited is how many folders may be read before they are visited. It bounds the
// memory for their content.
const maxUnvisited = 256

// walker visits folders in order, while goroutines read the next folders ahead.
type walker struct {
	w     *Workspace
	root  *root
	roots map[string]bool // folders with their own walks
	label string          // the prefix of each Rel
	visit func(Entry) error

	readers sync.WaitGroup

	mu        sync.Mutex
	changed   *sync.Cond // signals changes of the following fields
	queue     []*folder  // to be read, roughly in reverse order of the visits
	unvisited int        // folders that are being read or are read, but not visited
	stopped   bool
}

// folder holds the content of a folder once it is read.
type folder struct {
	path  string
	outer *rules
	state state // guarded by walker.mu

	unreadable bool
	entries    []Entry
	subfolders []*folder // of the entries that are folders
}

// state is the progress of reading a folder.
type state int

const (
	unread state = iota
	reading
	done
)

func newWalker(w *Workspace, r *root, visit func(Entry) error) *walker {
	k := &walker{w: w, root: r, roots: make(map[string]bool), label: w.relPrefix(r), visit: visit}
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
	defer k.stop()
	return k.walk(ctx, &folder{path: k.root.dir})
}

func (k *walker) stop() {
	k.mu.Lock()
	k.stopped = true
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
	subfolders := f.subfolders
	for _, e := range f.entries {
		var err error
		if e.Dir {
			err = k.walk(ctx, subfolders[0])
			subfolders = subfolders[1:]
		} else {
			err = k.visit(e)
		}
		if err != nil {
			return err
		}
	}
	f.entries, f.subfolders = nil, nil
	return nil
}

// await returns when f is read. It reads f itself or, if another goroutine is reading f,
// the next folders in the queue.
func (k *walker) await(f *folder) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for f.state != done {
		if f.state == unread {
			k.read(f)
		} else if next := k.next(); next != nil {
			k.read(next)
		} else {
			k.changed.Wait()
		}
	}
	k.unvisited--
	k.changed.Broadcast()
}

// readAhead reads queued folders until the walk ends.
func (k *walker) readAhead() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for !k.stopped {
		if f := k.next(); f != nil {
			k.read(f)
		} else {
			k.changed.Wait()
		}
	}
}

// next takes a folder from the queue. It returns nil if there is none or too many are
// unvisited.
func (k *walker) next() *folder {
	for len(k.queue) > 0 && k.unvisited < maxUnvisited {
		f := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if f.state == unread {
			return f
		}
	}
	return nil
}

// read reads f. It releases the lock meanwhile.
func (k *walker) read(f *folder) {
	f.state = reading
	k.unvisited++
	k.mu.Unlock()
	k.readFolder(f)
	k.mu.Lock()
	f.state = done
	for _, sub := range slices.Backward(f.subfolders) {
		k.queue = append(k.queue, sub)
	}
	k.changed.Broadcast()
}
