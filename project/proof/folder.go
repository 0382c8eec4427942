package proof

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/trial"
)

// maxRead is how many bytes of a file are read.
const maxRead = 1 << 20

// folder is a folder of the workspace as a proposal leaves it. Paths are relative to it, with slashes.
type folder struct {
	root    string // absolute
	disk    *os.Root
	texts   map[string]trial.Text
	changed []string // what the proposal changes, removes or makes
	// importers returns the files that import one.
	importers func(path string) []string
}

func newFolder(root string, texts []trial.Text, changed []string) (*folder, error) {
	disk, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root, disk: disk, texts: map[string]trial.Text{}, changed: changed}
	for _, t := range texts {
		f.texts[t.Path] = t
	}
	return f, nil
}

// has reports whether there is a file or folder.
func (f *folder) has(p string) bool {
	if t, ok := f.texts[p]; ok {
		return !t.Gone
	}
	_, err := f.disk.Lstat(p) // a link may lead out of the folder
	return err == nil
}

// read returns the text of a file without a byte order mark, "" if there is none.
func (f *folder) read(p string) string { return strings.TrimPrefix(f.raw(p), byteOrderMark) }

// raw returns the bytes of a file, "" if there is none.
func (f *folder) raw(p string) string {
	if t, ok := f.texts[p]; ok {
		return string(t.Data)
	}
	file, err := f.disk.Open(p)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxRead))
	if err != nil {
		return ""
	}
	return string(text)
}

// names returns the names in a folder that match a pattern.
func (f *folder) names(dir, pattern string) (found []string) {
	entries, _ := fs.ReadDir(f.disk.FS(), dir)
	for _, e := range entries {
		if ok, _ := path.Match(pattern, e.Name()); ok && f.has(path.Join(dir, e.Name())) {
			found = append(found, e.Name())
		}
	}
	for p, t := range f.texts {
		if ok, _ := path.Match(pattern, path.Base(p)); ok && path.Dir(p) == dir && !t.Gone {
			found = append(found, path.Base(p))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// manifestOf returns the nearest folder of a file that has one of the manifests, or the outermost one, and its name.
func (f *folder) manifestOf(file string, manifests []string, outermost bool) (dir, name string, ok bool) {
	for d := path.Dir(file); ; d = path.Dir(d) {
		for _, pattern := range manifests {
			if found := f.names(d, pattern); len(found) > 0 {
				if dir, name, ok = d, found[0], true; !outermost {
					return dir, name, true
				}
				break
			}
		}
		if d == "." {
			return dir, name, ok
		}
	}
}

// part is what a rule of the table is asked about: a folder with a manifest, and what changes below it.
type part struct {
	*folder
	dir      string   // of the manifest; "." is the root
	manifest string   // its name
	files    []string // changed and there, relative to dir
	gone     bool     // a file of the part was removed or renamed, or a manifest has changed
}

// parent returns the part of the folder above, with the same changes.
func (p *part) parent() *part {
	up := *p
	up.dir = path.Dir(p.dir)
	up.files = nil
	for _, f := range p.files {
		rel, _ := up.relative(path.Join(p.dir, f))
		up.files = append(up.files, rel)
	}
	return &up
}

// text returns the text of a file of the part.
func (p *part) text(name string) string { return p.read(path.Join(p.dir, name)) }

// hasFile reports whether the part has a file.
func (p *part) hasFile(name string) bool { return p.has(path.Join(p.dir, name)) }

// tool returns a program that is installed in the folder or one above, relative to the part; "" if it is not.
func (p *part) tool(where string) string {
	up := ""
	for d := p.dir; ; d = path.Dir(d) {
		if p.has(path.Join(d, where)) {
			return "./" + up + where
		}
		if d == "." {
			return ""
		}
		up += "../"
	}
}

// those returns the changed files with one of the endings, as arguments that are no options.
func (p *part) those(endings ...string) (files []string) {
	for _, f := range p.files {
		if slices.Contains(endings, path.Ext(f)) {
			files = append(files, "./"+f)
		}
	}
	return files
}

// relative returns a path of the folder relative to the part, and whether it is in it.
func (p *part) relative(file string) (string, bool) {
	if p.dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, p.dir+"/")
}

// close closes the folder, which was only read.
func (f *folder) close() { _ = f.disk.Close() }
