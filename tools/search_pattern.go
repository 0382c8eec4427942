package tools

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
)

// maxProgram bounds the instructions of a compiled pattern. Each may cost about 25 ns per
// searched byte, and a match cannot be interrupted.
const maxProgram = 500

// compile compiles a pattern in which ^ and $ match at line ends.
func compile(pattern string) (*regexp.Regexp, error) {
	const hint = "use RE2 syntax (no look-around, no back-references); escape special characters with a backslash; name finds files by glob"
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, badValue("pattern", err.Error(), hint)
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, badValue("pattern", err.Error(), hint)
	}
	if len(program.Inst) > maxProgram {
		return nil, badValue("pattern", "the pattern is too large", "repeat less, such as .* instead of .{0,1000}, or search for a part of it")
	}
	return regexp.Compile("(?m)" + pattern)
}

// withOtherCase returns the number of lines that match a pattern without regard to case.
func (s searcher) withOtherCase(ctx context.Context, pattern string, files []string) (lines int, err error) {
	if s.pattern, err = compile("(?i)" + pattern); err != nil {
		return 0, nil // it is too large without regard to case
	}
	s.prefilter = prefilterOf("(?i)" + pattern)
	all, err := s.files(ctx, files, 0)
	for _, hit := range all {
		lines += hit.count
	}
	return lines, err
}

// needsLineBreak reports whether a pattern has a line break, or something that is only meant to
// match over lines.
func needsLineBreak(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil && mentionsLineBreak(re)
}

func mentionsLineBreak(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return strings.ContainsRune(string(re.Rune), '\n')
	case syntax.OpAnyChar:
		return true
	case syntax.OpCharClass: // [\n], [\r\n] or [\s\S], but not \s or [^a]
		return len(re.Rune) > 0 && len(re.Rune) <= 4 && re.Rune[0] == '\n' || len(re.Rune) == 2 && re.Rune[0] == 0
	}
	for _, sub := range re.Sub {
		if mentionsLineBreak(sub) {
			return true
		}
	}
	return false
}
