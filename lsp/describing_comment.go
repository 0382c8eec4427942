package lsp

import (
	"bytes"
	"slices"

	"ploke-lsp/internal/lazyregexp"
)

// A describingComment is a comment on lines of its own that says what code is to be written:
// nothing stands below it, or a function with an empty body. Offsets are in bytes, without the
// white space around it.
type describingComment struct{ start, end int }

// lineComments has what begins a comment up to the end of the line, by language.
var lineComments = map[string]string{
	"go": "//", "c": "//", "cpp": "//", "csharp": "//", "java": "//", "javascript": "//", "typescript": "//",
	"tsx": "//", "rust": "//",
	"kotlin": "//", "scala": "//", "swift": "//", "php": "//", "protobuf": "//",
	"python": "#", "ruby": "#", "bash": "#", "elixir": "#", "hcl": "#", "lua": "--", "sql": "--",
}

// emptyBody matches a function whose body says nothing, from the beginning of a text.
var emptyBody = lazyregexp.New(`^[^\n{;=]*\)[^\n{;=]*(?:\{\s*\}|\n[ \t]*end\b)` +
	`|^[ \t]*(?:async )?def\b[^\n]*(?::\s*(?:pass|\.\.\.)[ \t]*(?:\r?\n|$)|\n[ \t]*end\b)`)

// describingCommentAt returns the comment of that kind at an offset.
func describingCommentAt(text []byte, language string, offset int) (c describingComment, ok bool) {
	if _, asks := commentQuestionAt(text, offset); asks {
		return c, false // it has an action of its own
	}
	lines, at := linesAround(text, offset)
	if at < 0 {
		return c, false
	}
	isComment := commentLines(lines, language)
	if !isComment[at] {
		return c, false
	}
	first, last := at, at
	for first > 0 && isComment[first-1] {
		first--
	}
	for last+1 < len(lines) && isComment[last+1] {
		last++
	}
	block := text[lines[first].start:lines[last].end]
	c.start = lines[first].start + len(block) - len(bytes.TrimLeft(block, " \t"))
	c.end = lines[first].start + len(bytes.TrimRight(block, " \t\r\n"))
	below := text[lines[last].end:]
	line, _, _ := bytes.Cut(below, []byte("\n"))
	line = bytes.TrimSpace(line)
	nothing := len(line) == 0 || slices.Contains([]string{"}", "end", ")", "];", "};"}, string(line))
	return c, nothing || emptyBody.Match(below)
}

// commentLines reports of each line whether nothing but a comment stands in it.
func commentLines(lines []commentLine, language string) []bool {
	are := make([]bool, len(lines))
	prefix, inBlock := lineComments[language], false
	for i, l := range lines {
		line := bytes.TrimSpace([]byte(l.text))
		opens := prefix == "//" && bytes.HasPrefix(line, []byte("/*"))
		are[i] = inBlock || opens || prefix != "" && bytes.HasPrefix(line, []byte(prefix))
		if opens || inBlock {
			inBlock = !bytes.HasSuffix(line, []byte("*/"))
		}
	}
	return are
}
