package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/placing"
)

// lineSpan is a range of lines, 1-based and inclusive. last is 0 for "first and what follows"; the
// zero value stands for the whole file.
type lineSpan struct{ first, last int }

// placeSuffix matches how models and people write a place: a.go:12, a.go:12:5 with a column,
// a.go:12-34, and the forms that results and web pages have, a.go#12:34 and a.go#L12-L34.
var placeSuffix = lazyregexp.New(`^(.+?)(?::(\d+)(?::\d+|-(\d+))?|#L?(\d+)(?:[:-]L?(\d+))?)$`)

// splitPlace splits a path with lines. ok is false if name has none.
func splitPlace(name string) (file string, lines lineSpan, ok bool) {
	m := placeSuffix.FindStringSubmatch(name)
	if m == nil {
		return name, lineSpan{}, false
	}
	first, err := strconv.Atoi(m[2] + m[4]) // one of them is empty
	last := 0
	if end := m[3] + m[5]; err == nil && end != "" {
		last, err = strconv.Atoi(end)
	}
	return m[1], lineSpan{first, last}, err == nil && first > 0 && (last == 0 || first <= last)
}

// named reads the file that the model names in the argument field.
func (s *sources) named(ctx context.Context, field, name string) (*source, error) {
	src, _, err := s.place(ctx, field, name)
	return src, err
}

// place is like named, and returns the lines that the name may have.
func (s *sources) place(ctx context.Context, field, name string) (*source, lineSpan, error) {
	path, file, cut, err := s.placed(field, name)
	if err != nil {
		return nil, lineSpan{}, err
	}
	src, lines, err := s.meant(ctx, path, file)
	if err != nil {
		return nil, lineSpan{}, s.unreadable(ctx, field, path, err)
	}
	return src, cmp.Or(cut, lines), nil
}

// placed returns the path that a name resolves to, and the name. Windows gives a name such as
// a.go:12 another meaning, so there the lines are cut off from such a name, and returned.
func (s *sources) placed(field, name string) (path, file string, lines lineSpan, err error) {
	path, err = s.path(field, name)
	if file, lines, ok := splitPlace(name); ok && err != nil && s.namesWindowsRefuses(name) {
		path, err = s.path(field, file)
		return path, file, lines, err
	}
	return path, name, lineSpan{}, err
}

// namesWindowsRefuses reports whether Windows gives a name another meaning.
func (s *sources) namesWindowsRefuses(name string) bool {
	_, err := s.ws.Resolve(name)
	var refused *workspace.WindowsNameError
	return errors.As(err, &refused)
}

// meant reads the file at path, which name resolves to. If there is none, name may have lines
// behind it, be the end of exactly one file's path, or look like exactly one file's path. Its
// errors are those of at.
func (s *sources) meant(ctx context.Context, path, name string) (*source, lineSpan, error) {
	src, err := s.at(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) {
		return src, lineSpan{}, err
	}
	missing := err
	staged, err := s.stagedFor(ctx)
	if err != nil {
		return nil, lineSpan{}, err
	}
	if staged[path].gone() {
		return nil, lineSpan{}, missing
	}
	if file, lines, ok := splitPlace(name); ok {
		if path, err := s.ws.Resolve(file); err == nil {
			src, _, err := s.meant(ctx, path, file)
			return src, lines, err
		}
	}
	only, err := s.onlyFileEndingWith(ctx, path, name)
	if err == nil && only == "" {
		only, err = s.onlyFileNamedLike(ctx, path)
	}
	if err != nil || only == "" {
		return nil, lineSpan{}, errors.Join(err, missing)
	}
	src, err = s.at(ctx, only)
	return src, lineSpan{}, err
}

// onlyFileEndingWith returns the only file whose path ends with name, or "".
func (s *sources) onlyFileEndingWith(ctx context.Context, path, name string) (string, error) {
	end := filepath.Clean(filepath.FromSlash(name))
	if !filepath.IsLocal(end) {
		end = s.ws.Rel(path)
	}
	files, err := s.files(ctx)
	if err != nil {
		return "", err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return !strings.HasSuffix(file, string(filepath.Separator)+end)
	})
	if len(files) != 1 {
		return "", nil
	}
	return files[0], nil
}

// onlyFileNamedLike returns the only file whose path differs from path in characters that look the
// same, or "".
func (s *sources) onlyFileNamedLike(ctx context.Context, path string) (only string, err error) {
	files, err := s.files(ctx)
	if err != nil {
		return "", err
	}
	want, plain := placing.FoldAlike(path, false).Text, placing.IsASCII(path)
	for _, file := range files {
		if plain && placing.IsASCII(file) || placing.FoldAlike(file, false).Text != want {
			continue
		}
		if only != "" {
			return "", nil
		}
		only = file
	}
	return only, nil
}

// files returns the paths of the files that the turn sees.
func (s *sources) files(ctx context.Context) ([]string, error) {
	if s.all != nil {
		return s.all, nil
	}
	staged, err := s.stagedFor(ctx)
	if err != nil {
		return nil, err
	}
	files := []string{}
	for _, file := range slices.Sorted(maps.Keys(staged)) {
		if staged[file].appears() {
			files = append(files, file)
		}
	}
	for _, root := range s.ws.Roots() {
		err := s.ws.Walk(ctx, root, func(e workspace.Entry) error {
			if e.Skip == "" && !staged[e.Path].gone() && !staged[e.Path].appears() {
				files = append(files, e.Path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("listing the files of the workspace: %w", err)
		}
	}
	s.all = files
	return files, nil
}
