package current

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

// Lines is a range of lines, 1-based and inclusive. Last is 0 for "first and what follows"; the
// zero value stands for the whole file.
type Lines struct{ First, Last int }

// placeSuffix matches how models and people write a place: a.go:12, a.go:12:5 with a column,
// a.go:12-34, and the forms that results and web pages have, a.go#12:34 and a.go#L12-L34.
var placeSuffix = lazyregexp.New(`^(.+?)(?::(\d+)(?::\d+|-(\d+))?|#L?(\d+)(?:[:-]L?(\d+))?)$`)

// SplitPlace splits a path with lines. ok is false if name has none.
func SplitPlace(name string) (file string, lines Lines, ok bool) {
	m := placeSuffix.FindStringSubmatch(name)
	if m == nil {
		return name, Lines{}, false
	}
	first, err := strconv.Atoi(m[2] + m[4]) // one of them is empty
	last := 0
	if end := m[3] + m[5]; err == nil && end != "" {
		last, err = strconv.Atoi(end)
	}
	return m[1], Lines{first, last}, err == nil && first > 0 && (last == 0 || first <= last)
}

// Named reads the file that the model names in the argument field.
func (f *Files) Named(ctx context.Context, field, name string) (*File, error) {
	src, _, err := f.NamedLines(ctx, field, name)
	return src, err
}

// NamedLines is like Named, and returns the lines that the name may have.
func (f *Files) NamedLines(ctx context.Context, field, name string) (*File, Lines, error) {
	path, file, cut, err := f.Locate(field, name)
	if err != nil {
		return nil, Lines{}, err
	}
	src, lines, err := f.Meant(ctx, path, file)
	if err != nil {
		return nil, Lines{}, f.Unreadable(ctx, field, path, err)
	}
	return src, cmp.Or(cut, lines), nil
}

// Locate returns the path that a name resolves to, and the name. Windows gives a name such as
// a.go:12 another meaning, so there the lines are cut off from such a name, and returned.
func (f *Files) Locate(field, name string) (path, file string, lines Lines, err error) {
	path, err = f.Path(field, name)
	if file, lines, ok := SplitPlace(name); ok && err != nil && f.namesWindowsRefuses(name) {
		path, err = f.Path(field, file)
		return path, file, lines, err
	}
	return path, name, Lines{}, err
}

// namesWindowsRefuses reports whether Windows gives a name another meaning.
func (f *Files) namesWindowsRefuses(name string) bool {
	_, err := f.Workspace.Resolve(name)
	var refused *workspace.WindowsNameError
	return errors.As(err, &refused)
}

// Meant reads the file at path, which name resolves to. If there is none, name may have lines
// behind it, be the end of exactly one file's path, or look like exactly one file's path. Its
// errors are those of [Files.At].
func (f *Files) Meant(ctx context.Context, path, name string) (*File, Lines, error) {
	src, err := f.At(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) {
		return src, Lines{}, err
	}
	missing := err
	staged, err := f.Staged(ctx)
	if err != nil {
		return nil, Lines{}, err
	}
	if staged[path].gone() {
		return nil, Lines{}, missing
	}
	if file, lines, ok := SplitPlace(name); ok {
		if path, err := f.Workspace.Resolve(file); err == nil {
			src, _, err := f.Meant(ctx, path, file)
			return src, lines, err
		}
	}
	only, err := f.onlyFileEndingWith(ctx, path, name)
	if err == nil && only == "" {
		only, err = f.onlyFileNamedLike(ctx, path)
	}
	if err != nil || only == "" {
		return nil, Lines{}, errors.Join(err, missing)
	}
	src, err = f.At(ctx, only)
	return src, Lines{}, err
}

// onlyFileEndingWith returns the only file whose path ends with name, or "".
func (f *Files) onlyFileEndingWith(ctx context.Context, path, name string) (string, error) {
	end := filepath.Clean(filepath.FromSlash(name))
	if !filepath.IsLocal(end) {
		end = f.Workspace.Rel(path)
	}
	files, err := f.files(ctx)
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
func (f *Files) onlyFileNamedLike(ctx context.Context, path string) (only string, err error) {
	files, err := f.files(ctx)
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
func (f *Files) files(ctx context.Context) ([]string, error) {
	if f.all != nil {
		return f.all, nil
	}
	staged, err := f.Staged(ctx)
	if err != nil {
		return nil, err
	}
	files := []string{}
	for _, file := range slices.Sorted(maps.Keys(staged)) {
		if staged[file].Appears() {
			files = append(files, file)
		}
	}
	for _, root := range f.Workspace.Roots() {
		err := f.Workspace.Walk(ctx, root, func(e workspace.Entry) error {
			if e.Skip == "" && !staged[e.Path].gone() && !staged[e.Path].Appears() {
				files = append(files, e.Path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("listing the files of the workspace: %w", err)
		}
	}
	f.all = files
	return files, nil
}
