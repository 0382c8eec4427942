package workspace

import "strings"

// wildmatch matches texts with the patterns of git's configuration, in which * and ? match no slash, but ** between
// slashes matches any folders. It takes at most steps steps; after them, nothing matches.
type wildmatch struct {
	steps int
}

// match reports whether a pattern matches the whole text.
func (w *wildmatch) match(pattern, text string) bool { return w.matchAt(pattern, 0, text) }

// matchAt matches the pattern from a place on.
func (w *wildmatch) matchAt(pattern string, at int, text string) bool {
	for at < len(pattern) {
		if w.steps--; w.steps < 0 {
			return false
		}
		if pattern[at] == '*' {
			return w.matchStar(pattern, at, text)
		}
		width, ok := matchByte(pattern[at:], text)
		if !ok {
			return false
		}
		at, text = at+width, text[1:]
	}
	return text == ""
}

// matchStar matches the pattern from a star on.
func (w *wildmatch) matchStar(pattern string, at int, text string) bool {
	start := at
	for at < len(pattern) && pattern[at] == '*' {
		at++
	}
	rest := pattern[at:]
	folders := at-start > 1 && (start == 0 || pattern[start-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	if folders && rest != "" && rest[0] == '/' && w.matchAt(pattern, at+1, text) {
		return true // of no folder
	}
	for end := 0; ; end++ {
		if w.matchAt(pattern, at, text[end:]) {
			return true
		}
		if end == len(text) || text[end] == '/' && !folders {
			return false
		}
	}
}

// matchByte matches the first byte of a text, and returns how many bytes of the pattern stand for it.
func matchByte(pattern, text string) (width int, ok bool) {
	if text == "" {
		return 0, false
	}
	switch c := pattern[0]; {
	case c == '?':
		return 1, text[0] != '/'
	case c == '[':
		return matchSet(pattern, text[0])
	case c == '\\' && len(pattern) > 1:
		return 2, pattern[1] == text[0]
	default:
		return 1, c == text[0]
	}
}

// matchSet matches a byte with the set in brackets at the beginning of a pattern.
func matchSet(pattern string, c byte) (width int, ok bool) {
	at := 1
	negated := strings.HasPrefix(pattern[at:], "!") || strings.HasPrefix(pattern[at:], "^")
	if negated {
		at++
	}
	found := false
	for first := at; at < len(pattern); {
		if pattern[at] == ']' && at > first {
			return at + 1, found != negated && c != '/'
		}
		if strings.HasPrefix(pattern[at:], "[:") {
			end := strings.IndexByte(pattern[at:], ']')
			if end < 0 {
				return 0, false
			}
			if end > 2 && pattern[at+end-1] == ':' {
				is, known := inClass(pattern[at+2:at+end-1], c)
				if !known {
					return 0, false
				}
				found = found || is
				at += end + 1
				continue
			}
		}
		low := setByte(pattern, &at)
		high := low
		if at+1 < len(pattern) && pattern[at] == '-' && pattern[at+1] != ']' {
			at++
			high = setByte(pattern, &at)
		}
		found = found || c == low || low <= c && c <= high
	}
	return 0, false // the set has no end
}

// setByte takes a byte of a set, which may be escaped.
func setByte(pattern string, at *int) byte {
	if pattern[*at] == '\\' && *at+1 < len(pattern) {
		*at++
	}
	*at++
	return pattern[*at-1]
}

// inClass reports whether a byte is in a named class, and whether there is such a class.
func inClass(name string, c byte) (is, known bool) {
	class, known := classes[name]
	return known && class(c), known
}

// classes are the named classes of bytes in sets, as of POSIX.
var classes = map[string]func(c byte) bool{
	"alpha":  isLetter,
	"digit":  isDigit,
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"lower":  func(c byte) bool { return within(c, 'a', 'z') },
	"upper":  func(c byte) bool { return within(c, 'A', 'Z') },
	"xdigit": func(c byte) bool { return isDigit(c) || within(c|0x20, 'a', 'f') },
	"punct":  func(c byte) bool { return within(c, '!', '~') && !isLetter(c) && !isDigit(c) },
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"space":  func(c byte) bool { return c == ' ' || within(c, '\t', '\r') },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"print":  func(c byte) bool { return within(c, ' ', '~') },
	"graph":  func(c byte) bool { return within(c, '!', '~') },
}

func within(c, low, high byte) bool { return low <= c && c <= high }

func isLetter(c byte) bool { return within(c|0x20, 'a', 'z') }

func isDigit(c byte) bool { return within(c, '0', '9') }
