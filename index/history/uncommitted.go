package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

const (
	// maxBlob is the size in bytes of the largest content that is read of a commit or the index.
	maxBlob = 1 << 20
	// submodule is the mode of another repository.
	submodule = "160000"
)

// ErrNoRepository is the error for a folder in which git has nothing to compare.
var ErrNoRepository = errors.New("the folder is not in a git repository, or git is not installed")

// Change is a file that differs from the last commit.
type Change struct {
	Path string // relative to the folder, with slashes
	How  string // changed, new or deleted

	before, staged string // git's ids of the contents; "" for none
}

// Contents are the texts that git has of a [Change]. A nil text says that there is no such file, or that git does not
// give its content: Unread tells which.
type Contents struct {
	Before []byte // in the last commit
	Staged []byte // in git's index
	Unread bool   // one of them is not here, or too large
}

// Staged returns the files of a folder whose content in git's index differs from the last commit, by their paths.
// Before the first commit all are new. The error is [ErrNoRepository] where git has nothing to compare.
func Staged(ctx context.Context, dir string) (changes []Change, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if _, err := exec.LookPath("git"); err != nil || !inRepository(dir) {
		return nil, ErrNoRepository
	}
	base, err := lastCommit(ctx, dir)
	if err != nil {
		return nil, err
	}
	raw, err := git(ctx, dir, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--relative",
		base, "--")
	return parseRaw(string(raw)), err
}

// Uncommitted returns the files of a folder that differ from the last commit, or are staged as if they did, those first
// that git tracks. unsaved has the texts that count instead of those on disk, by their paths relative to the folder,
// with slashes. A file whose line ends alone differ is unchanged. Errors are as for [Staged].
func Uncommitted(ctx context.Context, dir string, unsaved map[string][]byte) ([]Change, error) {
	staged, err := Staged(ctx, dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	return addUnstaged(ctx, dir, staged, unsaved)
}

// lastCommit returns what names the tree of the last commit; before the first one it is the empty tree.
func lastCommit(ctx context.Context, dir string) (string, error) {
	if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		return "HEAD", nil
	}
	tree, err := git(ctx, dir, "hash-object", "-t", "tree", "--stdin")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(tree)), nil
}

// parseRaw reads pairs of ":MODE MODE ID ID STATUS" and a path. Other repositories are left out.
func parseRaw(raw string) (changes []Change) {
	fields := strings.Split(raw, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) < 5 || head[0] == submodule || head[1] == submodule {
			continue
		}
		c := Change{Path: fields[i+1], before: idOf(head[2]), staged: idOf(head[3])}
		c.How = howOf(c.before, c.staged)
		changes = append(changes, c)
	}
	return changes
}

// howOf says how a content became another; "" stands for none.
func howOf(before, after string) string {
	switch "" {
	case before:
		return "new"
	case after:
		return "deleted"
	}
	return "changed"
}

// idOf returns the id of a content; "" for the one of zeros, which stands for none.
func idOf(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// ReadContents returns the texts that git has of changes of a folder, in their order.
func ReadContents(ctx context.Context, dir string, changes []Change) (contents []Contents, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	var ids strings.Builder
	for _, c := range changes {
		for _, id := range []string{c.before, c.staged} {
			if id != "" {
				ids.WriteString(id + "\n")
			}
		}
	}
	read := func(out io.Reader) error {
		r := bufio.NewReader(out)
		for _, change := range changes {
			var c Contents
			for _, side := range []struct {
				id   string
				text *[]byte
			}{{change.before, &c.Before}, {change.staged, &c.Staged}} {
				if side.id == "" {
					continue
				}
				text, err := readBlob(r)
				if err != nil {
					return err
				}
				*side.text, c.Unread = text, c.Unread || text == nil
			}
			contents = append(contents, c)
		}
		return nil
	}
	err = stream(ctx, dir, []byte(ids.String()), read, "cat-file", "--batch")
	return contents, err
}

// readBlob reads a content from what "cat-file --batch" writes; nil if git lacks it, or if it is too large.
func readBlob(r *bufio.Reader) ([]byte, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	var id, kind string
	var size int64
	if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil {
		return nil, nil // "ID missing"
	}
	if size > maxBlob {
		_, err := io.CopyN(io.Discard, r, size+1)
		return nil, err
	}
	text := make([]byte, size+1)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	return text[:size:size], nil
}

// Subjects returns the first lines of the newest commits, at most n, the newest first. Without a commit there are none.
func Subjects(ctx context.Context, dir string, n int) (subjects []string) {
	ids, err := List(ctx, dir)
	if err != nil || len(ids) == 0 {
		return nil
	}
	commits, err := Read(ctx, dir, ids[:min(n, len(ids))])
	if err != nil {
		return nil
	}
	for _, c := range commits {
		subjects = append(subjects, c.Subject)
	}
	return subjects
}
