package index

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/internal/workspace"
)

// known is what the index knows about a file before it looks again.
type indexedFile struct {
	id       int64
	size     int64
	modified int64
	seen     bool // by the walk
}

// candidate is a file that is to be read.
type changedFile struct {
	path, rel string
	size      int64
	modified  int64
	old       *indexedFile // nil for a new one
}

// plan is what an update has to do.
type updatePlan struct {
	read    []changedFile
	gone    []*indexedFile
	total   int            // files that the walk saw and that are not left out
	bytes   int64          // of these
	skipped map[string]int // left out by name, size or mode
	totals  *Stats         // what the shard held before; only planAll asks
	started time.Time
}

func (p *updatePlan) empty() bool { return len(p.read) == 0 && len(p.gone) == 0 }

func newPlan() *updatePlan { return &updatePlan{skipped: map[string]int{}, started: time.Now()} }

// knownFiles are the shard's files by relative path; below limits them to one
// path and what is beneath it, "" means all.
func (s *shard) knownFiles(ctx context.Context, below string) (map[string]*indexedFile, error) {
	statement, args := "SELECT rel, id, size, modified FROM files", []any(nil)
	if below != "" {
		// '0' is the character after '/'.
		statement += " WHERE rel = ? OR rel > ? AND rel < ?"
		args = []any{below, below + "/", below + "0"}
	}
	m := map[string]*indexedFile{}
	_, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (struct{}, error) {
		var rel string
		k := &indexedFile{}
		err := rows.Scan(&rel, &k.id, &k.size, &k.modified)
		m[rel] = k
		return struct{}{}, err
	}, statement, args...)
	return m, err
}

// planAll compares the whole folder with what is known. The folders are read ahead
// while the database is asked.
func (x *Index) planAll(ctx context.Context, s *shard) (*updatePlan, error) {
	p := newPlan()
	var files map[string]*indexedFile
	asked := make(chan struct{})
	g, running := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		defer close(asked)
		files, err = s.knownFiles(running, "")
		return err
	})
	g.Go(func() (err error) {
		p.totals, err = s.totals(running)
		return err
	})
	g.Go(func() error {
		return x.ws.Walk(running, s.root, func(e workspace.Entry) error {
			<-asked
			p.visit(s, files, e)
			return nil
		})
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	p.sweep(files)
	return p, x.refilterBuffers()
}

// visit decides about one file of the walk.
func (p *updatePlan) visit(s *shard, files map[string]*indexedFile, e workspace.Entry) {
	if e.Skip != "" {
		if e.Skip != workspace.Ignored {
			p.skipped[string(e.Skip)]++
		}
		return
	}
	p.total++
	p.bytes += e.Size
	rel := s.rel(e.Path)
	c := changedFile{path: e.Path, rel: rel, size: e.Size, modified: e.ModTime.UnixNano(), old: files[rel]}
	if c.old != nil {
		c.old.seen = true
		if c.old.size == c.size && c.old.modified == c.modified {
			return
		}
	}
	p.read = append(p.read, c)
}

// sweep lists the files that the walk has not seen as gone.
func (p *updatePlan) sweep(files map[string]*indexedFile) {
	for _, k := range files {
		if !k.seen {
			p.gone = append(p.gone, k)
		}
	}
}

// planPaths looks at single files and folders. all is true when ignore rules may
// have changed, or a folder has: then the whole root is to be looked at.
func (x *Index) planPaths(ctx context.Context, s *shard, paths []string) (p *updatePlan, all bool, err error) {
	p = newPlan()
	for _, path := range paths {
		switch filepath.Base(path) {
		case ".gitignore", ".ignore", ".plokeignore":
			return nil, true, nil
		}
		info, err := os.Lstat(path)
		if err == nil && info.IsDir() {
			return nil, true, nil
		}
		rel := s.rel(path)
		files, kerr := s.knownFiles(ctx, rel)
		if kerr != nil {
			return nil, false, kerr
		}
		if err == nil {
			skip := x.ws.Skipped(path)
			p.visit(s, files, workspace.Entry{Path: path, Size: info.Size(), ModTime: info.ModTime(), Skip: skip})
		} else if !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "not a directory") {
			x.log.Warn("looking at a file", "path", path, "error", err)
			continue
		}
		p.sweep(files)
	}
	return p, false, nil
}

// racy is the age below which a file may still change without its time changing.
const racyAge = 20 * time.Millisecond

// stamp is the time to remember a file by, 0 where it can't be relied on.
func (p *updatePlan) trustedModTime(c changedFile) int64 {
	if time.Unix(0, c.modified).After(p.started.Add(-racyAge)) {
		return 0
	}
	return c.modified
}
