// Package workspace reads the files of the user's folders in their current state: the
// editor's unsaved buffer if there is one, else the file on disk.
//
// Its promises:
//   - Confinement. Nothing outside the roots is read, even through symbolic links. A
//     path that leaves the roots is an *OutsideError.
//   - Snapshots. A File is an immutable snapshot of a text: UTF-8, with its line endings and
//     without a byte order mark. Its Hash is the hash of exactly that text.
//   - Encodings. A file in another encoding than UTF-8 is decoded. Its Encoding gives the
//     text back as exactly the bytes of the file. If the encoding is not certain, the File
//     says why, and its text has the bytes as they are. No U+FFFD ever stands for a byte.
//   - Read refuses the ignored files, secrets and oversized files that Walk skips.
//   - Reading never blocks on something that is not a regular file.
//
// Paths are absolute operating system paths, except those named Rel, which are
// slash-separated. All methods are safe for concurrent use.
package workspace

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// DefaultMaxFileBytes is the size in bytes above which files are skipped by default.
const DefaultMaxFileBytes = 4 << 20

// Options says which files a Workspace skips.
type Options struct {
	MaxFileBytes int64    // larger files are skipped; 0 means DefaultMaxFileBytes
	Exclude      []string // gitignore patterns, relative to each root, that take precedence over every ignore file
}

// Workspace is a set of root folders, together with the editor's open buffers.
type Workspace struct {
	openTexts
	plain map[string]PlainFile // by canonical path; see Open
}

// folders are the roots of a workspace, and what their disks make of names. Its lock is that of the workspace.
type folders struct {
	maxFileBytes atomic.Int64

	mu      sync.RWMutex
	exclude []string
	roots   []*root // in the order they were added; replaced, never modified

	inexact   atomic.Bool // the disk of a root takes several names for one
	spellings spellings
}

// New returns a workspace of the given folders. It fails if one of them is not a folder. A
// workspace may have no folders.
func New(roots []string, opts Options) (*Workspace, error) {
	texts := openTexts{folders: &folders{}, buffers: bufferMap{}, borrowed: bufferMap{}, held: bufferMap{}}
	w := &Workspace{openTexts: texts, plain: make(map[string]PlainFile)}
	w.Configure(opts)
	for _, dir := range roots {
		if err := w.AddRoot(dir); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Options returns the options that are in force.
func (f *folders) Options() Options {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return Options{MaxFileBytes: f.maxFileBytes.Load(), Exclude: slices.Clone(f.exclude)}
}

// Configure changes the options. Calls that are already running may still use the previous
// ones.
func (f *folders) Configure(opts Options) {
	if opts.MaxFileBytes <= 0 {
		opts.MaxFileBytes = DefaultMaxFileBytes
	}
	f.maxFileBytes.Store(opts.MaxFileBytes)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.exclude = opts.Exclude
	roots := slices.Clone(f.roots)
	for i, r := range roots {
		roots[i] = &root{dir: r.dir, label: r.label, names: r.names, known: r.known,
			rules: newRuleCache(r.dir, r.names, f.exclude)}
	}
	f.roots = roots
}

// MaxFileBytes returns the size in bytes above which files are skipped.
func (f *folders) MaxFileBytes() int64 { return f.maxFileBytes.Load() }

// root is a folder of the workspace.
type root struct {
	dir   string // symbolic links resolved
	label string // unique; the prefix of Rel if there are several roots
	names NameRules
	known bool // the rules are certain
	rules *ruleCache
}

// Roots returns the root folders in the order in which they were added, with symbolic
// links resolved.
func (f *folders) Roots() []string {
	var dirs []string
	for _, r := range f.allRoots() {
		dirs = append(dirs, r.dir)
	}
	return dirs
}

func (f *folders) allRoots() []*root {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.roots
}

// AddRoot adds a folder. Adding a root again changes nothing.
func (w *Workspace) AddRoot(dir string) error {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = CleanPath(abs)
	}
	if err != nil {
		return fmt.Errorf("open the workspace folder: %w", err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return fmt.Errorf("open the workspace folder: %w", err)
	}
	if real, err = w.resolveLinks(real); err != nil { // for its spelling
		return fmt.Errorf("open the workspace folder: %w", err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return fmt.Errorf("the workspace folder %s is not a folder", dir)
	}
	names, known := rulesOf(real)
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(w.roots, func(r *root) bool { return r.dir == real }) {
		return nil
	}
	added := &root{dir: real, label: uniqueLabel(w.roots, filepath.Base(real)), names: names, known: known,
		rules: newRuleCache(real, names, w.exclude)}
	w.setRoots(append(slices.Clone(w.roots), added))
	return nil
}

// setRoots replaces the roots, by which the keys of buffers are made. The lock is held.
func (w *Workspace) setRoots(roots []*root) {
	w.roots = roots
	if slices.ContainsFunc(roots, func(r *root) bool { return !r.names.exact() }) {
		w.inexact.Store(true) // for good: keys are right without it, too
	}
	if !w.inexact.Load() {
		return
	}
	for _, buffers := range []bufferMap{w.buffers, w.borrowed, w.held} {
		all := slices.Collect(maps.Values(buffers))
		clear(buffers)
		for _, b := range all {
			buffers[keyIn(roots, b.path)] = b
		}
	}
}

// learnNames finds out the rules of a root's names, if the folder was empty when it was added.
func (w *Workspace) learnNames(r *root) {
	if r.known {
		return
	}
	learned := *r
	if learned.names, learned.known = rulesOf(r.dir); !learned.known {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.roots, r); i >= 0 {
		roots := slices.Clone(w.roots)
		learned.rules = newRuleCache(r.dir, learned.names, w.exclude)
		roots[i] = &learned
		w.setRoots(roots)
	}
}

// RemoveRoot removes a folder. Its buffers remain until they are closed.
func (w *Workspace) RemoveRoot(dir string) {
	dir = w.canonical(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setRoots(slices.DeleteFunc(slices.Clone(w.roots), func(r *root) bool { return r.dir == dir }))
}

// uniqueLabel returns base, with a number appended if another root has that label.
func uniqueLabel(roots []*root, base string) string {
	label := base
	for n := 2; slices.ContainsFunc(roots, func(r *root) bool { return r.label == label }); n++ {
		label = fmt.Sprintf("%s-%d", base, n)
	}
	return label
}

// RootOf returns the innermost root that contains path, by name. It does not resolve
// symbolic links; see [Workspace.Resolve].
func (f *folders) RootOf(path string) (dir string, ok bool) {
	if r := f.rootOf(path); r != nil {
		return r.dir, true
	}
	return "", false
}

func (f *folders) rootOf(path string) *root { return innermost(f.allRoots(), path) }

func innermost(roots []*root, path string) *root {
	var best *root
	for _, r := range roots {
		if contains(r.dir, path) && (best == nil || len(r.dir) > len(best.dir)) {
			best = r
		}
	}
	return best
}

// Rel returns path relative to its root, slash-separated. With several roots it begins
// with the root's label, which is the base name of the root, made unique. A path outside
// every root is returned unchanged.
func (f *folders) Rel(path string) string {
	r := f.rootOf(path)
	if r == nil {
		return filepath.ToSlash(path)
	}
	rel := "."
	if len(path) > len(r.dir) {
		rel = filepath.ToSlash(relTo(r.dir, path))
	}
	label := f.relPrefix(r)
	if rel == "." && label != "" {
		return r.label
	}
	return label + rel
}

// relPrefix returns the prefix of the Rel of a root's files, which is "" if there is only
// one root.
func (f *folders) relPrefix(r *root) string {
	if len(f.allRoots()) == 1 {
		return ""
	}
	return r.label + "/"
}

// contains reports whether path is dir or lies within it, by name.
func contains(dir, path string) bool {
	if !strings.HasPrefix(path, dir) {
		return false
	}
	return len(path) == len(dir) || os.IsPathSeparator(dir[len(dir)-1]) || os.IsPathSeparator(path[len(dir)])
}

// relTo returns the part of path below dir, which must contain it.
func relTo(dir, path string) string {
	return strings.TrimLeft(path[len(dir):], string(filepath.Separator))
}
