package textsearch

import (
	"context"
	"regexp/syntax"
	"strings"

	"ploke-lsp/tools/wording"
)

// WithOtherCase returns the number of lines that match a pattern without regard to case.
func (s Searcher) WithOtherCase(ctx context.Context, pattern string, files []string) (lines int, err error) {
	if s.pattern, err = wording.Compile("(?i)" + pattern); err != nil {
		return 0, nil // it is too large without regard to case
	}
	s.prefilter = prefilterOf("(?i)" + pattern)
	all, err := s.Search(ctx, files, 0)
	for _, hit := range all {
		lines += hit.Count
	}
	return lines, err
}

// NeedsLineBreak reports whether a pattern has a line break, or something that is only meant to
// match over lines.
func NeedsLineBreak(pattern string) bool {
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
