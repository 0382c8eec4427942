package wording

import (
	"regexp"
	"regexp/syntax"
)

// maxProgram bounds the instructions of a compiled pattern. Each may cost about 25 ns per
// searched byte, and a match cannot be interrupted.
const maxProgram = 500

// Compile compiles a pattern in which ^ and $ match at line ends.
func Compile(pattern string) (*regexp.Regexp, error) {
	const hint = "use RE2 syntax (no look-around, no back-references); escape special characters with a backslash; " +
		"name finds files by glob"
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, BadValue("pattern", err.Error(), hint)
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, BadValue("pattern", err.Error(), hint)
	}
	if len(program.Inst) > maxProgram {
		return nil, BadValue("pattern", "the pattern is too large",
			"repeat less, such as .* instead of .{0,1000}, or search for a part of it")
	}
	return regexp.Compile("(?m)" + pattern)
}
