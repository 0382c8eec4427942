package tools

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/git-pkgs/gitignore"

	"ploke-lsp/internal/workspace"
)

//go:embed search_text.md
var searchTextDescription string

const (
	searchMatches    = 50
	maxSearchMatches = 500
)

type searchTextArgs struct {
	Pattern string   `json:"pattern" jsonschema:"regular expression" secrets:"pattern"`
	Include []string `json:"include,omitempty" jsonschema:"search only these files" secrets:"named"`
	Exclude []string `json:"exclude,omitempty" jsonschema:"but not these" secrets:"named"`
	Limit   int      `json:"limit,omitempty" jsonschema:"matches, default 50, at most 500"`
}

type textMatch struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"` // 1-based, in characters
	StartByte int    `json:"start_byte"`
	EndByte   int    `json:"end_byte"`
	FileHash  string `json:"file_hash"`
	Text      string `json:"text"` // the line, cut around the match if it is long
}

type searchTextResult struct {
	OK         bool        `json:"ok"`
	Matches    []textMatch `json:"matches"`
	Omitted    int         `json:"omitted"`
	Unreadable int         `json:"unreadable_files,omitempty"`
	Hint       string      `json:"hint,omitempty"`
}

func (d Deps) searchText(ctx context.Context, env Env, args searchTextArgs) (Result, error) {
	pattern, err := compile(args.Pattern)
	if err != nil {
		return Result{}, err
	}
	s := searcher{pattern: pattern, prefilter: prefilterOf(args.Pattern), disk: d.Workspace, view: d.Edits.View(env.Call().RequestID)}
	if s.touched, err = d.touched(ctx, env.Call().RequestID); err != nil {
		return Result{}, err
	}
	files, err := d.filesToSearch(ctx, args, s.touched)
	if err != nil {
		return Result{}, err
	}
	limit, err := amount("limit", args.Limit, searchMatches, maxSearchMatches)
	if err != nil {
		return Result{}, err
	}
	result := searchTextResult{OK: true, Matches: []textMatch{}}
	hits, err := s.files(ctx, files, limit)
	if err != nil {
		return Result{}, err
	}
	in := 0
	for _, hit := range hits {
		result.Matches = append(result.Matches, hit.matches...)
		result.Omitted += hit.count - len(hit.matches)
		if hit.count > 0 {
			in++
		}
		if hit.unreadable {
			result.Unreadable++
		}
	}
	found := len(result.Matches)
	result.Matches = itemsWithinLimit(d, result.Matches, func(matches []textMatch) Content { return searchTextResult{Matches: matches} })
	result.Omitted += found - len(result.Matches)
	switch {
	case result.Omitted > 0:
		result.Hint = "narrow the pattern or include fewer files, or raise limit"
	case len(files) == 0:
		result.Hint = "there is no file to search: check include and exclude"
	}
	return OK(result, fmt.Sprintf("searched %s for /%s/: %s in %s", plural(len(files), "file"), cut(args.Pattern, 60),
		plural(len(result.Matches)+result.Omitted, "line"), plural(in, "file")))
}

// maxProgram bounds the instructions of a compiled pattern. Each may cost about 25 ns per
// searched byte, and a match cannot be interrupted.
const maxProgram = 500

// compile compiles a pattern in which ^ and $ match at line ends.
func compile(pattern string) (*regexp.Regexp, error) {
	const hint = "use RE2 syntax (no look-around, no back-references); escape special characters with a backslash"
	if pattern == "" {
		return nil, badValue("pattern", "the pattern is empty", hint)
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, badValue("pattern", err.Error(), hint)
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, badValue("pattern", err.Error(), hint)
	}
	if len(program.Inst) > maxProgram {
		return nil, badValue("pattern", "the pattern is too large", "repeat less, such as .* instead of .{0,1000}, or search for a part of it")
	}
	return regexp.Compile("(?m)" + pattern)
}

// filesToSearch returns the paths of the files to search: those of the walk in its order, then
// those that exist only in the editor or in the turn's staged changes.
func (d Deps) filesToSearch(ctx context.Context, args searchTextArgs, touched []string) ([]string, error) {
	include, err := globs("include", args.Include)
	if err != nil {
		return nil, err
	}
	exclude, err := globs("exclude", args.Exclude)
	if err != nil {
		return nil, err
	}
	wanted := func(rel string) bool {
		return (include == nil || include.Match(rel)) && (exclude == nil || !exclude.Match(rel))
	}
	var files []string
	known := make(map[string]bool)
	for _, root := range d.Workspace.Roots() {
		err := d.Workspace.Walk(ctx, root, func(e workspace.Entry) error {
			known[e.Path] = true
			if e.Skip == "" && wanted(e.Rel) {
				files = append(files, e.Path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, path := range append(d.Workspace.Buffers(), touched...) {
		if !known[path] && wanted(d.Workspace.Rel(path)) {
			known[path] = true
			files = append(files, path)
		}
	}
	return files, nil
}

// globs returns nil if there are no patterns.
func globs(field string, patterns []string) (*gitignore.Matcher, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	m := new(gitignore.Matcher)
	m.AddPatterns([]byte(strings.Join(patterns, "\n")), "")
	if errs := m.Errors(); len(errs) > 0 {
		return nil, badValue(field, errs[0].Error(), "use gitignore patterns such as *.go or cmd/**")
	}
	return m, nil
}

// Text writes a line for each match, under a heading for each file.
func (r searchTextResult) Text(w *TextWriter) {
	file := ""
	for _, m := range r.Matches {
		if m.File != file {
			file = m.File
			w.Line(w.Path(file))
		}
		w.Linef("%d: %s", m.Line, m.Text)
	}
	if len(r.Matches) == 0 {
		w.Line("no line matches")
	}
	if r.Omitted > 0 {
		w.Linef("%s more", plural(r.Omitted, "line"))
	}
	if r.Unreadable > 0 {
		w.Linef("%s could not be read", plural(r.Unreadable, "file"))
	}
	w.Note(r.Hint)
}
