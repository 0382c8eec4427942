package graph

import (
	"cmp"
	"path"
	"strings"

	"ploke-lsp/index/shards"
)

// goPath returns the import path of a folder of Go files, according to the nearest go.mod
// above it.
func (r *resolver) goPath(dir *folder) string {
	if dir.goPath != "" {
		return dir.goPath
	}
	p, ok := r.goModules(dir.Shard)[dir.Rel]
	if !ok {
		p = dir.Rel
		if p != "." {
			p = path.Join(r.goPath(r.folder(file{dir.Shard, path.Dir(p)})), path.Base(p))
		}
	}
	p = strings.TrimPrefix(p, "std/")
	if _, vendored, ok := strings.Cut(p, "/vendor/"); ok {
		p = vendored
	}
	dir.goPath = strings.TrimPrefix(p, "vendor/")
	return dir.goPath
}

// GoModules returns the paths of a shard's Go modules, by their folders.
func (r *resolver) goModules(s *shards.Shard) map[string]string {
	if paths, ok := r.modulePaths[s]; ok {
		return paths
	}
	paths, err := r.Reader.GoModules(r.ctx, s)
	r.err = cmp.Or(r.err, err)
	r.modulePaths[s] = paths
	return paths
}
