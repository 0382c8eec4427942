package graph

import (
	"path"
	"strings"
)

// goPath returns the import path of a folder of Go files, according to the nearest go.mod
// above it.
func (l *loader) goPath(dir *shardFolder) string {
	if dir.goPath != "" {
		return dir.goPath
	}
	p, ok := l.packagesOf(dir.Shard).goModules()[dir.Rel]
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
