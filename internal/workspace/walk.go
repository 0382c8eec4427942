package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Entry is a file as Walk finds it, without a look inside.
type Entry struct {
	Path    string
	Rel     string
	Size    int64 // bytes
	ModTime time.Time
	Skip    Skip // why it is left out; "" when it isn't
	Dir     bool // a folder: only List reports these, and Walk those it can't read
}

// Walk visits the files beneath root, a root folder, in the order of their
// names, a folder's files where its name stands. Ignored files and the data of
// version control are not visited; others that are left out are visited with
// the reason. Symbolic links are not followed, and what can't be read is
// visited as Unreadable. An error of visit, or of ctx, ends the walk and is
// returned. A folder that is a root of its own is left to its own walk.
func (w *Workspace) Walk(ctx context.Context, root string, visit func(Entry) error) error {
	r := w.rootOf(root)
	if r == nil || r.dir != root {
		return fmt.Errorf("%s is not a folder of the workspace", root)
	}
	k := &walker{w: w, root: r, roots: make(map[string]bool), visit: visit, ahead: make(chan struct{}, runtime.GOMAXPROCS(0))}
	for _, other := range w.Roots() {
		k.roots[other] = true
	}
	rel := w.Rel(root)
	if rel == "." {
		rel = ""
	}
	defer k.reading.Wait()
	return k.walk(ctx, k.folder(root, rel, nil))
}

// walker visits folders in order, and has others read ahead meanwhile.
type walker struct {
	w     *Workspace
	root  *root
	roots map[string]bool
	visit func(Entry) error

	reading sync.WaitGroup
	ahead   chan struct{} // holds one for each folder that is read ahead
}

// folder is what a folder holds, once it is read.
type folder struct {
	dir, rel string
	around   *rules
	read     func() // reads it, unless that is done or begun; returns when it is done

	unreadable bool
	entries    []Entry
	below      []*folder // of the entries that are folders
	begun      int       // how many of below are being read
}

func (k *walker) folder(dir, rel string, around *rules) *folder {
	f := &folder{dir: dir, rel: rel, around: around}
	f.read = sync.OnceFunc(func() { k.list(f) })
	return f
}

func (k *walker) walk(ctx context.Context, f *folder) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.read()
	if f.unreadable {
		return k.visit(Entry{Path: f.dir, Rel: f.rel, Skip: Unreadable, Dir: true})
	}
	next := 0
	for _, e := range f.entries {
		var err error
		if e.Dir {
			next++
			k.readAhead(f, next)
			err = k.walk(ctx, f.below[next-1])
			f.below[next-1] = nil // so that only what is ahead takes memory
		} else {
			err = k.visit(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAhead begins to read the folders below f from that one on, as far as there is
// room for it.
func (k *walker) readAhead(f *folder, from int) {
	for f.begun = max(f.begun, from); f.begun < len(f.below); f.begun++ {
		select {
		case k.ahead <- struct{}{}:
		default:
			return
		}
		read := f.below[f.begun].read
		k.reading.Go(func() {
			read()
			<-k.ahead
		})
	}
}

// list reads a folder, and looks at what is in it.
func (k *walker) list(f *folder) {
	entries, err := readDir(f.dir)
	if err != nil {
		f.unreadable = true
		return
	}
	rules := k.root.rules.load(f.dir, f.around, func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(d fs.DirEntry, name string) int {
			return strings.Compare(d.Name(), name)
		})
		return found
	})
	for _, d := range entries {
		path, rel := filepath.Join(f.dir, d.Name()), join(f.rel, d.Name())
		skip := k.root.rules.skip(rules, path, d.IsDir())
		switch {
		case skip == Ignored || k.roots[path]:
		case d.IsDir():
			f.entries = append(f.entries, Entry{Path: path, Rel: rel, Dir: true})
			f.below = append(f.below, k.folder(path, rel, rules))
		default:
			f.entries = append(f.entries, k.w.entry(path, rel, d, skip))
		}
	}
}

// join is path.Join for parts that are clean; dir may be empty.
func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// readDir returns the entries of a folder by name. As with files, a mode that
// lets nobody read counts even for a superuser.
func readDir(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o444 == 0 {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
	}
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// entry completes the decision about a file with what its stat says.
func (w *Workspace) entry(path, rel string, d fs.DirEntry, skip Skip) Entry {
	e := Entry{Path: path, Rel: rel, Skip: skip, Dir: d.IsDir()}
	info, err := d.Info()
	if err != nil {
		e.Skip = Unreadable
		return e
	}
	e.Size, e.ModTime = info.Size(), info.ModTime()
	if byStat := skipByStat(info, w.maxFileBytes); byStat == Symlink || skip == "" && !e.Dir {
		e.Skip = byStat
	}
	return e
}

// Skipped is the decision about one path by its name, the ignore rules of the
// folders it is in, and whether it is a symbolic link; its size, mode and
// content are not looked at. What is outside the roots is Ignored. The rules
// are those that the last Walk found.
func (w *Workspace) Skipped(path string) Skip {
	path = filepath.Clean(path)
	if real := w.canonical(path); real != path {
		if w.rootOf(path) != nil {
			return Symlink
		}
		path = real
	}
	info, err := os.Lstat(path)
	return w.skipResolved(path, err == nil && info.IsDir())
}

// skipResolved is Skipped for a path without symbolic links.
func (w *Workspace) skipResolved(path string, isDir bool) Skip {
	r := w.rootOf(path)
	switch {
	case r == nil:
		return Ignored
	case path == r.dir:
		return ""
	}
	return r.skipBeneath(path, isDir)
}

// skipBeneath decides about path after each of the folders around it.
func (r *root) skipBeneath(path string, isDir bool) Skip {
	parent := filepath.Dir(path)
	if parent != r.dir {
		if skip := r.skipBeneath(parent, true); skip != "" {
			return skip
		}
	}
	return r.rules.skip(r.rules.get(parent), path, isDir)
}

// List returns the files and folders beneath dir, down to depth levels (1: its
// own entries), in Walk's order, each folder before what it holds. Ignored
// ones are left out, others that are not served carry the reason.
func (w *Workspace) List(ctx context.Context, dir string, depth int) ([]Entry, error) {
	dir, err := w.Resolve(dir)
	if err != nil {
		return nil, err
	}
	if skip := w.Skipped(dir); skip != "" {
		return nil, &SkippedError{Path: dir, Skip: skip}
	}
	return w.list(ctx, w.rootOf(dir), dir, depth, nil)
}

func (w *Workspace) list(ctx context.Context, r *root, dir string, depth int, into []Entry) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	entries, err := readDir(dir)
	if err != nil {
		return nil, err
	}
	rules := r.rules.get(dir)
	for _, d := range entries {
		path := filepath.Join(dir, d.Name())
		skip := r.rules.skip(rules, path, d.IsDir())
		if skip == Ignored {
			continue
		}
		e := w.entry(path, w.Rel(path), d, skip)
		at := len(into)
		into = append(into, e)
		if !e.Dir || depth <= 1 {
			continue
		}
		below, err := w.list(ctx, r, path, depth-1, into)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			into[at].Skip = Unreadable
			continue
		}
		into = below
	}
	return into, nil
}
