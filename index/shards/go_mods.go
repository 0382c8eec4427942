package shards

import (
	"context"
	"database/sql"
	"path"
	"sync/atomic"

	"ploke-lsp/internal/lazyregexp"
)

// goMods are the go.mod files of a shard's generation.
type goMods struct {
	of   *snapshot
	mods []*goMod
}

// goMod is a go.mod file, with its module path once that has been read.
type goMod struct {
	rel  string
	name atomic.Pointer[string]
}

// goModsOfNow returns the go.mod files of the current generation. It queries the database
// once per generation.
func (s *Shard) goModsOfNow(ctx context.Context) ([]*goMod, error) {
	s.mu.Lock()
	now, known := s.current, s.goMods
	s.mu.Unlock()
	if known.of == now {
		return known.mods, nil
	}
	mods, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (*goMod, error) {
		m := &goMod{}
		return m, rows.Scan(&m.rel)
	}, "SELECT rel FROM files WHERE rel = 'go.mod' OR rel LIKE '%/go.mod'")
	if err != nil {
		return nil, s.NoteDamage(err)
	}
	s.mu.Lock()
	s.goMods = goMods{now, mods}
	s.mu.Unlock()
	return mods, nil
}

// GoModules returns the paths of a shard's Go modules, by their folders.
func (r Reader) GoModules(ctx context.Context, s *Shard) (map[string]string, error) {
	mods, err := s.goModsOfNow(ctx)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	overlay := r.UnsavedBuffers()
	for _, m := range mods {
		name := ""
		if b := overlay[s.Path(m.rel)]; b != nil {
			name = moduleName(b.Source.Text)
		} else {
			name = r.nameOf(ctx, s, m)
		}
		if name != "" {
			paths[path.Dir(m.rel)] = name
		}
	}
	return paths, nil
}

// nameOf returns the module path in a go.mod on disk, "" if the file no longer exists.
func (r Reader) nameOf(ctx context.Context, s *Shard, m *goMod) string {
	if name := m.name.Load(); name != nil {
		return *name
	}
	f, err := r.x.ws.Read(ctx, s.Path(m.rel))
	if err != nil {
		return ""
	}
	name := moduleName(f.Text)
	if !f.Open {
		m.name.Store(&name)
	}
	return name
}

var goModule = lazyregexp.New(`(?m)^module[ \t]+"?([^\s"]+)`)

// moduleName returns the module path in the text of a go.mod, "" if there is none.
func moduleName(text []byte) string {
	if name := goModule.FindSubmatch(text); name != nil {
		return string(name[1])
	}
	return ""
}
