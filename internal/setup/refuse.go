package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkLinks returns an error if the file, or a folder on the way from the home folder to it, is
// a link: what is behind it may be shared with other machines, or made by a program. Of a file
// elsewhere, only its own folder is looked at, since systems have links above.
func (f Location) checkLinks() error {
	top := filepath.Dir(filepath.Dir(f.Path))
	if within(f.Path, f.Home) {
		top = f.Home
	}
	for path := f.Path; within(path, top) && path != top; path = filepath.Dir(path) {
		info, err := os.Lstat(path)
		if err == nil && info.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("%s is a link", path)
		}
	}
	return nil
}

// checkWorkspace returns an error if the file is in a workspace, or in the folder that the
// program runs in: an assistant that is confined to a workspace must not set itself up there,
// nor a workspace's environment variables lead here.
func (f Location) checkWorkspace() error {
	folder := resolve(filepath.Dir(f.Path))
	if root := workspaceOf(folder); root != "" {
		return fmt.Errorf("%s is in a workspace, %s", f.Path, root)
	}
	home, current := resolve(f.Home), resolve(f.WorkDir)
	if within(folder, current) && !within(home, current) { // the home folder is not a workspace
		return fmt.Errorf("%s is in the current folder, %s; run this in another folder", f.Path, f.WorkDir)
	}
	return nil
}

// workspaceOf returns the innermost folder from dir upwards that is under version control, "" if
// there is none.
func workspaceOf(dir string) string {
	for {
		for _, name := range []string{".git", ".hg", ".svn", ".jj"} {
			if exists(filepath.Join(dir, name)) {
				return dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// resolve returns the path of a folder without links. What does not exist yet has none.
func resolve(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return dir
	}
	return filepath.Join(resolve(parent), filepath.Base(dir))
}

// within reports whether a path is a folder or in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
