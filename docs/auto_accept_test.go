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
	b.WriteString("| files of | names | why |\n|---|---|---|\n")
	for _, r := range project.RunsByItself() {
		fmt.Fprintf(&b, "| %s | `%s` | [%s](%s) |\n", r.Kind, strings.Join(r.Patterns, "`, `"), r.What, r.Source)
	}
	compareTable(t, "docs/auto-accept.md", "project", b.String())
}
