package shards

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

// indexedFile is a file as the index has it before an update.
type indexedFile struct {
	id       int64
	size     int64
	modified int64
	seen     bool // by the walk
}

// changedFile is a file that has to be read.
type changedFile struct {
	path, rel string
	size      int64
	modified  int64
	old       *indexedFile // nil for a new file
}

// updatePlan is the work of an update.
type updatePlan struct {
	read    []changedFile
	deleted []*indexedFile
	total   int            // number of files that the walk saw, without skipped ones
	bytes   int64          // of these
	skipped map[string]int // number of files skipped by name, size or mode
	totals  *Stats         // what the shard held before; set by planAll only
	started time.Time
}

func (p *updatePlan) empty() bool { return len(p.read) == 0 && len(p.deleted) == 0 }

func newPlan() *updatePlan { return &updatePlan{skipped: map[string]int{}, started: time.Now()} }

// knownFiles returns all indexed files by relative path, and counts what the shard holds.
func (s *Shard) knownFiles(ctx context.Context) (map[string]*indexedFile, *Stats, error) {
	known, totals := make(map[string]*indexedFile, s.held.Files), s.newStats()
	err := s.db.eachFile(ctx, func(f storedFile) {
		k := f.indexedFile
		known[f.rel] = &k
		totals.addFile(f)
	})
	return known, totals, err
}

// filesBelow returns the indexed file with a relative path, and those beneath it, by relative path.
func (d *database) filesBelow(ctx context.Context, rel string) (map[string]*indexedFile, error) {
	m := map[string]*indexedFile{}
	_, err := queryRows(ctx, d.read, func(rows *sql.Rows) (struct{}, error) {
		var rel string
		k := &indexedFile{}
		err := rows.Scan(&rel, &k.id, &k.size, &k.modified)
		m[rel] = k
		return struct{}{}, err
		// '0' is the character after '/'.
	}, "SELECT rel, id, size, modified FROM files WHERE rel = ? OR rel > ? AND rel < ?", rel, rel+"/", rel+"0")
	return m, err
}

// planAll compares the whole folder with the index. The walk and the database query run
// concurrently.
func (x *Set) planAll(ctx context.Context, s *Shard) (*updatePlan, error) {
	p := newPlan()
	var files map[string]*indexedFile
	loaded := make(chan struct{})
	g, running := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		defer close(loaded)
		files, p.totals, err = s.knownFiles(running)
		return err
	})
	g.Go(func() error {
		return x.ws.Walk(running, s.Root, func(e workspace.Entry) error {
			<-loaded
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

// visit compares one file of the walk with the index.
func (p *updatePlan) visit(s *Shard, files map[string]*indexedFile, e workspace.Entry) {
	if e.Skip != "" {
		if e.Skip != workspace.Ignored {
			p.skipped[string(e.Skip)]++
		}
		return
	}
	p.total++
	p.bytes += e.Size
	rel := s.Rel(e.Path)
	c := changedFile{path: e.Path, rel: rel, size: e.Size, modified: e.ModTime.UnixNano(), old: files[rel]}
	if c.old != nil {
		c.old.seen = true
		if c.old.size == c.size && c.old.modified == c.modified {
			return
		}
	}
	p.read = append(p.read, c)
}

// sweep marks the files that the walk has not seen as deleted.
func (p *updatePlan) sweep(files map[string]*indexedFile) {
	for _, k := range files {
		if !k.seen {
			p.deleted = append(p.deleted, k)
		}
	}
}

// planPaths compares single files with the index. all is true if ignore rules may have
// changed, or one of the paths is a folder: then the whole root has to be compared.
func (x *Set) planPaths(ctx context.Context, s *Shard, paths []string) (p *updatePlan, all bool, err error) {
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
		rel := s.Rel(path)
		files, kerr := s.db.filesBelow(ctx, rel)
		if kerr != nil {
			return nil, false, kerr
		}
		if err == nil {
			skip := x.ws.Skipped(path)
			p.visit(s, files, workspace.Entry{Path: path, Size: info.Size(), ModTime: info.ModTime(), Skip: skip})
		} else if !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "not a directory") {
			x.log.Warn("reading the state of a file", "path", path, "error", err)
			continue
		}
		p.sweep(files)
	}
	return p, false, nil
}

// racyAge is the age below which a file may still change without a new modification time.
const racyAge = 20 * time.Millisecond

// trustedModTime returns the modification time to store for a file, 0 if it can't be
// trusted.
func (p *updatePlan) trustedModTime(c changedFile) int64 {
	if time.Unix(0, c.modified).After(p.started.Add(-racyAge)) {
		return 0
	}
	return c.modified
}
