package index

import (
	"cmp"
	"context"
	"database/sql"
	"path"
	"strings"
	"sync/atomic"

	"ploke-lsp/internal/lazyregexp"
)

// goPath returns the import path of a folder of Go files, according to the nearest go.mod
// above it.
func (r *resolver) goPath(dir *folder) string {
	if dir.goPath != "" {
		return dir.goPath
	}
	p, ok := r.goModules(dir.shard)[dir.rel]
	if !ok {
		p = dir.rel
		if p != "." {
			p = path.Join(r.goPath(r.folder(file{dir.shard, path.Dir(p)})), path.Base(p))
		}
	}
	p = strings.TrimPrefix(p, "std/")
	if _, vendored, ok := strings.Cut(p, "/vendor/"); ok {
		p = vendored
	}
	dir.goPath = strings.TrimPrefix(p, "vendor/")
	return dir.goPath
}

// goModules returns the paths of a shard's Go modules, by their folders.
func (r *resolver) goModules(s *shard) map[string]string {
	if paths, ok := r.modulePaths[s]; ok {
		return paths
	}
	mods, err := s.goModsOfNow(r.ctx)
	r.err = cmp.Or(r.err, err)
	paths := map[string]string{}
	overlay := r.x.unsavedBuffers()
	for _, m := range mods {
		name := ""
		if b := overlay[s.path(m.rel)]; b != nil {
			name = moduleName(b.source.text)
		} else {
			name = r.nameOf(s, m)
		}
		if name != "" {
			paths[path.Dir(m.rel)] = name
		}
	}
	r.modulePaths[s] = paths
	return paths
}

// nameOf returns the module path in a go.mod on disk, "" if the file no longer exists.
func (r *resolver) nameOf(s *shard, m *goMod) string {
	if name := m.name.Load(); name != nil {
		return *name
	}
	f, err := r.x.ws.Read(r.ctx, s.path(m.rel))
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
func (s *shard) goModsOfNow(ctx context.Context) ([]*goMod, error) {
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
		return nil, s.noteDamage(err)
	}
	s.mu.Lock()
	s.goMods = goMods{now, mods}
	s.mu.Unlock()
	return mods, nil
}
