package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

const (
	// maxUncommitted is how many files that are not committed are told.
	maxUncommitted = 500
	// maxBlob is the size in bytes of the largest content that is read of a commit or the index.
	maxBlob = 1 << 20
)

// ErrNoRepository is the error for a folder in which git has nothing to compare.
var ErrNoRepository = errors.New("the folder is not in a git repository, or git is not installed")

// An Uncommitted is a file that may differ from the last commit. A nil text says that there is no such file, or that
// git does not give its content: Unread tells which.
type Uncommitted struct {
	Path   string // relative to the folder, with slashes
	Before []byte // in the last commit
	Staged []byte // in git's index
	Unread bool   // one of the contents is not here, or too large
}

// Changed returns the files below a folder that may differ from the last commit, at most maxUncommitted by their paths.
// The texts that are not staged are those of the disk, which git is not asked to read: it could run a filter that the
// repository names. With staged it returns only what is staged.
func Changed(ctx context.Context, dir string, staged bool) ([]Uncommitted, error) {
	if _, err := exec.LookPath("git"); err != nil || !inRepository(dir) {
		return nil, ErrNoRepository
	}
	base, err := lastCommit(ctx, dir)
	if err != nil {
		return nil, err
	}
	raw, err := git(ctx, dir, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--relative",
		base, "--")
	if err != nil {
		return nil, err
	}
	entries := parseRaw(string(raw))
	if !staged {
		onDisk, err := changedOnDisk(ctx, dir)
		if err != nil {
			return nil, err
		}
		entries = append(entries, onDisk...)
	}
	slices.SortStableFunc(entries, byPath)
	entries = slices.CompactFunc(entries, func(a, b rawEntry) bool { return byPath(a, b) == 0 }) // the staged one stays
	return readContents(ctx, dir, entries[:min(len(entries), maxUncommitted)])
}

func byPath(a, b rawEntry) int { return strings.Compare(a.path, b.path) }

// changedOnDisk returns the files that may differ from git's index, and those that it does not know.
func changedOnDisk(ctx context.Context, dir string) ([]rawEntry, error) {
	entries, err := touched(ctx, dir)
	if err != nil {
		return nil, err
	}
	created, err := git(ctx, dir, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for path := range strings.SplitSeq(string(created), "\x00") {
		if path != "" {
			entries = append(entries, rawEntry{path: path})
		}
	}
	return entries, nil
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

// A rawEntry is a line of diff-index. The id of a content that git does not have is "".
type rawEntry struct{ path, before, after string }

// parseRaw reads pairs of ":MODE MODE ID ID STATUS" and a path. Links and other repositories are left out.
func parseRaw(raw string) (entries []rawEntry) {
	fields := strings.Split(raw, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) < 5 || !isFile(head[0]) || !isFile(head[1]) {
			continue
		}
		entries = append(entries, rawEntry{fields[i+1], idOf(head[2]), idOf(head[3])})
	}
	return entries
}

// isFile reports whether a mode of git is that of a regular file, or of none.
func isFile(mode string) bool { return mode == "000000" || strings.HasPrefix(mode, "100") }

// idOf returns the id of a content; "" for the one of zeros, which stands for none.
func idOf(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// readContents returns the entries with their contents.
func readContents(ctx context.Context, dir string, entries []rawEntry) ([]Uncommitted, error) {
	var ids strings.Builder
	for _, e := range entries {
		for _, id := range []string{e.before, e.after} {
			if id != "" {
				ids.WriteString(id + "\n")
			}
		}
	}
	var files []Uncommitted
	read := func(out io.Reader) error {
		r := bufio.NewReader(out)
		for _, e := range entries {
			u := Uncommitted{Path: e.path}
			for _, side := range []struct {
				id   string
				text *[]byte
			}{{e.before, &u.Before}, {e.after, &u.Staged}} {
				if side.id == "" {
					continue
				}
				text, err := readBlob(r)
				if err != nil {
					return err
				}
				*side.text, u.Unread = text, u.Unread || text == nil
			}
			files = append(files, u)
		}
		return nil
	}
	err := stream(ctx, dir, []byte(ids.String()), read, "cat-file", "--batch")
	return files, err
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
