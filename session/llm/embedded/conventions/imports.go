package conventions

import (
	"regexp"
	"strings"
)

// ImportHead matches the beginning of a line that imports something.
const ImportHead = `^\s*(?:(?:import|export(?: type)? [*{]|from|(?:pub )?use|#\s*include|@import|require\w*` +
	`|using|alias|extern crate|package|\}? ?from)\b|[\w$.{}, ]*=\s*(?:await )?(?:require|import)\()`

// ImportsOf returns the pattern of the lines that import the module or file of a name, which another pattern matches.
func ImportsOf(name, pattern string) string {
	const inBlock = `^\s*(?:[\w.]+ )?"`
	relative := ""
	// as the files of a package of Python name each other
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && !strings.Contains(name, "/") {
		last := regexp.QuoteMeta(name[dot+1:])
		relative = `|^\s*from\s+\.+(?:\w+\.)*` + last + `\s+import\b|^\s*from\s+\.+\s+import\b.*\b` + last + `\b`
	}
	return ImportHead + `.*(?:^|[^\w-])` + pattern + `(?:[^\w-]|$)|` +
		inBlock + `(?:[^"]*/)?` + pattern + `(?:/[^"]*)?"\s*;?$` + relative
}
