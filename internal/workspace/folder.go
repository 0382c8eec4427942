package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// list reads a folder, and looks at what is in it.
func (k *walker) list(f *folder) {
	dir, entries, err := openFolder(f.path)
	if err != nil {
		f.unreadable = true
		return
	}
	defer dir.Close()
	rules := k.root.rules.load(f.path, f.around, func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(d fs.DirEntry, name string) int {
			return strings.Compare(d.Name(), name)
		})
		return found
	})
	f.entries = make([]Entry, 0, len(entries))
	for _, d := range entries {
		path := under(f.path, d.Name())
		skip := k.root.rules.skip(rules, path, d.IsDir())
		switch {
		case skip == Ignored || k.roots[path]:
		case d.IsDir():
			f.entries = append(f.entries, Entry{Dir: true})
			f.below = append(f.below, &folder{path: path, around: rules})
		default:
			f.entries = append(f.entries, k.w.entry(dir, d, path, k.rel(path), skip))
		}
	}
}

// rel is Workspace.Rel of a path of the root.
func (k *walker) rel(path string) string {
	return k.label + filepath.ToSlash(relTo(k.root.dir, path))
}

// under is filepath.Join for a clean path and a name.
func under(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// openFolder opens a folder and reads its entries, by name. As with files, a mode that
// lets nobody read counts even for a superuser.
func openFolder(path string) (dir *os.File, entries []fs.DirEntry, err error) {
	dir, err = openDir(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			dir.Close()
		}
	}()
	info, err := dir.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Mode().Perm()&0o444 == 0 {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	entries, err = dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return dir, entries, err
}

// stat is what counts of a file's attributes.
type stat struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
}

func newStat(info fs.FileInfo) stat { return stat{info.Mode(), info.Size(), info.ModTime()} }

// entry completes the decision about an entry of dir with what its stat says.
func (w *Workspace) entry(dir *os.File, d fs.DirEntry, path, rel string, skip Skip) Entry {
	e := Entry{Path: path, Rel: rel, Skip: skip, Dir: d.IsDir()}
	st, err := statIn(dir, d.Name())
	if err != nil {
		e.Skip = Unreadable
		return e
	}
	e.Size, e.ModTime = st.size, st.modified
	if byStat := st.skip(w.maxFileBytes.Load()); byStat == Symlink || skip == "" && !e.Dir {
		e.Skip = byStat
	}
	return e
}

// skip is the decision that a file's mode and size allow. A mode that lets nobody read
// counts even for a superuser, who could.
func (s stat) skip(limit int64) Skip {
	switch {
	case s.mode&fs.ModeSymlink != 0:
		return Symlink
	case !s.mode.IsRegular(), s.mode.Perm()&0o444 == 0:
		return Unreadable
	case s.size > limit:
		return TooLarge
	}
	return ""
}
