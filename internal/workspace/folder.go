package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readFolder reads a folder and the attributes of its files.
func (k *walker) readFolder(f *folder) {
	dir, entries, err := openFolder(f.path)
	if err != nil {
		f.unreadable = true
		return
	}
	defer dir.Close()
	rules := k.root.rules.load(f.path, f.outer, func(name string) bool {
		if names := k.root.names; !names.exact() {
			return slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return names.key(d.Name()) == name })
		}
		_, found := slices.BinarySearchFunc(entries, name, func(d fs.DirEntry, name string) int {
			return strings.Compare(d.Name(), name)
		})
		return found
	})
	f.entries = make([]Entry, 0, len(entries))
	for _, d := range entries {
		path := joinName(f.path, d.Name())
		skip := k.root.rules.skip(rules, path, d.IsDir())
		switch {
		case skip == Ignored || k.roots[path]:
		case d.IsDir():
			f.entries = append(f.entries, Entry{Dir: true})
			f.subfolders = append(f.subfolders, &folder{path: path, outer: rules})
		default:
			f.entries = append(f.entries, k.w.entry(dir, d, path, k.rel(path), skip))
		}
	}
}

// rel is like [Workspace.Rel] for a path within the walked root.
func (k *walker) rel(path string) string {
	return k.label + filepath.ToSlash(relTo(k.root.dir, path))
}

// joinName joins a clean path and a name. It is faster than filepath.Join.
func joinName(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// openFolder opens a folder and reads its entries, sorted by name. As with files, a mode
// without read permission for anybody is an error even for the superuser.
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
