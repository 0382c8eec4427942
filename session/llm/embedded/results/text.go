package results

import (
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// attributes matches what stands before a declaration: attributes of Rust and C#, annotations and decorators.
var attributes = lazyregexp.New(`^(?:#\[[^\]]*\]\s*|@[\w.]+(?:\([^)]*\))?\s+|\[[A-Z]\w*(?:\([^)]*\))?\]\s*)+`)

// Snippet returns lines of a file, without the final newline, in the form that the
// client makes a citation of.
func Snippet(path string, line int, text string) string {
	path = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path)
	return fmt.Sprintf("<code=\"%s\" #%d:%d>\n%s\n</code>\n\n", path, line, line+strings.Count(text, "\n"), text)
}

// Code returns s as a Markdown code span. With a bar, which may end a span in a table, a link within it would be one:
// its address is left out.
func Code(s string) string {
	if strings.Contains(s, "|") {
		s = addressOfLink.ReplaceAllString(s, "]")
	}
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

var addressOfLink = lazyregexp.New(`\]\([a-z]+:[^)\s]*\)?`)

// Codes returns a list of code spans.
func Codes(list []string) string {
	var spans []string
	for _, s := range list {
		spans = append(spans, Code(s))
	}
	return strings.Join(spans, ", ")
}

// Near lists the alternatives to something that was not found.
func (f Folders) Near(candidates []Candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	out := "\nThese come close:\n\n"
	for _, c := range candidates {
		switch {
		case c.Canon != "":
			out += fmt.Sprintf("- %s (%s) — %s\n", Code(c.Canon), c.Kind, f.Location(c.ID))
		case c.File != "":
			out += fmt.Sprintf("- %s:%d\n", f.Rel(c.File), c.Line)
		default:
			out += "- " + Code(f.Rel(c.Word)) + "\n"
		}
	}
	return out
}

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Base returns the last name of a path.
func Base(path string) string { return filepath.Base(path) }

// Size returns a count of bytes as people read it.
func Size(bytes int64) string {
	if bytes < 1024 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/1024)
}
