package edits

import (
	"cmp"
	"slices"

	"ploke-lsp/internal/syntax"
)

// NewProblems returns the syntax errors that after, as the text of the file at path, has and before
// does not. Errors move with the text, so they are compared by message and count, not by place.
// It returns none for a text that cannot be checked in bounded time.
func NewProblems(path string, before, after []byte) []syntax.Problem {
	language := syntax.Detect(path, after)
	fresh := unknown(problemsOf(language, after), func() []syntax.Problem { return problemsOf(language, before) })
	if len(fresh) > 0 {
		return fresh
	}
	return newDataProblem(path, language, before, after)
}

// newProblems returns the syntax errors that base with the hunks has and base does not.
func newProblems(path string, base []byte, hunks []Hunk) ([]syntax.Problem, error) {
	after, err := Apply(base, editsOf(hunks))
	if err != nil {
		return nil, err
	}
	return NewProblems(path, base, after), nil
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
