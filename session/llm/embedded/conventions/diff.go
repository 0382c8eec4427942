package conventions

import (
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// FileDiff is what a unified diff says of a file.
type FileDiff struct {
	Path           string // as the diff names it, without "a/" or "b/"
	Created, Gone  bool
	Added, Removed int      // lines
	Lines          []int    // that are new, or that follow on a removed one, 1-based in the new text
	Headings       []string // of the hunks
}

var (
	hunkHead = lazyregexp.New(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)`)
	fileHead = lazyregexp.New(`^(?:---|\+\+\+) (?:"?[abciw]/)?([^\t"]+)`)
)

// DiffsIn returns the files of the unified diffs in a text.
func DiffsIn(text string) (files []FileDiff) {
	lines := strings.Split(text, "\n")
	for i := 0; i+2 < len(lines); i++ {
		before, after := fileHead.FindStringSubmatch(lines[i]), fileHead.FindStringSubmatch(lines[i+1])
		if before == nil || after == nil || !hunkHead.MatchString(lines[i+2]) {
			continue
		}
		f := FileDiff{Path: after[1], Created: before[1] == devNull, Gone: after[1] == devNull}
		if f.Gone {
			f.Path = before[1]
		}
		i += 2
		for i < len(lines) && hunkHead.MatchString(lines[i]) {
			i = f.readHunk(lines, i+1, hunkHead.FindStringSubmatch(lines[i]))
		}
		i--
		files = append(files, f)
	}
	return files
}

const devNull = "/dev/null"

// readHunk reads a hunk whose head was matched, and returns the number of the line after it.
func (f *FileDiff) readHunk(lines []string, i int, head []string) int {
	before, line, after := lengthOf(head[1]), atoi(head[2]), lengthOf(head[3])
	if head[4] != "" {
		f.Headings = append(f.Headings, head[4])
	}
	for ; i < len(lines) && (before > 0 || after > 0); i++ {
		switch {
		case strings.HasPrefix(lines[i], "+"):
			f.Added, f.Lines = f.Added+1, append(f.Lines, line)
			line, after = line+1, after-1
		case strings.HasPrefix(lines[i], "-"):
			f.Removed, f.Lines = f.Removed+1, append(f.Lines, line)
			before--
		case strings.HasPrefix(lines[i], `\`):
		default: // an empty line may have lost its space
			line, before, after = line+1, before-1, after-1
		}
	}
	for i < len(lines) && strings.HasPrefix(lines[i], `\`) {
		i++
	}
	return i
}

// lengthOf returns the length of a hunk's side, which is 1 if it is left out.
func lengthOf(digits string) int {
	if digits == "" {
		return 1
	}
	return atoi(digits)
}

// Headed returns the symbols that are named by the headings of hunks, for a file that has more symbols than its outline
// lists.
func (f FileDiff) Headed() (names []string) {
	for _, heading := range f.Headings {
		if m := declared.FindStringSubmatch(heading); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

var declared = lazyregexp.New(`(?:func(?:tion)?(?: \([^)]*\))?|fn|def|class|struct|enum|trait|interface|type) (\w+)`)

// atoi returns the value of digits.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
