package history

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// touched returns the files of git's index whose size or time on disk is another than git has noted, or that are so
// young that the time tells nothing. Git itself would read them, and so run a filter that the repository names.
func touched(ctx context.Context, dir string) (entries []rawEntry, err error) {
	written, err := indexTime(ctx, dir)
	if err != nil {
		return nil, err
	}
	read := func(out io.Reader) error {
		r := bufio.NewReader(out)
		for {
			e, noted, err := readIndexEntry(r)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if e.before != "" && !noted.is(filepath.Join(dir, filepath.FromSlash(e.path)), written) {
				entries = append(entries, e)
			}
		}
	}
	return entries, stream(ctx, dir, nil, read, "ls-files", "--stage", "-z", "--debug")
}

// indexTime returns when git's index was written; the zero time if there is none.
func indexTime(ctx context.Context, dir string) (time.Time, error) {
	path, err := git(ctx, dir, "rev-parse", "--git-path", "index")
	if err != nil {
		return time.Time{}, err
	}
	name := strings.TrimSuffix(string(path), "\n")
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}, nil
	}
	return info.ModTime(), nil
}

// noted is what git's index says of a file on disk.
type noted struct{ seconds, nanoseconds, size int64 }

// is reports whether the file at a path is certainly the noted one, by an index that was written then.
func (n noted) is(path string, written time.Time) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	at := info.ModTime()
	return info.Size() == n.size && at.Unix() == n.seconds && at.Before(written) &&
		(n.nanoseconds == 0 || int64(at.Nanosecond()) == n.nanoseconds)
}

// readIndexEntry reads "MODE ID STAGE", a tab, the path, a zero byte, and five lines of what is noted of the file.
// The entry of a link, of another repository or of a conflict has no id.
func readIndexEntry(r *bufio.Reader) (e rawEntry, n noted, err error) {
	head, err := r.ReadString(0)
	if err != nil {
		return e, n, err
	}
	about, path, _ := strings.Cut(strings.TrimSuffix(head, "\x00"), "\t")
	fields := strings.Fields(about)
	e.path = path
	if len(fields) == 3 && isFile(fields[0]) && fields[2] == "0" {
		e.before = fields[1]
	}
	for range 5 {
		line, err := r.ReadString('\n')
		if err != nil {
			return e, n, err
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		first, second, _ := strings.Cut(value, ":")
		switch name {
		case "mtime":
			n.seconds, n.nanoseconds = number(first), number(second)
		case "size":
			size, _, _ := strings.Cut(value, "\t")
			n.size = number(size)
		}
	}
	return e, n, nil
}

// number returns -1 for what is not a number.
func number(digits string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil {
		return -1
	}
	return n
}
