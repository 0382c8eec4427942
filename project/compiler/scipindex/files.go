package scipindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
)

// Options are what files are read with. Workspace and Paths are required.
type Options struct {
	Workspace *workspace.Workspace
	// Paths returns the files of the settings. A relative path is looked for in each folder of the workspace.
	Paths func() []string
	Log   *slog.Logger // nil discards
}

// Files are the indexes of a project. They implement [compiler.Source].
type Files struct {
	options Options
	life    context.Context
	end     context.CancelFunc
	reading sync.WaitGroup
	alone   sync.Mutex // held by who reads a file as a whole

	mu     sync.Mutex
	tables map[string]*reading // by the path of the file
}

var _ compiler.Source = (*Files)(nil)

// reading is a file that is or was read.
type reading struct {
	identity identity
	done     chan struct{}
	table    *table // after done; nil if err is set
	err      error
}

// identity tells a file from what it was, and the folders of the workspace from what they were.
type identity struct {
	info  fs.FileInfo
	roots []string
}

func (i identity) same(other identity) bool {
	return os.SameFile(i.info, other.info) && i.info.Size() == other.info.Size() &&
		i.info.ModTime().Equal(other.info.ModTime()) && slices.Equal(i.roots, other.roots)
}

// New returns files of which none is read yet. They must be closed.
func New(o Options) *Files {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f := &Files{options: o, tables: map[string]*reading{}}
	f.life, f.end = context.WithCancel(context.Background())
	return f
}

// Close ends what is being read, and waits for that.
func (f *Files) Close() {
	f.end()
	f.reading.Wait()
}

// References implements [compiler.Source].
func (f *Files) References(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
	return f.ask(ctx, q, (*question).references)
}

// Implementations implements [compiler.Source].
func (f *Files) Implementations(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
	return f.ask(ctx, q, (*question).implementations)
}

// Definition implements [compiler.Source].
func (f *Files) Definition(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
	return f.ask(ctx, q, (*question).definition)
}

// Rename implements [compiler.Source]. No file says all that a rename must replace.
func (f *Files) Rename(context.Context, compiler.Question, string) (*compiler.Answer, error) {
	return nil, compiler.ErrNone
}

// ask asks the first file that knows the place of a question.
func (f *Files) ask(ctx context.Context, q compiler.Question,
	find func(*question, context.Context) error) (*compiler.Answer, error) {
	began := time.Now()
	result := error(compiler.ErrNone)
	for _, path := range f.paths() {
		t, err := f.table(ctx, path)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, fs.ErrNotExist), err == nil && t.dir == "":
			continue
		case err != nil:
			result = err
			continue
		}
		asked := &question{files: f, table: t, Question: q, answer: compiler.Answer{Source: t.source(), Hash: q.Hash,
			Readiness: compiler.Complete}}
		err = asked.run(ctx, find)
		if errors.Is(err, compiler.ErrNone) {
			continue
		}
		asked.answer.Took = time.Since(began)
		asked.answer.Answering = asked.answer.Took
		return &asked.answer, err
	}
	return nil, result
}

// paths returns the absolute paths of the files of the settings.
func (f *Files) paths() (paths []string) {
	for _, path := range f.options.Paths() {
		if filepath.IsAbs(path) {
			paths = append(paths, filepath.Clean(path))
			continue
		}
		for _, root := range f.options.Workspace.Roots() {
			paths = append(paths, filepath.Join(root, path))
		}
	}
	return paths
}

// table returns what a file has. It is read if it was not yet, or has changed; the caller waits for that.
func (f *Files) table(ctx context.Context, path string) (*table, error) {
	info, err := disk.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", filepath.Base(path), err)
	}
	now := identity{info, f.options.Workspace.Roots()}
	f.mu.Lock()
	r := f.tables[path]
	if r == nil || !r.identity.same(now) {
		if f.life.Err() != nil {
			f.mu.Unlock()
			return nil, compiler.ErrNone
		}
		r = &reading{identity: now, done: make(chan struct{})}
		f.tables[path] = r
		f.reading.Go(func() {
			f.alone.Lock()
			defer f.alone.Unlock()
			defer close(r.done)
			began := time.Now()
			r.table, r.err = readTable(f.life, f.options.Workspace, path, now, f.room())
			f.options.Log.Debug("an index was read", "path", path, "took", time.Since(began), "error", r.err)
		})
	}
	f.mu.Unlock()
	select {
	case <-r.done:
		return r.table, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// maxTables is how many bytes of memory the tables of all files may take.
const maxTables = 96 << 20

// room returns how many bytes another table may take.
func (f *Files) room() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	room := maxTables
	for _, r := range f.tables {
		select {
		case <-r.done:
			if r.table != nil {
				room -= r.table.bytes
			}
		default:
		}
	}
	return room
}

// source names the indexer, and the commit or the time at which the index was made.
func (t *table) source() string {
	at := "of " + t.identity.info.ModTime().Format("2006-01-02 15:04")
	if t.commit != "" {
		at = "at " + t.commit[:min(len(t.commit), shownCommit)]
	}
	return strings.TrimSpace(plain(t.tool)+" "+plain(t.version)) + " " + at
}

// shownCommit is how many digits of a commit are shown.
const shownCommit = 10

// maxPlain bounds the name and the version of an indexer, which the file tells.
const maxPlain = 40

// plain returns a name of a file as one word for a line of text.
func plain(name string) string {
	name = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, name)
	return name[:min(len(name), maxPlain)]
}
