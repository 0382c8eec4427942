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
)

// checkouts are the work trees of a repository's commits. Each has the history in it.
type checkouts struct {
	repo string
	name string // of its clone
	dir  string
}

// checkOut returns the work tree of a commit. It checks the commit out unless an earlier run has
// done so.
func (t *checkouts) checkOut(ctx context.Context, commit string) (tree string, err error) {
	clone := filepath.Join(t.dir, t.name+".git")
	tree = filepath.Join(t.dir, commit)
	if exists(tree) {
		return tree, nil
	}
	if !exists(clone) {
		if err := git(ctx, "clone", "--quiet", "--shared", "--bare", t.repo, clone); err != nil {
			return "", err
		}
	}
	partial := tree + ".partial"
	if err := errors.Join(os.RemoveAll(partial), git(ctx, "-C", clone, "worktree", "prune")); err != nil {
		return "", err
	}
	if err := git(ctx, "-C", clone, "worktree", "add", "--quiet", "--force", "--detach", partial, commit); err != nil {
		return "", err
	}
	return tree, git(ctx, "-C", clone, "worktree", "move", partial, tree)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return nil
}
