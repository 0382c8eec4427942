package history

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ploke-lsp/internal/lazyregexp"
)

// countedCommits is the number of commits whose authors are counted.
const countedCommits = 20_000

// latestTime is the time in which git has to say what is new: a person waits for it.
const latestTime = 10 * time.Second

// Entry is a commit as people read it.
type Entry struct {
	ID, Author, Subject string
	Time                time.Time // when the author wrote it
}

// Latest returns the last commits of a folder's repository that touched a path, without merges, the newest first: at
// most limit, and at most [Limit]. path is relative to the folder, with slashes; "" means everything. Without a
// repository, git or commits there are none.
func Latest(ctx context.Context, dir, path string, limit int) (entries []Entry, err error) {
	return Between(ctx, dir, path, "", "HEAD", limit)
}

// Between returns commits as [Latest] does: those that until leads back to, and since does not, unless it is "". Both
// are ids of commits, or HEAD.
func Between(ctx context.Context, dir, path, since, until string, limit int) (entries []Entry, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if ok, err := hasCommits(ctx, dir); !ok {
		return nil, err
	}
	from := []string{until}
	if since != "" {
		from = append(from, "^"+since)
	}
	err = eachCommit(ctx, dir, path, from, min(limit, Limit), "%H%x00%aN%x00%at%x00%s", func(line string) {
		if f := strings.SplitN(line, "\x00", 4); len(f) == 4 {
			seconds, _ := strconv.ParseInt(f[2], 10, 64)
			entries = append(entries, Entry{ID: f[0], Author: f[1], Subject: f[3], Time: time.Unix(seconds, 0).UTC()})
		}
	})
	return entries, err
}

// Author is a person with the number of commits that they wrote, and the days of the first and the last one.
type Author struct {
	Name        string
	Commits     int
	First, Last string
}

// Authors returns who wrote the last commits that touched a path, as in [Latest], those with most commits first, and
// the number of commits that were counted.
func Authors(ctx context.Context, dir, path string) (authors []Author, counted int, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if ok, err := hasCommits(ctx, dir); !ok {
		return nil, 0, err
	}
	byName := map[string]Author{}
	err = eachCommit(ctx, dir, path, []string{"HEAD"}, countedCommits, "%as%x00%aN", func(line string) {
		day, name, _ := strings.Cut(line, "\x00")
		a, known := byName[name]
		if !known {
			a = Author{Name: name, First: day, Last: day}
		}
		byName[name] = Author{name, a.Commits + 1, min(a.First, day), max(a.Last, day)}
		counted++
	})
	authors = slices.Collect(maps.Values(byName))
	slices.SortFunc(authors, func(a, b Author) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Name,
			b.Name))
	})
	return authors, counted, err
}

// Tag is a tag with the day on which it was made.
type Tag struct{ Name, Day string }

// Tags returns the last tags of a folder's repository, the newest first.
func Tags(ctx context.Context, dir string, limit int) (tags []Tag, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if ok, err := hasCommits(ctx, dir); !ok {
		return nil, err
	}
	out, err := git(ctx, dir, "for-each-ref", "--count="+strconv.Itoa(limit), "--sort=-creatordate",
		"--format=%(refname:lstrip=2)%00%(creatordate:short)", "refs/tags")
	for line := range strings.Lines(string(out)) {
		if name, day, ok := strings.Cut(strings.TrimSpace(line), "\x00"); ok {
			tags = append(tags, Tag{name, day})
		}
	}
	return tags, err
}

// Named returns the id of the commit that a tag, a branch or the beginning of an id names, "" if there is none. A
// version may lack the v of its tag.
func Named(ctx context.Context, dir, name string) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	if ok, err := hasCommits(ctx, dir); !ok || !plainName.MatchString(name) {
		return "", err
	}
	for _, full := range []string{name, "v" + name} {
		out, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", full+"^{commit}")
		if id := strings.TrimSpace(string(out)); err == nil && fullID.MatchString(id) {
			return id, nil
		}
	}
	return "", ctx.Err()
}

var (
	plainName = lazyregexp.New(`^\w[\w./+-]*$`)
	fullID    = lazyregexp.New(`^[0-9a-f]{40,64}$`)
)

// eachCommit calls found with a line for each of the last commits that touched a path and that some commits lead to.
func eachCommit(ctx context.Context, dir, path string, from []string, limit int, format string,
	found func(line string)) error {
	args := append([]string{"rev-list", "--max-count=" + strconv.Itoa(limit), "--no-merges", "--encoding=UTF-8",
		"--format=" + format}, append(from, "--")...)
	if path != "" {
		args = append(args, ":(literal)"+path)
	}
	return stream(ctx, dir, nil, func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxList)
		for lines.Scan() {
			if line := lines.Text(); !strings.HasPrefix(line, "commit ") || strings.Contains(line, "\x00") {
				found(line)
			}
		}
		return lines.Err()
	}, args...)
}
