package edits

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// fixture is a Manager with real files and a real database.
type fixture struct {
	*Manager
	t       *testing.T
	dir     string
	db      string
	changes []State // the statuses that OnChange received
}

func newFixture(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	return newFixtureIn(t, t.TempDir(), files)
}

// newFixtureIn is like newFixture, in a folder that may be on another disk.
func newFixtureIn(t *testing.T, dir string, files map[string]string) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := &fixture{t: t, dir: dir, db: filepath.Join(t.TempDir(), "state.db")}
	for name, text := range files {
		b.write(name, text)
	}
	b.start()
	return b
}

// start opens the database and the folder as a new process would.
func (b *fixture) start() {
	b.t.Helper()
	if b.Manager != nil {
		if err := b.Proposals.db.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
	db, err := store.Open(b.t.Context(), b.db)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	ws, err := workspace.New([]string{b.dir}, workspace.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Manager = New(db, ws, Options{OnChange: func(p *Proposal) { b.changes = append(b.changes, p.Status()) }})
}

func (b *fixture) path(name string) string { return filepath.Join(b.dir, name) }

func (b *fixture) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// chmod sets a file's mode, and returns what the system has made of it.
func (b *fixture) chmod(name string, mode fs.FileMode) fs.FileMode {
	b.t.Helper()
	if err := os.Chmod(b.path(name), mode); err != nil {
		b.t.Fatal(err)
	}
	return b.mode(name)
}

func (b *fixture) mode(name string) fs.FileMode {
	b.t.Helper()
	info, err := os.Stat(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return info.Mode().Perm()
}

func (b *fixture) disk(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// view returns the file's text as the turn sees it.
func (b *fixture) view(turn, name string) string {
	b.t.Helper()
	f, err := b.Staging.View(Turn{ID: turn}).Read(b.t.Context(), b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	if f.Hash != workspace.Hash(f.Text) {
		b.t.Errorf("the view's hash of %s is not that of its text", name)
	}
	return string(f.Text)
}

// replaceOnce returns an operation that replaces old, which must occur once in the turn's view
// of the file.
func (b *fixture) replaceOnce(turn, name, old, new string) Operation {
	b.t.Helper()
	text := b.view(turn, name)
	if strings.Count(text, old) != 1 {
		b.t.Fatalf("%q does not occur exactly once in %q", old, text)
	}
	at := strings.Index(text, old)
	return Operation{Op: OpEdit, Path: name, BaseHash: workspace.Hash([]byte(text)), Edits: []Edit{{at, at + len(old), new}}}
}

func (b *fixture) stage(turn string, ops ...Operation) *Proposal {
	b.t.Helper()
	p, err := b.Staging.Stage(b.t.Context(), Batch{RequestID: turn, Operations: ops})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// latest returns a decision by somebody who sees the proposal as it is stored now.
func latest(m interface {
	Get(context.Context, string) (*Proposal, error)
}, id string, sel Selection) Decision {
	d := Decision{ID: id, Selection: sel}
	if p, err := m.Get(context.Background(), id); err == nil {
		d.Shown = p.Version()
	}
	return d
}

func (b *fixture) accept(p *Proposal, sel Selection) *Plan {
	b.t.Helper()
	plan, err := b.Accept(b.t.Context(), latest(b.Proposals, p.ID, sel))
	if err != nil {
		b.t.Fatal(err)
	}
	return plan
}

func (b *fixture) settle(plan *Plan, o Outcome) *Proposal {
	b.t.Helper()
	p, err := b.Settle(b.t.Context(), plan, o)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// apply accepts, writes and settles.
func (b *fixture) apply(p *Proposal, sel Selection) *Proposal {
	b.t.Helper()
	plan := b.accept(p, sel)
	if err := b.WriteToDisk(b.t.Context(), plan); err != nil {
		b.t.Fatal(err)
	}
	return b.settle(plan, Outcome{Applied: true})
}

func (b *fixture) get(p *Proposal) *Proposal {
	b.t.Helper()
	p, err := b.Proposals.Get(b.t.Context(), p.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}
