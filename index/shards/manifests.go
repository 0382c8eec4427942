package shards

import (
	"context"
	"database/sql"
	"path"
	"sync/atomic"

	"ploke-lsp/internal/lazyregexp"
)

// Package is what a manifest says about how code imports what is in its folder.
type Package struct {
	Manifest string // the base name of its file
	Folder   string // in the shard, "." for its root
	Name     string // by which code imports it, "" if it has none
	Listed   string // by which other manifests name it; only Cargo.toml has it

	// Exports are the files behind the names that follow the package's in an import, "." for the package itself. A
	// name and its files may have one "*". Paths are relative to Folder. Only package.json has them, and Cargo.toml for
	// the root of a library.
	Exports map[string][]string
	// Aliases are the files that names of imports stand for in the files beneath Folder, in the form of Exports.
	// tsconfig.json and jsconfig.json have them, and what says in which folders packages of Python are.
	Aliases map[string][]string
	// Renames are what names of packages stand for in the files beneath Folder: the name of another package, or its
	// folder relative to Folder, which begins with a dot. package.json and Cargo.toml have them.
	Renames map[string]string
}

// manifests are those of a shard's generation.
type manifests struct {
	of  *snapshot
	all []*manifest
}

// manifest is a file that says something of a package, with what it says once that has been read.
type manifest struct {
	rel, hash string
	says      atomic.Pointer[Package]
}

// manifestsOfNow returns the manifests of the current generation. It queries the database once per generation, and
// keeps what is known of files that have not changed.
func (s *Shard) manifestsOfNow(ctx context.Context) ([]*manifest, error) {
	s.mu.Lock()
	now, known := s.current, s.manifests
	s.mu.Unlock()
	if known.of == now {
		return known.all, nil
	}
	all, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (*manifest, error) {
		m := &manifest{}
		return m, rows.Scan(&m.rel, &m.hash)
	}, `SELECT rel, hash FROM files WHERE rel = 'go.mod' OR rel LIKE '%/go.mod' OR rel LIKE '%.json' AND
		('/' || rel LIKE '%/package.json' OR '/' || rel LIKE '%/tsconfig%' OR '/' || rel LIKE '%/jsconfig.json') OR
		rel LIKE '%.toml' AND ('/' || rel LIKE '%/Cargo.toml' OR '/' || rel LIKE '%/pyproject.toml') OR
		rel LIKE '%setup.cfg' AND '/' || rel LIKE '%/setup.cfg'
		ORDER BY rel`)
	if err != nil {
		return nil, s.NoteDamage(err)
	}
	before := map[string]*manifest{}
	for _, m := range known.all {
		before[m.rel] = m
	}
	for _, m := range all {
		if old := before[m.rel]; old != nil && old.hash == m.hash {
			m.says.Store(old.says.Load())
		}
	}
	s.mu.Lock()
	s.manifests = manifests{now, all}
	s.mu.Unlock()
	return all, nil
}

// Packages returns what a shard's manifests say, in the order of their paths.
func (r Reader) Packages(ctx context.Context, s *Shard) (packages []Package, err error) {
	all, err := s.manifestsOfNow(ctx)
	if err != nil {
		return nil, err
	}
	unsaved := r.UnsavedBuffers()
	for _, m := range all {
		var p *Package
		if b := unsaved[s.Path(m.rel)]; b != nil {
			p = newPackage(m.rel, b.Source.Text)
		} else {
			p = r.packageOf(ctx, s, m)
		}
		if p != nil {
			packages = append(packages, *p)
		}
	}
	return packages, nil
}

// packageOf returns what a manifest on disk says, nil if the file no longer exists.
func (r Reader) packageOf(ctx context.Context, s *Shard, m *manifest) *Package {
	if p := m.says.Load(); p != nil {
		return p
	}
	f, err := r.x.ws.Read(ctx, s.Path(m.rel))
	if err != nil {
		return nil
	}
	p := newPackage(m.rel, f.Text)
	if !f.Open {
		m.says.Store(p)
	}
	return p
}

// newPackage returns what the text of a manifest says. What can't be parsed says nothing.
func newPackage(rel string, text []byte) *Package {
	p := &Package{Manifest: path.Base(rel), Folder: path.Dir(rel)}
	switch p.Manifest {
	case "go.mod":
		if name := goModule.FindSubmatch(text); name != nil {
			p.Name = string(name[1])
		}
	case "package.json":
		p.readNode(text)
	case "Cargo.toml":
		p.readCargo(text)
	case "pyproject.toml":
		p.readPyproject(text)
	case "setup.cfg":
		p.readSetup(text)
	default:
		p.Aliases = compilerPaths(text)
	}
	return p
}

var goModule = lazyregexp.New(`(?m)^module[ \t]+"?([^\s"]+)`)
