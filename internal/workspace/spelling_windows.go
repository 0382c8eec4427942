package workspace

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// spelling returns the name of an entry of dir as the disk has it: also for a short name such
// as PROGRA~1, its long one. A name that is not there is returned as it is.
func (s *spellings) spelling(rules NameRules, dir, name string) string {
	if strings.ContainsAny(name, "*?") {
		return name // a pattern for the call below
	}
	path, err := windows.UTF16PtrFromString(longPath(filepath.Join(dir, name)))
	if err != nil {
		return name
	}
	var found windows.Win32finddata
	h, err := windows.FindFirstFile(path, &found)
	if err != nil {
		return name
	}
	windows.FindClose(h)
	return windows.UTF16ToString(found.FileName[:])
}

// longPath returns an absolute path in the form in which Windows takes one of any length.
func longPath(path string) string {
	const old = 240 // from MAX_PATH, less a name in the old form
	switch {
	case len(path) < old, strings.HasPrefix(path, `\\?\`):
		return path
	case strings.HasPrefix(path, `\\`):
		return `\\?\UNC\` + path[2:]
	}
	return `\\?\` + path
}
