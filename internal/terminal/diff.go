package terminal

import "strings"

// diffStyle returns the style of a line of a unified diff.
func diffStyle(line string) Style {
	switch {
	case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "diff "),
		strings.HasPrefix(line, "rename "), strings.HasPrefix(line, "new file"), strings.HasPrefix(line, "deleted file"):
		return Bold
	case strings.HasPrefix(line, "+"):
		return Green
	case strings.HasPrefix(line, "-"):
		return Red
	case strings.HasPrefix(line, "@@"):
		return Cyan
	}
	return 0
}

// Diff returns a unified diff with colors.
func Diff(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text, _ := strings.CutSuffix(line, "\n")
		b.WriteString(Styled(text, diffStyle(text)))
		b.WriteString(line[len(text):])
	}
	return b.String()
}
