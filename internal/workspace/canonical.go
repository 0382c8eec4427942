package workspace

import (
	"os"
	"path/filepath"
)

// ResolveNew is Resolve for a name that a file is to get. The last part stays spelled as it is, even if
// the disk has another spelling of it.
func (w *Workspace) ResolveNew(name string) (string, error) {
	there, err := w.Resolve(name)
	if err != nil || !w.inexact.Load() {
		return there, err
	}
	path, err := w.absolute(name)
	if err != nil {
		return "", err
	}
	dir, err := w.resolveLinks(filepath.Dir(path))
	if wanted := filepath.Join(dir, filepath.Base(path)); err == nil && w.SameName(wanted, there) {
		return wanted, nil
	}
	return there, nil // a link, or a root
}

// Canonical returns the path that Resolve returns, for a path that identifies a file without
// opening it, and that may lie outside the roots. A path that can't be resolved is only cleaned.
func (o *openTexts) Canonical(path string) string { return o.openSpelling(o.canonical(path)) }

// openSpelling returns the spelling of a canonical path under which it is open in an editor, if
// the disk does not have it.
func (o *openTexts) openSpelling(path string) string {
	if !o.inexact.Load() {
		return path
	}
	b := o.openBuffer(path)
	if b == nil || b.path == path {
		return path
	}
	if _, err := os.Lstat(path); err == nil {
		return path
	}
	return b.path
}

// checkNames refuses a path with names to which Windows gives another meaning.
func (f *folders) checkNames(given, path string) error {
	rules, below := outerNames, path[len(filepath.VolumeName(path)):]
	if r := f.rootOf(path); r != nil {
		rules, below = r.names, relTo(r.dir, path)
	}
	if !rules.Windows {
		return nil
	}
	return checkWindowsName(given, below)
}

// spelled returns the name of an entry of dir as the disk has it.
func (f *folders) spelled(dir, name string) string {
	if !f.inexact.Load() && outerNames.exact() {
		return name
	}
	rules := outerNames
	if r := f.rootOf(dir); r != nil {
		rules = r.names
	}
	if rules.exact() {
		return name
	}
	return f.spellings.spelling(rules, dir, name)
}
