package results

import (
	"path/filepath"
	"strings"
)

// InComment reports whether a line is a comment as a whole and has the text once, so that its place is certain.
func (e Edge) InComment(old string) bool {
	line := strings.TrimSpace(e.Text)
	marks := []string{"//", "/*", "* ", "--", "<!--"}
	switch filepath.Ext(e.File) {
	case ".py", ".rb", ".sh", ".bash", ".yaml", ".yml", ".toml", ".pl", ".r", ".jl", ".ex", ".exs", ".tf":
		marks = []string{"#"}
	case ".md", ".txt", ".json", ".html":
		return false
	}
	for _, mark := range marks {
		if strings.HasPrefix(line, mark) {
			return strings.Count(line, old) == 1
		}
	}
	return false
}
