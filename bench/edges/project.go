package main

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// servedLanguages are the languages of files by the name of what has a server.
var servedLanguages = map[string][]string{"go": {"go"}, "python": {"python"},
	"typescript": {"typescript", "tsx", "javascript"}}

// project is an indexed project.
type project struct {
	dir, state string
	index      *index.Index
	files      map[string][]string // absolute paths by language, sorted
	known      map[string]bool     // all files
	texts      map[string]*text
}

// text is a file's text with what it refers to.
type text struct {
	content string
	starts  []int // of the lines
	refs    map[int]bool
}

// place is where a name begins.
type place struct {
	path      string
	line      int // 0-based
	character int // in UTF-16
}

// openProject indexes a project.
func openProject(ctx context.Context, dir string) (*project, error) {
	state, err := os.MkdirTemp("", "edges-*")
	if err != nil {
		return nil, err
	}
	p := &project{dir: dir, state: state, files: map[string][]string{}, known: map[string]bool{},
		texts: map[string]*text{}}
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		return nil, err
	}
	if p.index, err = index.Open(ctx, ws, index.Options{Dir: func(string) string { return state }}); err != nil {
		return nil, err
	}
	if _, err := p.index.Update(ctx, nil); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch base := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (base[0] == '.' || base == "node_modules" || base == "vendor"):
			return filepath.SkipDir
		case d.IsDir() && path != dir && isModule(path):
			return filepath.SkipDir
		case d.Type().IsRegular():
			language := syntax.Detect(path, nil)
			p.files[language] = append(p.files[language], path)
			p.known[path] = true
		}
		return nil
	})
	return p, err
}

// isModule reports whether a folder is a Go module of its own, which the server does not read.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (p *project) close() {
	p.index.Close()
	os.RemoveAll(p.state)
}

// draw chooses functions, methods and types at random.
func (p *project) draw(language string, count int) (chosen []index.Unit) {
	seed := fnv.New64a()
	seed.Write([]byte(filepath.Base(p.dir) + language))
	var all []index.Unit
	for _, of := range servedLanguages[language] {
		for _, path := range p.files[of] {
			units, err := p.index.Outline(context.Background(), path)
			if err != nil {
				continue
			}
			all = append(all, units...)
		}
	}
	all = slices.DeleteFunc(all, func(u index.Unit) bool { return !mayBeDrawn(u) })
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

// mayBeDrawn tells functions, methods and types with a name from all else, and from tests.
func mayBeDrawn(u index.Unit) bool {
	switch u.Kind {
	case syntax.KindFunction, syntax.KindMethod, syntax.KindClass, syntax.KindStruct, syntax.KindInterface,
		syntax.KindType:
		return u.NameEnd > u.NameStart && !strings.HasPrefix(u.Name, "Test") && !strings.HasPrefix(u.Name, "test_")
	}
	return false
}

// text returns the text of a file, empty if it can't be read.
func (p *project) text(path string) *text {
	t := p.texts[path]
	if t != nil {
		return t
	}
	content, _ := os.ReadFile(path)
	t = &text{content: string(content), starts: []int{0}, refs: map[int]bool{}}
	for i, c := range content {
		if c == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	if f, err := syntax.Parse(syntax.Detect(path, content), content); err == nil {
		for _, ref := range f.Refs {
			t.refs[ref.Start] = true
		}
	}
	p.texts[path] = t
	return t
}

// placeAt returns the place of an offset.
func (p *project) placeAt(path string, at int) place {
	t := p.text(path)
	line, exact := slices.BinarySearch(t.starts, at)
	if !exact {
		line--
	}
	units := 0
	for _, r := range t.content[t.starts[line]:min(at, len(t.content))] {
		units += utf16.RuneLen(r)
	}
	return place{path, line, units}
}

// offset returns the offset of a place, -1 if the text has no such place.
func (p *project) offset(at place) int {
	t := p.text(at.path)
	if at.line >= len(t.starts) {
		return -1
	}
	offset := t.starts[at.line]
	for units := 0; units < at.character && offset < len(t.content); {
		r, size := utf8.DecodeRuneInString(t.content[offset:])
		units += utf16.RuneLen(r)
		offset += size
	}
	return offset
}

// called reports whether parentheses follow the name at a place, maybe behind type arguments.
func (p *project) called(at place, length int) bool {
	offset := p.offset(at)
	if offset < 0 {
		return false
	}
	rest := p.text(at.path).content[min(offset+length, len(p.text(at.path).content)):]
	if strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "<") {
		if close := strings.IndexAny(rest, "])>\n"); close >= 0 && rest[close] != '\n' && close+1 < len(rest) {
			rest = rest[close+1:]
		}
	}
	return strings.HasPrefix(rest, "(")
}
