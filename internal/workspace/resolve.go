package workspace

import (
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

// OutsideError says that a path leaves every root of the workspace.
type OutsideError struct {
	Name  string   // as it was given
	Path  string   // what it stands for, symbolic links resolved
	Roots []string // where it would have had to be
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

// Resolve returns the absolute path that name stands for: a path relative to
// a root (with several roots, Rel's form), an absolute path, or a file URI.
// The file need not exist. Symbolic links are resolved as far as the path
// exists, and a path that then lies outside every root is an *OutsideError.
func (w *Workspace) Resolve(name string) (string, error) {
	path, err := w.absolute(name)
	if err != nil {
		return "", err
	}
	real, err := w.follow(path)
	if err != nil {
		return "", err
	}
	if w.rootOf(real) == nil {
		return "", &OutsideError{Name: name, Path: real, Roots: w.Roots()}
	}
	return real, nil
}

// absolute turns any form of a name into a clean absolute path.
func (w *Workspace) absolute(name string) (string, error) {
	if name == "" {
		return "", errors.New("the path is empty; name a file of the workspace")
	}
	if strings.ContainsRune(name, 0) {
		return "", errors.New("the path holds a NUL byte, which no file name may")
	}
	if strings.HasPrefix(name, "file:") {
		return pathOfURI(name)
	}
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return w.joinRoot(path, name)
}

// joinRoot places a relative path under a root: the one whose label it begins
// with, else the first one where it exists, else the first one.
func (w *Workspace) joinRoot(path, name string) (string, error) {
	roots := w.allRoots()
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
		return "", fmt.Errorf("%q names a file on another host; name one of this machine", uri)
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%q holds no absolute path", uri)
	}
	return filepath.Clean(path), nil
}

// follow resolves the symbolic links of a clean absolute path. Roots have none
// left, so that a path beneath one costs a stat for each part after it.
func (w *Workspace) follow(path string) (string, error) {
	if r := w.rootOf(path); r != nil {
		return followLinks(r.dir, relTo(r.dir, path))
	}
	volume := filepath.VolumeName(path) + string(filepath.Separator)
	return followLinks(volume, relTo(volume, path))
}

// canonical is follow for paths that identify something rather than open it: a
// path that can't be followed is taken by name.
func (w *Workspace) canonical(path string) string {
	path = filepath.Clean(path)
	if real, err := w.follow(path); err == nil {
		return real
	}
	return path
}

const maxLinks = 40 // as many as Linux follows

// followLinks walks rest down from dir, which has no links left. Parts that do
// not exist are taken by name, so that a link that dangles still shows where
// it leads.
func followLinks(dir, rest string) (string, error) {
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
		next := filepath.Join(dir, part)
		info, err := os.Lstat(next)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return "", err
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			dir = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s leads through too many symbolic links", next)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			dir = filepath.VolumeName(target) + string(filepath.Separator)
		}
		rest = target + string(filepath.Separator) + rest
	}
	return dir, nil
}
