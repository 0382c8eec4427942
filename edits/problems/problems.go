// Package problems finds the errors that a change brings into a file: of syntax, of the
// indentation of Python, and of data such as JSON, YAML, TOML and go.mod.
//
// Its promises:
//
//   - Only what is new is a problem. A file that was broken before may stay as broken.
//   - Each check ends in bounded time. What would take longer, and what no check knows, has
//     no problems.
//   - A check that fails on a text that a model has made fails no edit.
package problems

import (
	"cmp"
	"slices"

	"ploke-lsp/internal/syntax"
)

// New returns the syntax errors that after, as the text of the file at path, has and before
// does not. Errors move with the text, so they are compared by message and count, not by place.
// It returns none for a text that cannot be checked in bounded time.
func New(path string, before, after []byte) []syntax.Problem {
	language := syntax.Detect(path, after)
	fresh := unknown(problemsOf(language, after), func() []syntax.Problem { return problemsOf(language, before) })
	if len(fresh) > 0 {
		return fresh
	}
	return newInData(path, language, before, after)
}

// unknown returns the problems of now that those of before do not account for.
func unknown(now []syntax.Problem, before func() []syntax.Problem) (fresh []syntax.Problem) {
	if len(now) == 0 {
		return nil
	}
	known := make(map[string]int)
	for _, p := range before() {
		known[p.Message]++
	}
	for _, p := range now {
		if known[p.Message]--; known[p.Message] < 0 {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// problemsOf returns no problems for a text that cannot be parsed in bounded time.
func problemsOf(language string, text []byte) (found []syntax.Problem) {
	if language == "" {
		return nil
	}
	if f, err := syntax.Parse(language, text); err == nil {
		found = f.Problems
	}
	if language == "python" {
		found = append(slices.Clone(found), indentationProblems(text)...)
		slices.SortStableFunc(found, func(a, b syntax.Problem) int { return cmp.Compare(a.Line, b.Line) })
	}
	return found
}
