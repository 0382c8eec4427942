package repair

import (
	"strings"
	"unicode"
)

// answerHeads stand before the answer in the format of gpt-oss, and say nothing.
var answerHeads = []string{"<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"}

// maxBlank is how many bytes of white space around a tag are held back.
const maxBlank = 4 << 10

// Thoughts parts a text into the thoughts at its beginning and the answer. It holds back at most
// what may be a tag, and the white space around it. A tag in the midst of the answer is text,
// except one that closes a thought which the server has opened in the prompt.
type Thoughts struct {
	held    string
	closing string // the tag that ends the thought, "" outside of one
	thought bool   // there was a thought before
	begun   bool   // a text has come
	answer  bool   // the answer has begun
	plain   bool   // no tag means anything any more
	code    CodeTracker
}

func NewThoughts() Thoughts { return Thoughts{code: NewCodeTracker()} }

// Add adds a piece and returns what is certain of it. was says that all text before was a thought.
func (s *Thoughts) Add(piece string) (text, thought string, was bool) {
	if s.plain {
		return piece, "", false
	}
	if !s.begun {
		s.begun = true
		before, after, found := cutUnopened(piece)
		if found {
			thought, piece, s.thought = before, after, true
		}
	}
	s.held += piece
	for !s.answer {
		if s.closing == "" {
			if !s.open() && !s.beginsAnswer() {
				return "", thought, false
			}
			continue
		}
		inside, closed := s.inside()
		thought += inside
		if !closed {
			return "", thought, false
		}
	}
	text, was = s.watch()
	if was {
		more, after, _ := s.Add("")
		return more, thought + text + after, true
	}
	return text, thought, false
}

// watch returns what is certain of an answer that has begun. was says that it is a thought, as all text before.
func (s *Thoughts) watch() (text string, was bool) {
	n := 0
	for ; n < len(s.held) && !s.plain; n++ {
		rest := s.held[n:]
		if mayBeTag := rest[0] == '<' || rest[0] == '[' || rest[0] == "◁"[0]; mayBeTag && !s.code.InCode() {
			switch after, found, unsure := cutClosing(rest); {
			case unsure:
				text, s.held = s.held[:n], rest
				return text, false
			case found:
				text, s.held = s.held[:n], after
				s.thought, s.answer = true, false
				return text, true
			}
			s.plain = opensThought(rest)
		}
		s.code.Pass(rest[0])
	}
	text, s.held = s.held, ""
	return text, false
}

// cutClosing removes a tag that closes a thought and ends its line. unsure says that more text
// decides whether there is one.
func cutClosing(text string) (after string, found, unsure bool) {
	for _, tag := range knownThoughtTags {
		if mayBecome(text, tag.close) {
			return text, false, true
		}
		if rest, ok := cutTag(text, tag.close); ok {
			line := strings.TrimLeft(rest, " \t\r")
			return rest, strings.HasPrefix(line, "\n"), line == "" && len(rest) < maxBlank
		}
	}
	return text, false, false
}

// opensThought reports whether a text begins with a tag that opens a thought: it is about such tags.
func opensThought(text string) bool {
	for _, tag := range knownThoughtTags {
		if _, ok := cutTag(text, tag.open); ok {
			return true
		}
	}
	return false
}

// open takes the tag that opens a thought from what is held. It reports whether there is one.
func (s *Thoughts) open() bool {
	rest := strings.TrimLeftFunc(s.held, unicode.IsSpace)
	for _, tag := range knownThoughtTags {
		if after, ok := cutTag(rest, tag.open); ok {
			s.held, s.closing = strings.TrimLeftFunc(after, unicode.IsSpace), tag.close
			return true
		}
	}
	return false
}

// beginsAnswer reports whether the answer begins: what is held can't be a tag.
func (s *Thoughts) beginsAnswer() bool {
	rest := strings.TrimLeftFunc(s.held, unicode.IsSpace)
	for _, tag := range knownThoughtTags {
		if mayBecome(rest, tag.open) && len(s.held)-len(rest) < maxBlank {
			return false
		}
	}
	for _, head := range answerHeads {
		if mayBecome(rest, head) && len(s.held)-len(rest) < maxBlank {
			return false
		}
		if after, ok := cutTag(rest, head); ok {
			s.held, rest = after, after
		}
	}
	if s.thought {
		s.held = rest
	}
	s.answer, s.plain = true, s.thought
	return true
}

// inside returns what of a thought is certain, and whether the tag that closes it has come.
func (s *Thoughts) inside() (thought string, closed bool) {
	if at := indexTag(s.held, s.closing); at >= 0 {
		thought, s.held = s.held[:at], s.held[at+len(s.closing):]
		s.closing, s.thought = "", true
		return thought, true
	}
	keep := 0
	for n := min(len(s.closing)-1, len(s.held)); n > 0 && keep == 0; n-- {
		if mayBecome(s.held[len(s.held)-n:], s.closing) {
			keep = n
		}
	}
	thought, s.held = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
	return thought, false
}

// End returns what is still held. was says that all text before was a thought.
func (s *Thoughts) End() (text, thought string, was bool) {
	held := s.held
	s.held = ""
	if s.closing != "" {
		return "", held, false
	}
	if _, closes := cutTag(strings.TrimSpace(held), "</think>"); closes && s.answer {
		return "", "", true
	}
	if s.thought {
		held = strings.TrimLeftFunc(held, unicode.IsSpace)
	}
	return held, "", false
}

// cutUnopened cuts a text at a tag that closes a thought which the server has opened in the prompt.
func cutUnopened(text string) (before, after string, found bool) {
	for _, tag := range knownThoughtTags {
		at := indexTag(text, tag.close)
		if at >= 0 && indexTag(text, tag.open) < 0 && !strings.Contains(text[:at], "`") && tag.close != "<|end|>" {
			return text[:at], text[at+len(tag.close):], true
		}
	}
	return "", text, false
}
