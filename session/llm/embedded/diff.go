package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// fileDiff is what a unified diff says of a file.
type fileDiff struct {
	path           string // as the diff names it, without "a/" or "b/"
	created, gone  bool
	added, removed int      // lines
	lines          []int    // that are new, or that follow on a removed one, 1-based in the new text
	headings       []string // of the hunks
}

var (
	hunkHead = lazyregexp.New(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)`)
	fileHead = lazyregexp.New(`^(?:---|\+\+\+) (?:"?[abciw]/)?([^\t"]+)`)
)

// diffsIn returns the files of the unified diffs in a text.
func diffsIn(text string) (files []fileDiff) {
	lines := strings.Split(text, "\n")
	for i := 0; i+2 < len(lines); i++ {
		before, after := fileHead.FindStringSubmatch(lines[i]), fileHead.FindStringSubmatch(lines[i+1])
		if before == nil || after == nil || !hunkHead.MatchString(lines[i+2]) {
			continue
		}
		f := fileDiff{path: after[1], created: before[1] == devNull, gone: after[1] == devNull}
		if f.gone {
			f.path = before[1]
		}
		i += 2
		for i < len(lines) {
			m := hunkHead.FindStringSubmatch(lines[i])
			if m == nil {
				break
			}
			i = f.readHunk(lines, i+1, m)
		}
		i--
		files = append(files, f)
	}
	return files
}

const devNull = "/dev/null"

// readHunk reads a hunk whose head was matched, and returns the number of the line after it.
func (f *fileDiff) readHunk(lines []string, i int, head []string) int {
	before, line, after := lengthOf(head[1]), number(head[2]), lengthOf(head[3])
	if head[4] != "" {
		f.headings = append(f.headings, head[4])
	}
	for ; i < len(lines) && (before > 0 || after > 0); i++ {
		switch {
		case strings.HasPrefix(lines[i], "+"):
			f.added, f.lines = f.added+1, append(f.lines, line)
			line, after = line+1, after-1
		case strings.HasPrefix(lines[i], "-"):
			f.removed, f.lines = f.removed+1, append(f.lines, line)
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
	return number(digits)
}

// touched returns the innermost symbols of an outline whose lines the diff changes, without those that are a part of a
// declaration, such as fields.
func (f fileDiff) touched(outline []symbol) (symbols []symbol) {
	seen := map[string]bool{}
	for _, line := range f.lines {
		innermost := -1
		for i, s := range outline {
			if s.StartLine <= line && line <= s.EndLine && !parts[s.Kind] &&
				(innermost < 0 || s.StartLine >= outline[innermost].StartLine) {
				innermost = i
			}
		}
		if innermost >= 0 && !seen[outline[innermost].Canon] {
			seen[outline[innermost].Canon] = true
			symbols = append(symbols, outline[innermost])
		}
	}
	return symbols
}

// parts are the kinds of symbols that only have a meaning within another one.
var parts = map[string]bool{"field": true, "property": true, "impl": true, "file": true}

// headed returns the symbols that are named by the headings of hunks, for a file that has more symbols than its outline
// lists.
func (f fileDiff) headed() (names []string) {
	for _, heading := range f.headings {
		if m := declared.FindStringSubmatch(heading); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

var declared = lazyregexp.New(`(?:func(?:tion)?(?: \([^)]*\))?|fn|def|class|struct|enum|trait|interface|type) (\w+)`)
