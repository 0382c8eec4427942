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

// Limit is the number of commits that are read. Of 500, 1,500 and 3,000 commits, measured
// on five projects, 500 find less and 3,000 find no more.
const Limit = 1500

// maxFiles is the largest number of files that a commit may touch. A commit that touches
// more files says nothing about any of them.
const maxFiles = 100

// Commit holds the subject of a commit and the files that it touched.
type Commit struct {
	ID      string
	Subject string
	Files   []string
}

// List returns the IDs of the last commits of the folder's repository, the newest first.
// Without a repository, git or commits the list is empty.
func List(ctx context.Context, dir string) (ids []string, err error) {
	if !inRepository(dir) {
		return nil, nil
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, nil
	}
	if _, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil, ctx.Err() // no commit yet, or git does not trust the repository
	}
	out, err := git(ctx, dir, nil, "rev-list", "--max-count="+strconv.Itoa(Limit), "--no-merges", "HEAD")
	return strings.Fields(string(out)), err
}

// inRepository reports whether a folder or one of its parents has a .git entry.
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

// Read reads commits in the order of ids. A commit has no files if it touched none in the
// folder, or too many. Renames are not followed: on eight projects, search found less when
// the subjects from before a rename counted.
func Read(ctx context.Context, dir string, ids []string) ([]Commit, error) {
	out, err := git(ctx, dir, []byte(strings.Join(ids, "\n")+"\n"),
		"diff-tree", "--stdin", "-r", "--root", "--always", "--name-only", "--no-renames", "--relative", "-z",
		"--encoding=UTF-8", "--format="+header+"%H%x00%s")
	if err != nil {
		return nil, err
	}
	commits := parse(string(out))
	if !slices.EqualFunc(ids, commits, func(id string, c Commit) bool { return id == c.ID }) {
		return nil, errors.New("git returned other commits than requested")
	}
	return commits, nil
}

// header begins the record of a commit. A file whose name begins with it would break the
// parsing of its commit.
const header = "\x01commit "

// parse parses the output that Read requests: the header with the ID, the subject, a line
// end and the files, with a NUL after each but the line end.
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

// git runs one of git's plumbing commands in a folder. If ctx ends first, it returns the
// error of ctx.
func git(ctx context.Context, dir string, in []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "--no-pager", "--no-replace-objects"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	// Variables like GIT_DIR, which git sets for its hooks, would select another repository.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	// Older versions of git know no GIT_NO_LAZY_FETCH, and a fetch may run what the repository names.
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
