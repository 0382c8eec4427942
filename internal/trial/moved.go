package trial

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"ploke-lsp/internal/disk"
)

// Moved reports whether a folder has changed since a time: whether a file in it was written, made, removed, renamed or
// got another mode. Folders for which skip returns true, and those of git, don't count. Skip is called by several
// goroutines.
//
// It goes by the times that the system itself keeps, which no program can set back, so it needs one walk and no
// memory of what was there, and also sees a text of the same size and time of modification. If since comes from
// [Tick], it sees all of it, but for what a program goes on writing in memory that it shares with a file, and what
// happens on a disk whose server's clock is late. (What has changed shortly before could be written so. To compare
// its texts, each command would have to wait for another walk that finds it.) It also returns true for what makes no
// difference to a reader, such as an editor's temporary file.
func Moved(folder string, since time.Time, skip func(folder string) bool) (bool, error) {
	w := &movedWalk{root: folder, since: since, skip: skip, free: make(chan struct{}, runtime.GOMAXPROCS(0))}
	w.folder(".")
	w.running.Wait()
	return w.moved.Load() || w.err != nil, w.err
}

// movedWalk looks for what has changed in folders, several at once.
type movedWalk struct {
	root    string
	since   time.Time
	skip    func(folder string) bool
	moved   atomic.Bool
	running sync.WaitGroup
	free    chan struct{} // has a value for each goroutine of the walk

	once sync.Once
	err  error // the first one; set once
}

// folder looks in a folder and in those below.
func (w *movedWalk) folder(p string) {
	if w.moved.Load() {
		return
	}
	below, changed, err := w.list(p)
	switch {
	case changed || errors.Is(err, fs.ErrNotExist): // it has gone since it was listed
		w.moved.Store(true)
	case errors.Is(err, fs.ErrPermission):
		return // what we can't read, a command could not either
	case err != nil:
		w.once.Do(func() { w.err = err })
	}
	for _, name := range below {
		sub := path.Join(p, name)
		if name == ".git" || w.skip(sub) {
			continue
		}
		select {
		case w.free <- struct{}{}:
			w.running.Go(func() {
				w.folder(sub)
				<-w.free
			})
		default:
			w.folder(sub)
		}
	}
}

// list returns the names of the folders in a folder, and whether the folder or a file in it has changed.
func (w *movedWalk) list(p string) (folders []string, changed bool, err error) {
	f, err := disk.OpenToRead(filepath.Join(w.root, filepath.FromSlash(p)))
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !ChangedAt(info).Before(w.since) {
		return nil, true, err
	}
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		} else if at, err := entryChangedAt(f, e); err != nil || !at.Before(w.since) {
			return nil, true, nil
		}
	}
	return folders, false, err
}
