// Package workspace says what every file of the user's folders reads right
// now: the editor's unsaved buffer where there is one, else the disk.
//
// Its promises:
//   - Confinement. Nothing outside the roots is read, whatever symbolic links
//     say; what leaves them is an *OutsideError.
//   - One text. A File is an immutable snapshot: UTF-8 as stored, line endings
//     kept, a byte order mark removed and remembered. Its Hash is over exactly
//     that text, so everyone who holds the hash means the same bytes.
//   - What is left out is left out for everyone: ignored files, secrets and
//     oversized files are refused by Read as they are by Walk.
//   - Reading never blocks on something that is not a regular file.
//
// Paths are absolute operating system paths unless they are named Rel; those
// are slash-separated. All methods are safe for concurrent use.
package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// DefaultMaxFileBytes is the size above which a file is left out, unless
// Options says otherwise.
const DefaultMaxFileBytes = 4 << 20

// Options adjusts what a Workspace leaves out.
type Options struct {
	MaxFileBytes int64    // larger files are left out; 0: DefaultMaxFileBytes
	Exclude      []string // gitignore patterns, relative to each root, that win over every ignore file
}

// Workspace is a set of root folders with the editor's buffers laid over them.
type Workspace struct {
	maxFileBytes atomic.Int64

	mu      sync.RWMutex
	exclude []string
	roots   []*root          // in the order they were added; replaced, never modified
	buffers map[string]*File // by canonical path
}

// New returns a workspace over the given folders. It fails when one of them is
// not a folder. A workspace may start without any.
func New(roots []string, opts Options) (*Workspace, error) {
	w := &Workspace{buffers: make(map[string]*File)}
	w.Configure(opts)
	for _, dir := range roots {
		if err := w.AddRoot(dir); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Configure has everything from now on keep to opts; what is under way may still
// keep to what held before.
func (w *Workspace) Configure(opts Options) {
	if opts.MaxFileBytes <= 0 {
		opts.MaxFileBytes = DefaultMaxFileBytes
	}
	w.maxFileBytes.Store(opts.MaxFileBytes)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exclude = opts.Exclude
	roots := slices.Clone(w.roots)
	for i, r := range roots {
		roots[i] = &root{dir: r.dir, label: r.label, rules: newRuleCache(r.dir, w.exclude)}
	}
	w.roots = roots
}

// root is one folder of the workspace.
type root struct {
	dir   string // symbolic links resolved
	label string // prefix of Rel where there are several roots; unique
	rules *ruleCache
}

// Roots returns the root folders, symbolic links resolved, in the order in
// which they were added.
func (w *Workspace) Roots() []string {
	var dirs []string
	for _, r := range w.allRoots() {
		dirs = append(dirs, r.dir)
	}
	return dirs
}

func (w *Workspace) allRoots() []*root {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.roots
}

// AddRoot adds a folder; adding one twice changes nothing.
func (w *Workspace) AddRoot(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return fmt.Errorf("open the workspace folder: %w", err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return fmt.Errorf("the workspace folder %s is not a folder", dir)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(w.roots, func(r *root) bool { return r.dir == real }) {
		return nil
	}
	added := &root{dir: real, label: freeLabel(w.roots, filepath.Base(real)), rules: newRuleCache(real, w.exclude)}
	w.roots = append(slices.Clone(w.roots), added)
	return nil
}

// RemoveRoot removes a folder; its buffers stay until they are closed.
func (w *Workspace) RemoveRoot(dir string) {
	dir = w.canonical(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.roots = slices.DeleteFunc(slices.Clone(w.roots), func(r *root) bool { return r.dir == dir })
}

// freeLabel returns base, or base with a number where another root has it.
func freeLabel(roots []*root, base string) string {
	label := base
	for n := 2; slices.ContainsFunc(roots, func(r *root) bool { return r.label == label }); n++ {
		label = fmt.Sprintf("%s-%d", base, n)
	}
	return label
}

// RootOf returns the innermost root that holds path, by name alone: symbolic
// links are Resolve's business.
func (w *Workspace) RootOf(path string) (dir string, ok bool) {
	if r := w.rootOf(path); r != nil {
		return r.dir, true
	}
	return "", false
}

func (w *Workspace) rootOf(path string) *root {
	var best *root
	for _, r := range w.allRoots() {
		if contains(r.dir, path) && (best == nil || len(r.dir) > len(best.dir)) {
			best = r
		}
	}
	return best
}

// Rel returns path relative to its root, slash-separated; with several roots
// the root's label (its base name, made unique) comes first. A path outside
// every root is returned as it is.
func (w *Workspace) Rel(path string) string {
	r := w.rootOf(path)
	if r == nil {
		return filepath.ToSlash(path)
	}
	rel := "."
	if len(path) > len(r.dir) {
		rel = filepath.ToSlash(relTo(r.dir, path))
	}
	label := w.labelOf(r)
	if rel == "." && label != "" {
		return r.label
	}
	return label + rel
}

// labelOf is what the Rel of a root's files begins with: nothing where it is the only one.
func (w *Workspace) labelOf(r *root) string {
	if len(w.allRoots()) == 1 {
		return ""
	}
	return r.label + "/"
}

// contains reports whether path is dir or lies beneath it, by name.
func contains(dir, path string) bool {
	if !strings.HasPrefix(path, dir) {
		return false
	}
	return len(path) == len(dir) || os.IsPathSeparator(dir[len(dir)-1]) || os.IsPathSeparator(path[len(dir)])
}

// relTo returns the part of path beneath dir, which must contain it.
func relTo(dir, path string) string {
	return strings.TrimLeft(path[len(dir):], string(filepath.Separator))
}
