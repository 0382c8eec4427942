package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"
)

// checkouts are the work trees of commits. Each has the history in it. They are in a folder for
// each repository, next to a clone that they belong to.
type checkouts struct {
	repos     string       // see repository
	dir       string       // absolute
	temporary bool         // whether close removes dir
	lock      *flock.Flock // on dir
	adding    sync.Mutex   // git adds one work tree of a clone at a time
}

// openCheckouts opens the checkouts in a folder, or in a temporary one if dir is empty.
func openCheckouts(repos, dir string) (t *checkouts, err error) {
	t = &checkouts{repos: repos, temporary: dir == ""}
	if t.temporary {
		t.dir, err = os.MkdirTemp("", "retrieval-*")
	} else if t.dir, err = filepath.Abs(dir); err == nil {
		err = os.MkdirAll(t.dir, 0o755)
	}
	if err != nil {
		return nil, err
	}
	t.lock = flock.New(filepath.Join(t.dir, "lock"))
	locked, err := t.lock.TryLock()
	if err == nil && !locked {
		err = fmt.Errorf("another run uses %s; wait for it, or give another folder", dir)
	}
	if err != nil {
		return nil, err
	}
	return t, errors.Join(os.RemoveAll(t.partials()), os.Mkdir(t.partials(), 0o755))
}

// partials is the folder of what is not complete yet. Each attempt has a folder of its own there,
// since the git of a run that was killed may go on for a while.
func (t *checkouts) partials() string { return filepath.Join(t.dir, "partial") }

func (t *checkouts) close() {
	t.lock.Unlock()
	if t.temporary {
		os.RemoveAll(t.dir)
	}
}

// repository returns the path of a repository OWNER/NAME, which is repos/OWNER+NAME/repo.
func repository(repos, name string) (string, error) {
	path := filepath.Join(repos, folderName(name), "repo")
	if !exists(path) {
		return "", fmt.Errorf("there is no repository %s in %s; clone it with git clone --bare", name, path)
	}
	return path, nil
}

// folderName returns the name of the folder for a slash-separated path.
func folderName(path string) string { return strings.ReplaceAll(path, "/", "+") }

// checkOut returns the work tree of a commit of a repository. It checks the commit out unless an
// earlier run has done so.
func (t *checkouts) checkOut(ctx context.Context, name, commit string) (tree string, err error) {
	t.adding.Lock()
	defer t.adding.Unlock()
	clone := filepath.Join(t.dir, folderName(name), "clone.git")
	tree = filepath.Join(t.dir, folderName(name), commit)
	if exists(tree) {
		return tree, nil
	}
	if !exists(clone) {
		if err := t.clone(ctx, name, clone); err != nil {
			return "", err
		}
	}
	partial, err := os.MkdirTemp(t.partials(), "tree-*")
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"-C", clone, "worktree", "prune"},
		{"-C", clone, "worktree", "add", "--quiet", "--force", "--no-checkout", "--detach", partial, commit},
		{"-C", partial, "read-tree", "HEAD"},
	} {
		if _, err := git(ctx, "", args...); err != nil {
			return "", err
		}
	}
	if err := checkOutPresent(ctx, partial); err != nil {
		return "", err
	}
	_, err = git(ctx, "", "-C", clone, "worktree", "move", partial, tree)
	return tree, err
}

// checkOutPresent writes the files of a work tree. It leaves out what the repository lacks, as a
// partial clone lacks large files.
func checkOutPresent(ctx context.Context, tree string) error {
	listed, err := git(ctx, "", "-C", tree, "ls-tree", "-r", "-l", "-z", "HEAD")
	if err != nil {
		return err
	}
	var missing strings.Builder
	for entry := range strings.SplitSeq(listed, "\x00") {
		if info, path, _ := strings.Cut(entry, "\t"); strings.HasSuffix(info, " BAD") { // instead of its size
			missing.WriteString(path + "\x00")
		}
	}
	if _, err := git(ctx, missing.String(), "-C", tree, "update-index", "--skip-worktree", "-z", "--stdin"); err != nil {
		return err
	}
	_, err = git(ctx, "", "-C", tree, "checkout-index", "--all", "--quiet")
	return err
}

// clone makes a clone that shares the objects of the repository.
func (t *checkouts) clone(ctx context.Context, name, clone string) error {
	repo, err := repository(t.repos, name)
	if err != nil {
		return err
	}
	partial, err := os.MkdirTemp(t.partials(), "clone-*")
	if err != nil {
		return err
	}
	if _, err := git(ctx, "", "clone", "--quiet", "--shared", "--bare", repo, partial); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(clone), 0o755); err != nil {
		return err
	}
	return os.Rename(partial, clone)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// git runs git with an input and returns its output.
func git(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}
