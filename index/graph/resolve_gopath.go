package graph

import (
	"cmp"
	"path"
	"strings"

	"ploke-lsp/index/shards"
)

// goPath returns the import path of a folder of Go files, according to the nearest go.mod
// above it.
func (l *loader) goPath(dir *shardFolder) string {
	if dir.goPath != "" {
		return dir.goPath
	}
	p, ok := l.goModules(dir.Shard)[dir.Rel]
	if !ok {
		p = dir.Rel
		if p != "." {
			p = path.Join(l.goPath(l.folder(file{dir.Shard, path.Dir(p)})), path.Base(p))
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
func (l *loader) goModules(s *shards.Shard) map[string]string {
	if paths, ok := l.modulePaths[s]; ok {
		return paths
	}
	paths, err := l.Reader.GoModules(l.ctx, s)
	l.err = cmp.Or(l.err, err)
	l.modulePaths[s] = paths
	return paths
}
