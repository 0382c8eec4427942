package docs

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/project"
)

// TestFilesThatAlwaysAskAreListed compares the page with what automatic acceptance leaves
// to a person.
func TestFilesThatAlwaysAskAreListed(t *testing.T) {
	var b strings.Builder
	b.WriteString("| files of | names |\n|---|---|\n")
	for _, g := range project.AlwaysAsk {
		fmt.Fprintf(&b, "| %s | `%s` |\n", g.What, strings.Join(g.Patterns, "`, `"))
	}
	compareTable(t, "docs/auto-accept.md", "project", b.String())
}
