package edits

import (
	"ploke-lsp/internal/syntax"
)

// newProblems returns the syntax errors that base with the hunks has and base does not. Errors
// move with the text, so they are compared by message and count, not by place.
func newProblems(path string, base []byte, hunks []Hunk) ([]syntax.Problem, error) {
	after, err := Apply(base, editsOf(hunks))
	if err != nil {
		return nil, err
	}
	language := syntax.Detect(path, after)
	if language == "" {
		return nil, nil
	}
	now := problemsOf(language, after)
	if len(now) == 0 {
		return nil, nil
	}
	known := make(map[string]int)
	for _, p := range problemsOf(language, base) {
		known[p.Message]++
	}
	var fresh []syntax.Problem
	for _, p := range now {
		if known[p.Message]--; known[p.Message] < 0 {
			fresh = append(fresh, p)
		}
	}
	return fresh, nil
}

// problemsOf returns no problems for a text that cannot be parsed in bounded time.
func problemsOf(language string, text []byte) []syntax.Problem {
	f, err := syntax.Parse(language, text)
	if err != nil {
		return nil
	}
	return f.Problems
}
