package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// A repository is a repository of git.
type repository struct {
	top    string // the folder that has a .git entry
	own    string // the folder of git's files for this worktree
	common string // the folder of git's files that all worktrees of the repository share
}

// repositoryAt returns the repository with this top. In a linked worktree or a submodule, .git is a file that names a
// folder, which may name the shared one.
func repositoryAt(top string) repository {
	r := repository{top: top, own: filepath.Join(top, ".git")}
	if to, ok := strings.CutPrefix(pointer(r.own), "gitdir:"); ok {
		r.own = resolveIn(top, strings.TrimSpace(to))
	}
	r.common = r.own
	if to := pointer(filepath.Join(r.own, "commondir")); to != "" {
		r.common = resolveIn(r.own, to)
	}
	return r
}

// branch returns the name of the branch that is checked out, "" if there is none.
func (r repository) branch() string {
	ref, ok := strings.CutPrefix(pointer(filepath.Join(r.own, "HEAD")), "ref:")
	if !ok {
		return ""
	}
	name, _ := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	return name
}

// maxPointerBytes bounds the files by which git names a folder or a branch.
const maxPointerBytes = 64 << 10

// pointer returns the line in a file of git, "" if there is none.
func pointer(path string) string {
	data, err := ReadRegular(path, maxPointerBytes)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// resolveIn returns an absolute path, or one below dir. A path to another machine, as Windows has
// them, is none: looking there would tell that machine who the person is.
func resolveIn(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) && !strings.HasPrefix(path, `\\`) {
		return path
	}
	return filepath.Join(dir, path)
}

// repositoryTop returns the innermost folder that contains dir, or dir itself, and has a
// .git entry. It returns "" if there is none.
func repositoryTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
