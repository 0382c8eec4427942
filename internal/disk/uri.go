package disk

import (
	"net/url"
	"path/filepath"
	"strings"
)

// URI returns the URI of an absolute path for SQLite, without parameters. SQLite takes no name of a
// host, so that of a Windows share is a part of the path.
func URI(path string) string {
	path = filepath.ToSlash(path)
	if strings.HasPrefix(path, "//") {
		path = "//" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}
