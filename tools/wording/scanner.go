package wording

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Scanner splits a streamed answer into plain text and snippets. A snippet may begin anywhere in a
// line. Text that may still become a snippet is held back. If there is no closing tag after the
// announced number of lines, the first line before, or of a few lines after, that begins with one
// ends the snippet. Without any it is returned as plain text. The parts do not depend on how the
// answer is cut into deltas, except for where plain text is cut. The zero Scanner is ready for use.
type Scanner struct {
	held []byte // not returned yet
	tag  *tag   // the opening tag at the beginning of held, once its line is complete
	seen int    // bytes of held that need no second look
	want int    // lines of code that are missing after seen
	past past   // what of held matchOther has looked at
}

// past is how far the lines of a snippet were looked at.
type past struct {
	SplitLines int // that are complete
	at         int // where the next line begins in held, 0 before the first look
	looked     int // bytes of held without the end of that line
}

// tag is a parsed opening tag.
type tag struct {
	path       string
	start, end int
}

// maxTag bounds the bytes of a tag, so an endless line is not held back.
const maxTag = 32 << 10

// moreLines is by how many lines a snippet may be longer than its tag announces.
const moreLines = 20

// Write takes the next delta of the answer and returns the parts that are certain.
func (s *Scanner) Write(delta string) []Part {
	s.held = append(s.held, delta...)
	return s.scan(false)
}

// Close returns what was held back. The Scanner is ready for another answer.
func (s *Scanner) Close() []Part {
	parts := s.scan(true)
	*s = Scanner{}
	return parts
}

type verdict int

const (
	undecided verdict = iota
	plainText
	complete
)

// scan returns the beginning of held as far as it is certain, or all of it if final is set.
func (s *Scanner) scan(final bool) []Part {
	var parts []Part
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, Part{Text: text.String()})
			text.Reset()
		}
	}
	for {
		text.Write(s.take(untilTag(s.held)))
		if len(s.held) == 0 {
			break
		}
		code, what := s.match(final)
		if what == complete {
			flush()
			parts = append(parts, Part{Code: code})
			s.take(s.seen)
			continue
		}
		if what == undecided && !final {
			break
		}
		text.Write(s.take(1))
	}
	flush()
	return parts
}

// untilTag returns the number of bytes before the first byte that may begin a tag.
func untilTag(held []byte) int {
	if at := bytes.IndexByte(held, '<'); at >= 0 {
		return at
	}
	return len(held)
}

// take removes n bytes from the beginning of held.
func (s *Scanner) take(n int) []byte {
	taken := s.held[:n]
	s.held = s.held[n:]
	if n > 0 {
		s.tag, s.seen, s.want, s.past = nil, 0, 0, past{}
	}
	return taken
}

// match checks whether held, which begins with '<', begins with a snippet. A complete snippet
// ends at seen. final says that nothing follows held.
func (s *Scanner) match(final bool) (*Code, verdict) {
	if s.tag == nil {
		if what := s.matchTag(); what != complete {
			return nil, what
		}
	}
	for ; s.want > 0; s.want-- {
		end := bytes.IndexByte(s.held[s.seen:], '\n')
		if end < 0 {
			if final {
				return s.matchOther(final)
			}
			return nil, undecided
		}
		s.seen += end + 1
	}
	rest := s.held[s.seen:]
	if bytes.HasPrefix(rest, []byte(closing)) {
		return s.codeUntil(s.seen), complete
	}
	if what := partOf(closing, rest); what == undecided && !final {
		return nil, undecided
	}
	return s.matchOther(final)
}

// codeUntil returns the snippet whose closing tag is at an offset of held, and moves seen behind it.
func (s *Scanner) codeUntil(at int) *Code {
	text := string(s.held[bytes.IndexByte(s.held, '\n')+1 : at])
	code := &Code{Path: s.tag.path, StartLine: s.tag.start, EndLine: s.tag.start + strings.Count(text, "\n") - 1,
		Text: text}
	if code.EndLine != s.tag.end {
		code.AnnouncedEnd = s.tag.end
	}
	s.seen = at + len(closing)
	return code
}

// matchOther looks for the closing tag of a snippet with another number of lines than the tag
// announces: too few lines, or up to moreLines too many. Another snippet may not begin in it.
func (s *Scanner) matchOther(final bool) (*Code, verdict) {
	announced := s.tag.end - s.tag.start + 1
	p := &s.past
	if p.at == 0 {
		p.at = bytes.IndexByte(s.held, '\n') + 1
		p.looked = p.at
	}
	for ; p.SplitLines <= announced+moreLines; p.SplitLines++ {
		rest := s.held[p.at:]
		end := bytes.IndexByte(s.held[p.looked:], '\n')
		switch {
		case bytes.HasPrefix(rest, []byte(closing)):
			return s.codeUntil(p.at), complete
		case bytes.HasPrefix(rest, []byte(Opening)):
			return nil, plainText
		case end < 0 && final:
			return nil, plainText
		case end < 0:
			p.looked = len(s.held)
			return nil, undecided
		}
		p.at = p.looked + end + 1
		p.looked = p.at
	}
	return nil, plainText
}

// matchTag parses the opening tag's line.
func (s *Scanner) matchTag() verdict {
	if !bytes.HasPrefix(s.held, []byte(Opening)) {
		return partOf(Opening, s.held)
	}
	end := bytes.IndexByte(s.held[s.seen:], '\n')
	if end < 0 {
		if s.seen = len(s.held); s.seen > maxTag {
			return plainText
		}
		return undecided
	}
	line := s.held[:s.seen+end]
	if s.tag = parseTag(line); s.tag == nil {
		return plainText
	}
	s.seen = len(line) + 1
	s.want = s.tag.end - s.tag.start + 1
	return complete
}

// partOf returns undecided while text may still become word.
func partOf(word string, text []byte) verdict {
	if len(text) <= len(word) && word[:len(text)] == string(text) {
		return undecided
	}
	return plainText
}

// parseTag returns the tag that a line is, nil if it is not one.
func parseTag(line []byte) *tag {
	quote := bytes.LastIndex(line, []byte(`" #`)) // behind which a tag has no other
	if len(line) > maxTag || !bytes.HasPrefix(line, []byte(Opening)) || quote < len(Opening) || line[len(line)-1] != '>' {
		return nil
	}
	var t tag
	if json.Unmarshal(line[len(Opening)-1:quote+1], &t.path) != nil {
		return nil
	}
	start, end, _ := bytes.Cut(line[quote+len(`" #`):len(line)-1], []byte(":"))
	if t.start, t.end = numberIn(start), numberIn(end); t.start < 1 || t.end < t.start-1 {
		return nil
	}
	return &t
}

// numberIn returns the number of one to nine digits, -1 for anything else.
func numberIn(digits []byte) (n int) {
	if len(digits) == 0 || len(digits) > 9 {
		return -1
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return -1
		}
		n = 10*n + int(d-'0')
	}
	return n
}
