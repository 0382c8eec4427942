package document

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/workspace"
)

// FilePath returns the path of a URI that names a file of this machine, and "" for other
// URIs.
func FilePath(u uri.URI) string {
	path, err := LocalPath(u)
	if err != nil {
		return ""
	}
	return path
}

// LocalPath returns the path of a URI that names a file or folder of this machine. The
// error says why another one does not.
func LocalPath(u uri.URI) (string, error) {
	if file := "file"; strings.EqualFold(u.Scheme(), file) {
		u, _ = u.With(uri.Change{Scheme: &file}) // it fails only for a URI that is not valid
	}
	if u.Authority() == "localhost" {
		none := ""
		u, _ = u.With(uri.Change{Authority: &none}) // it fails only for a URI that is not valid
	}
	if !u.IsFile() || u.Path() == "" {
		return "", fmt.Errorf("%s is not the URI of a file", u)
	}
	if u.Authority() != "" && runtime.GOOS != "windows" {
		return "", fmt.Errorf("%s is on another machine", u)
	}
	path := u.FsPath()
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s is a path of another system", u)
	}
	return workspace.CleanPath(path)
}
