package workspace

import "strings"

// head is how the paths begin that a pattern matches: a set of bytes for each of the first bytes, up to a star. It
// costs a few nanoseconds to rule a pattern out by it, where a match costs a hundred.
type head struct {
	sets  []byteSet
	whole bool // the pattern has no star: the paths have no more bytes
}

// begins reports whether a path begins as the pattern demands.
func (h *head) begins(path string) bool {
	if len(path) < len(h.sets) || h.whole && len(path) > len(h.sets) {
		return false
	}
	for i := range h.sets {
		if !h.sets[i].has(path[i]) {
			return false
		}
	}
	return true
}

// headOf returns the head of a pattern without a slash at its beginning. It ends before a bracket that is hard to read,
// and before folders of which there may be none.
func headOf(pattern string) (h head) {
	for i := 0; i < len(pattern); i++ {
		var s byteSet
		if pattern[i] == '*' || strings.HasPrefix(pattern[i:], "/**") {
			return h
		}
		switch c := pattern[i]; c {
		case '?':
			s.addAll()
		case '[':
			width := bracketWidth(pattern[i:])
			if width == 0 {
				return h
			}
			s = setOf(pattern[i+1 : i+width-1])
			i += width - 1
		case '\\':
			if i++; i == len(pattern) || pattern[i] == '/' { // the library takes such a backslash for itself
				return h
			}
			s.add(pattern[i], pattern[i])
		default:
			s.add(c, c)
		}
		h.sets = append(h.sets, s)
	}
	h.whole = true
	return h
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// add adds the bytes from low to high.
func (s *byteSet) add(low, high byte) {
	for c := int(low); c <= int(high); c++ {
		s[c>>6] |= 1 << (c & 63)
	}
}

func (s *byteSet) addAll() { s.add(0, 255) }

// setOf returns what stands between the brackets of a set, which has no bracket, slash or backslash but perhaps a ] at
// its beginning.
func setOf(inside string) (s byteSet) {
	negated := inside != "" && (inside[0] == '!' || inside[0] == '^')
	if negated {
		inside = inside[1:]
	}
	for i := 0; i < len(inside); i++ {
		low, high := inside[i], inside[i]
		if i+2 < len(inside) && inside[i+1] == '-' {
			high = inside[i+2]
			i += 2
		}
		s.add(low, high)
	}
	if negated {
		for i := range s {
			s[i] = ^s[i]
		}
	}
	return s
}
