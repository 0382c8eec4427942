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

// checkouts are trees of a repository's commits, each in a folder with its history.
type checkouts struct {
	repo string
	name string // of its clone
	dir  string
}

// at returns the tree of a commit, which it checks out unless an earlier run has.
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
	half := tree + ".half"
	if err := errors.Join(os.RemoveAll(half), git(ctx, "-C", clone, "worktree", "prune")); err != nil {
		return "", err
	}
	if err := git(ctx, "-C", clone, "worktree", "add", "--quiet", "--force", "--detach", half, commit); err != nil {
		return "", err
	}
	return tree, git(ctx, "-C", clone, "worktree", "move", half, tree)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(complaint.Bytes()))
	}
	return nil
}
