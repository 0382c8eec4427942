package textsearch

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-pkgs/gitignore"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// fileFilter reports whether a file is to be searched, by its path and its slash-separated path
// below its root.
type fileFilter func(path, rel string) bool

// fileFilters makes filters from arguments.
type fileFilters struct{ srcs *current.Files }

// wanted returns the filter that the arguments ask for.
func (f fileFilters) wanted(s Selection) (fileFilter, error) {
	var only, not []string
	for _, pattern := range s.Include {
		if excluded, ok := strings.CutPrefix(pattern, "!"); ok {
			not = append(not, excluded)
		} else {
			only = append(only, pattern)
		}
	}
	include, err := f.globs("include", only)
	if err != nil {
		return nil, err
	}
	exclude, err := f.globs("exclude", append(not, s.Exclude...))
	if err != nil {
		return nil, err
	}
	named, err := f.withName(s.Name)
	if err != nil {
		return nil, err
	}
	below, err := f.below(s.Below)
	if err != nil {
		return nil, err
	}
	return func(path, rel string) bool {
		return (include == nil || include.Match(rel)) && (exclude == nil || !exclude.Match(rel)) &&
			named(path, rel) && below(path, rel) && s.ofType(rel)
	}, nil
}

// withName returns a filter for files with a name: a glob, or a part of their path in any case.
func (f fileFilters) withName(name string) (fileFilter, error) {
	if isGlob(name) {
		return f.matching("name", name)
	}
	part := strings.ToLower(filepath.ToSlash(name))
	return func(path, _ string) bool {
		return part == "" || strings.Contains(strings.ToLower("/"+f.srcs.Workspace.Rel(path)), part) ||
			strings.HasPrefix(strings.ToLower(filepath.ToSlash(path)), part)
	}, nil
}

// matching returns a filter for files that match a glob.
func (f fileFilters) matching(field, glob string) (fileFilter, error) {
	matcher, err := f.globs(field, []string{glob})
	if err != nil {
		return nil, err
	}
	return func(_, rel string) bool { return matcher.Match(rel) }, nil
}

// below returns a filter for files that are one of the names, are in one of the folders, or match
// one of the globs.
func (f fileFilters) below(names []string) (fileFilter, error) {
	var filters []fileFilter
	for _, name := range names {
		filter, err := f.belowOne(name)
		if err != nil {
			return nil, err
		}
		filters = append(filters, filter)
	}
	return func(path, rel string) bool {
		return len(filters) == 0 || slices.ContainsFunc(filters, func(fits fileFilter) bool { return fits(path, rel) })
	}, nil
}

func (f fileFilters) belowOne(name string) (fileFilter, error) {
	if isGlob(name) {
		return f.matching("path", name)
	}
	if name == "" || name == "." || name == "/" {
		return func(string, string) bool { return true }, nil
	}
	folder, err := f.srcs.Path("path", name)
	if err != nil {
		return nil, err
	}
	return func(path, _ string) bool {
		rest, inside := strings.CutPrefix(path, folder)
		return inside && (rest == "" || rest[0] == filepath.Separator)
	}, nil
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// globs returns nil if there are no patterns.
func (f fileFilters) globs(field string, patterns []string) (*gitignore.Matcher, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	var lines []string
	for _, pattern := range patterns {
		lines = append(lines, expandBraces(f.belowRoot(pattern))...)
	}
	m := new(gitignore.Matcher)
	m.AddPatterns([]byte(strings.Join(lines, "\n")), "")
	if errs := m.Errors(); len(errs) > 0 {
		return nil, wording.BadValue(field, errs[0].Error(), "use gitignore patterns such as *.go or cmd/**")
	}
	return m, nil
}

// belowRoot returns a pattern that begins with the path of a root, or with "./", as one that
// begins below the root.
func (f fileFilters) belowRoot(pattern string) string {
	for _, root := range append(f.srcs.Workspace.Roots(), ".") {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(pattern), filepath.ToSlash(root)+"/"); ok {
			return "/" + rest
		}
	}
	return pattern
}

// maxBraces bounds how many patterns the braces of one stand for.
const maxBraces = 64

// expandBraces returns the patterns that {a,b} in one stands for, as in shells.
func expandBraces(pattern string) []string {
	expanded := []string{pattern}
	for i := 0; i < len(expanded) && len(expanded) < maxBraces; {
		before, rest, opens := strings.Cut(expanded[i], "{")
		list, after, closes := strings.Cut(rest, "}")
		if !opens || !closes {
			i++
			continue
		}
		var choices []string
		for choice := range strings.SplitSeq(list, ",") {
			choices = append(choices, before+choice+after)
		}
		expanded = slices.Replace(expanded, i, i+1, choices...)
	}
	return expanded
}
