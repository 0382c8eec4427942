package facts

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"ploke-lsp/index/traits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
)

// Gatherer gathers facts about what a turn sees.
type Gatherer struct{ Files *current.Files }

type languageLines struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
	Lines    int    `json:"lines"`
	Blank    int    `json:"blank"`
}

// eachText calls fn with each file of the workspace below a path that is text.
func (g Gatherer) eachText(ctx context.Context, path string, fn func(*workspace.File)) error {
	return g.eachRepository(path, func(root, rel string) error {
		return g.Files.Workspace.Walk(ctx, root, func(e workspace.Entry) error {
			if e.Skip != "" || rel != "" && e.Rel != rel && !strings.HasPrefix(e.Rel, rel+"/") {
				return nil
			}
			f, err := g.Files.Workspace.Read(ctx, e.Path)
			if err == nil && f.Unclear == "" {
				fn(f)
			}
			return ctx.Err()
		})
	})
}

// CountLines adds the lines of each language, those with most lines first.
func (g Gatherer) CountLines(ctx context.Context, r *Result, path string) error {
	byLanguage := map[string]*languageLines{}
	err := g.eachText(ctx, path, func(f *workspace.File) {
		language := syntax.Detect(f.Path, f.Text)
		if language == "" {
			return
		}
		l := byLanguage[language]
		if l == nil {
			l = &languageLines{Language: language}
			byLanguage[language] = l
		}
		l.Files++
		for line := range bytes.Lines(f.Text) {
			l.Lines++
			if len(bytes.TrimSpace(line)) == 0 {
				l.Blank++
			}
		}
		r.Counted++
	})
	for _, l := range byLanguage {
		r.Lines = append(r.Lines, *l)
	}
	slices.SortFunc(r.Lines, func(a, b languageLines) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Language, b.Language))
	})
	return err
}

// testFile matches files of tests that have no test's name.
var testFile = lazyregexp.New(`(?:^|/)tests?\.\w+$`)

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

type sizedSymbol struct {
	Canon string      `json:"canon"`
	Kind  syntax.Kind `json:"kind"`
	File  string      `json:"file"`
	Line  int         `json:"line"`
	Lines int         `json:"lines"`
}

// declaringFiles returns the files below a path that declare something.
func (g Gatherer) declaringFiles(ctx context.Context, path string) (files []string, err error) {
	err = g.eachText(ctx, path, func(f *workspace.File) {
		if g.declares(f) {
			files = append(files, f.Path)
		}
	})
	return files, err
}

// Longest adds the symbols of some kinds below a path, those with most lines first. Tests, examples and generated files
// declare none.
func (g Gatherer) Longest(ctx context.Context, r *Result, path string, kinds []string) error {
	declaring, err := g.declaringFiles(ctx, path)
	if err != nil {
		return err
	}
	r.Partial = g.Files.Index.Incomplete()
	for _, file := range declaring {
		units, err := g.Files.Index.Outline(ctx, file)
		if err != nil {
			return err
		}
		for _, u := range units {
			if slices.Contains(kinds, string(u.Kind)) {
				r.Counted++
				r.Longest = append(r.Longest, sizedSymbol{u.Canon, u.Kind, u.Path, u.StartLine, u.EndLine - u.StartLine + 1})
			}
		}
	}
	slices.SortStableFunc(r.Longest, func(a, b sizedSymbol) int { return cmp.Compare(b.Lines, a.Lines) })
	return nil
}

// declares reports whether a file is in a known language, and of no test, no example and not generated.
func (g Gatherer) declares(f *workspace.File) bool {
	rel, language := g.Files.Workspace.Rel(f.Path), syntax.Detect(f.Path, f.Text)
	return language != "" && !testFile.MatchString(rel) && traits.Of(rel, language, f.Text) == 0
}
