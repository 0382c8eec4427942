package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// OutsideError is the error for a path outside every root of the workspace.
type OutsideError struct {
	Name  string   // as given by the caller
	Path  string   // the absolute path, with symbolic links resolved
	Roots []string // the roots of the workspace
}

func (e *OutsideError) Error() string {
	name := e.Name
	if e.Path != e.Name {
		name += " (" + e.Path + ")"
	}
	if len(e.Roots) == 0 {
		return fmt.Sprintf("%s is outside the workspace, which has no folder open", name)
	}
	return fmt.Sprintf("%s is outside the workspace; name a path inside %s", name, strings.Join(e.Roots, " or "))
}

// Resolve returns the absolute path for a name: a path relative to a root (with several
// roots, in the form of [Workspace.Rel]), an absolute path, or a file URI. The file need
// not exist. Symbolic links are resolved as far as the path exists, and names are spelled as on
// the disk, or as the editor spells an open document that is not there. If the result lies
// outside every root, the error is an *OutsideError. On Windows, it is a *WindowsNameError for
// a name that means something else there.
func (w *Workspace) Resolve(name string) (string, error) {
	path, err := w.absolute(name)
	if err != nil {
		return "", err
	}
	if err := w.checkNames(name, path); err != nil {
		return "", err
	}
	real, err := w.resolveLinks(path)
	if err != nil {
		return "", err
	}
	if w.rootOf(real) == nil {
		return "", &OutsideError{Name: name, Path: real, Roots: w.Roots()}
	}
	return w.openSpelling(real), nil
}

// absolute converts a name in any form to a clean absolute path.
func (f *folders) absolute(name string) (string, error) {
	if name == "" {
		return "", errors.New("the path is empty; name a file of the workspace")
	}
	if strings.ContainsRune(name, 0) {
		return "", errors.New("the path contains a NUL byte; remove it")
	}
	if strings.HasPrefix(name, "file:") {
		return pathOfURI(name)
	}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) && os.IsPathSeparator(path[0]) {
		path = f.drive() + path
	}
	if filepath.IsAbs(path) {
		return CleanPath(path)
	}
	return f.joinRoot(path, name)
}

// CleanPath is like [filepath.Clean] for an absolute path. On Windows, it also removes a prefix such as
// \\?\, and spells the letter of a drive in upper case. It fails there for a path that names a device.
func CleanPath(path string) (string, error) {
	path = filepath.Clean(path)
	if runtime.GOOS == "windows" {
		return plainWindowsPath(path)
	}
	return path, nil
}

// drive returns the drive or share of the first root. Windows takes a path such as \file for one on
// the current drive.
func (f *folders) drive() string {
	for _, r := range f.allRoots() {
		return filepath.VolumeName(r.dir)
	}
	return ""
}

// joinRoot joins a relative path to a root: the root whose label the path begins with,
// else the first root in which the path exists, else the first root.
func (f *folders) joinRoot(path, name string) (string, error) {
	roots := f.allRoots()
	if len(roots) == 0 {
		return "", &OutsideError{Name: name, Path: name}
	}
	if len(roots) > 1 {
		first, rest, _ := strings.Cut(filepath.Clean(path), string(filepath.Separator))
		for _, r := range roots {
			if r.label == first {
				return filepath.Join(r.dir, rest), nil
			}
		}
		for _, r := range roots {
			joined := filepath.Join(r.dir, path)
			if _, err := os.Lstat(joined); err == nil {
				return joined, nil
			}
		}
	}
	return filepath.Join(roots[0].dir, path), nil
}

func pathOfURI(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", fmt.Errorf("%q is not a file URI: %w", uri, err)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
		if u.Host != "" && u.Host != "localhost" {
			path = "//" + u.Host + u.Path
		}
	} else if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q is a file on another host; name a file on this machine", uri)
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%q has no absolute path", uri)
	}
	return CleanPath(path)
}

// resolveLinks resolves the symbolic links of a clean absolute path. Roots have no links,
// so resolving starts at the root if there is one.
func (f *folders) resolveLinks(path string) (string, error) {
	if r := f.rootOf(path); r != nil {
		return f.resolveLinksBelow(r.dir, relTo(r.dir, path))
	}
	volume := filepath.VolumeName(path)
	return f.resolveLinksBelow(volume+string(filepath.Separator), path[len(volume):])
}

// ReadLink returns the symbolic link that has a name, in the forms of [Workspace.Resolve]. It
// returns nil if something else has the name. The error is an *OutsideError if the link leads
// outside the roots, and a *SkippedError if it is skipped because of its name or the ignore rules.
func (w *Workspace) ReadLink(name string) (*File, error) {
	if _, err := w.Resolve(name); err != nil {
		return nil, err
	}
	path, err := w.absolute(name)
	if err != nil {
		return nil, err
	}
	dir, err := w.resolveLinks(filepath.Dir(path))
	if err != nil || w.rootOf(dir) == nil {
		return nil, err // a root, or a link from outside
	}
	path = filepath.Join(dir, w.spelled(dir, filepath.Base(path)))
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil, nil
	}
	if skip := w.skipResolved(path, false); skip != "" {
		return nil, &SkippedError{Rel: w.Rel(path), Skip: skip}
	}
	target, err := os.Readlink(path)
	if err != nil {
		return nil, err
	}
	return &File{Path: path, Text: []byte(target), Hash: Hash([]byte(target)), ModTime: info.ModTime(), Link: true}, nil
}

// canonical is like resolveLinks, for paths that identify a file without opening it. A
// path that can't be resolved is only cleaned.
func (f *folders) canonical(path string) string {
	if clean, err := CleanPath(path); err == nil {
		path = clean
	}
	if real, err := f.resolveLinks(path); err == nil {
		return real
	}
	return path
}

const maxLinks = 40 // the limit of Linux

// resolveLinksBelow resolves the links of rest, starting at dir, which has none, and spells its
// parts as the disk does. Parts that don't exist are kept as they are, so that the result shows
// where a dangling link leads.
func (f *folders) resolveLinksBelow(dir, rest string) (string, error) {
	links := 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, string(filepath.Separator))
		switch part {
		case "", ".":
			continue
		case "..":
			dir = filepath.Dir(dir)
			continue
		}
		next := filepath.Join(dir, f.spelled(dir, part))
		info, err := os.Lstat(next)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return "", err
		}
		if err != nil || !leadsOn(info.Mode()) {
			dir = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s has too many symbolic links", next)
		}
		target, err := os.Readlink(next)
		if err != nil && info.Mode()&fs.ModeSymlink == 0 {
			dir = next // an irregular file of another kind
			continue
		}
		if err != nil {
			return "", err
		}
		if volume := filepath.VolumeName(target); volume != "" || target != "" && os.IsPathSeparator(target[0]) {
			dir = cmp.Or(volume, filepath.VolumeName(dir)) + string(filepath.Separator)
			target = target[len(volume):]
		}
		rest = target + string(filepath.Separator) + rest
	}
	return dir, nil
}

// leadsOn reports whether a file of this mode may lead elsewhere: a symbolic link, or on Windows
// a junction, which is irregular there.
func leadsOn(mode fs.FileMode) bool {
	return mode&fs.ModeSymlink != 0 || runtime.GOOS == "windows" && mode&fs.ModeIrregular != 0
}
