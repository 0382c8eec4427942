package lexicon

import (
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// LinesAsked are lines of a file that a message asks for, 1-based and inclusive.
type LinesAsked struct {
	File        string
	First, Last int
}

// LinesIn returns the lines of a file that a message asks to see, such as "lines 10 to 30 of a.go". It reports false if
// it asks for none, or for something else about them.
func LinesIn(message string) (asked LinesAsked, ok bool) {
	message = strings.TrimRight(strings.TrimSpace(message), "?!.")
	for i, form := range rangesOfLines {
		m := form.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		switch i {
		case 0:
			asked = LinesAsked{m[3], number(m[1]), number(m[2])}
		case 1:
			asked = LinesAsked{m[1], number(m[2]), number(m[3])}
		case 2:
			asked = LinesAsked{m[2], 1, number(m[1])}
		}
		asked.File = strings.TrimPrefix(strings.Trim(asked.File, "`\"'@"), "./")
		return asked, FileName.MatchString(asked.File) && asked.First > 0 && asked.Last >= asked.First
	}
	return LinesAsked{}, false
}

const (
	showsLines = `(?i)^(?:please )?(?:(?:can you |could you )?(?:show|print|display|read|quote|give|view|cat|see` +
		`|open|list)` +
		`(?: me)?|what(?: is|'s|s| does| do| are)?(?: (?:in|on|at|between))?|explain)?(?: the)? ?`
	endsLines = `(?: say| have| contain| do| mean)?(?: please)?$`
)

var rangesOfLines = []*lazyregexp.Regexp{
	lazyregexp.New(showsLines + `lines? (\d+) ?(?:-|–|to|through|until|till|\.\.|and) ?(\d+) (?:of|in|from)(?:` +
		` the)?(?: file)? ` +
		`(\S+)` + endsLines),
	lazyregexp.New(showsLines + `(\S+?)(?:,? lines? |:|#L)(\d+) ?(?:-L?|–|to|through|until|till|\.\.) ?(\d+)` +
		endsLines),
	lazyregexp.New(showsLines + `(?:first|top) (\d+) lines (?:of|in|from)(?: the)?(?: file)? (\S+)` + endsLines),
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
