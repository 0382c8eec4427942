package project_test

import (
	"path"
	"strings"
	"testing"

	"ploke-lsp/project"
)

func TestPatternsThatAlwaysAskAreValid(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range project.AlwaysAsk {
		for _, pattern := range g.Patterns {
			if _, err := path.Match(pattern, ""); err != nil || pattern != strings.ToLower(pattern) || seen[pattern] {
				t.Errorf("%s: the pattern %q is not valid, has capital letters, or stands there twice", g.What, pattern)
			}
			seen[pattern] = true
		}
	}
}
