package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Limit is how many commits are looked at. Of 500, 1,500 and 3,000 on five projects, 500
// find less, and 3,000 no more.
const Limit = 1500

// maxFiles is how many files a commit may touch; one that touches more is about none.
const maxFiles = 100

// Commit is what its author wrote first, and which files it touched.
type Commit struct {
	ID      string
	Subject string
	Files   []string
}

// List names the last commits of the folder's repository, the newest first. There are
// none where the folder is in no repository, or git is not installed.
func List(ctx context.Context, dir string) (ids []string, err error) {
	if !inRepository(dir) {
		return nil, nil
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, nil
	}
	if _, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil, nil // no commit yet, or a repository that git does not trust
	}
	out, err := git(ctx, dir, nil, "rev-list", "--max-count="+strconv.Itoa(Limit), "--no-merges", "HEAD")
	return strings.Fields(string(out)), err
}

// inRepository says whether a folder or one above it has a .git.
func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return false
		}
		dir = above
	}
}

// Read reads commits, in the order of ids. Those that touched nothing in the folder, or
// too much, have no files. Renames are not followed: on eight projects, less was found
// with what had been said of files before they were moved.
func Read(ctx context.Context, dir string, ids []string) ([]Commit, error) {
	out, err := git(ctx, dir, []byte(strings.Join(ids, "\n")+"\n"),
		"diff-tree", "--stdin", "-r", "--root", "--always", "--name-only", "--no-renames", "--relative", "-z",
		"--encoding=UTF-8", "--format="+header+"%H%x00%s")
	if err != nil {
		return nil, err
	}
	commits := parse(string(out))
	if !slices.EqualFunc(ids, commits, func(id string, c Commit) bool { return id == c.ID }) {
		return nil, errors.New("git names other commits than were asked for")
	}
	return commits, nil
}

// header begins what is said of a commit. No file's name begins like that, or else its
// commit's files are wrong.
const header = "\x01commit "

// parse reads commits as Read asks for them: the header with the id, the subject, a line
// end, and the files, with a NUL after each but the line end.
func parse(out string) (commits []Commit) {
	parts := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); {
		id, ok := strings.CutPrefix(strings.TrimPrefix(parts[i], "\n"), header)
		if !ok {
			return commits
		}
		c := Commit{ID: id, Subject: parts[i+1]}
		for i += 2; i < len(parts) && !strings.HasPrefix(strings.TrimPrefix(parts[i], "\n"), header); i++ {
			if name := strings.TrimPrefix(parts[i], "\n"); name != "" {
				c.Files = append(c.Files, name)
			}
		}
		if len(c.Files) > maxFiles {
			c.Files = nil
		}
		commits = append(commits, c)
	}
	return commits
}

// git runs a command of git's plumbing in a folder.
func git(ctx context.Context, dir string, in []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "--no-pager", "--no-replace-objects"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	// A variable like GIT_DIR, which git sets for its hooks, would lead elsewhere.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(complaint.Bytes()))
	}
	return out, nil
}
