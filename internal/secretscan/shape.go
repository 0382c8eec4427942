package secretscan

import (
	"fmt"
	"strconv"
	"strings"
)

// shape is the form of a key as issuers.txt writes it: literal text, and parts of a kind of characters.
type shape struct {
	parts    []part
	from, to int // the parts from from up to, but not including, to are the secret
}

// part is literal text, or from min to max characters of a kind.
type part struct {
	literal  string
	kind     *kind
	min, max int
}

// kind is a set of bytes.
type kind [256]bool

const (
	lowercase = "abcdefghijklmnopqrstuvwxyz"
	uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimal   = "0123456789"
	alphanum  = lowercase + uppercase + decimal
)

var kinds = map[string]*kind{
	"digit":  kindOf(decimal),
	"lower":  kindOf(lowercase),
	"upper":  kindOf(uppercase),
	"hex":    kindOf(decimal + "abcdef"),
	"Hex":    kindOf(decimal + "abcdefABCDEF"),
	"lownum": kindOf(lowercase + decimal),
	"upnum":  kindOf(uppercase + decimal),
	"blower": kindOf(lowercase + "234567"),
	"alnum":  kindOf(alphanum),
	"word":   kindOf(alphanum + "_"),
	"url":    kindOf(alphanum + "_-"),
	"base":   kindOf(alphanum + "+/"),
	"unres":  kindOf(alphanum + "_-.~"),
	"any":    kindOf(alphanum + "_-+/=%"),
	"loose":  kindOf(alphanum + "_-+/=%."),
}

func kindOf(characters string) *kind {
	k := new(kind)
	for i := range len(characters) {
		k[characters[i]] = true
	}
	return k
}

const uuidShape = "[Hex8]-[Hex4]-[Hex4]-[Hex4]-[Hex12]"

// parseShape returns the shape that a text describes. It panics if the text is wrong.
func parseShape(text string) *shape {
	s, rest := &shape{to: -1}, strings.ReplaceAll(text, "[uuid]", uuidShape)
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "«"):
			s.from, rest = len(s.parts), rest[len("«"):]
		case strings.HasPrefix(rest, "»"):
			s.to, rest = len(s.parts), rest[len("»"):]
		case rest[0] == '[':
			inside, after, _ := strings.Cut(rest[1:], "]")
			s.parts, rest = append(s.parts, parsePart(inside)), after
		default:
			literal, after := cutLiteral(rest)
			s.parts, rest = append(s.parts, part{literal: literal}), after
		}
	}
	if s.to < 0 {
		s.to = len(s.parts)
	}
	return s
}

// cutLiteral cuts a description where its next mark is.
func cutLiteral(text string) (literal, after string) {
	n := strings.IndexAny(text, "[«»")
	if n < 0 {
		return text, ""
	}
	return text[:n], text[n:]
}

// parsePart returns the part of a text such as hex32, hex32..40 or hex32.. without its brackets.
func parsePart(text string) part {
	n := strings.IndexAny(text, decimal)
	if n < 0 || kinds[text[:n]] == nil {
		panic(fmt.Sprintf("secretscan: a shape has no part %q", text))
	}
	least, most, isRange := strings.Cut(text[n:], "..")
	p := part{kind: kinds[text[:n]], min: count(least)}
	switch {
	case !isRange:
		p.max = p.min
	case most == "":
		p.max = longestKey
	default:
		p.max = count(most)
	}
	return p
}

func count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("secretscan: a shape has a wrong count: " + err.Error())
	}
	return n
}

// length returns the length of the part at the beginning of a text, or -1 if it is not there.
func (p *part) length(text string) int {
	if p.kind == nil {
		if strings.HasPrefix(text, p.literal) {
			return len(p.literal)
		}
		return -1
	}
	n := 0
	for n < len(text) && n < p.max && p.kind[text[n]] {
		n++
	}
	if n < p.min {
		return -1
	}
	return n
}

// match returns the secret of a key of this shape at an offset. Parts are as long as they can be.
func (s *shape) match(text string, at int) (secret Span, ok bool) {
	for i := range s.parts {
		if i == s.from {
			secret.Start = at
		}
		n := s.parts[i].length(text[at:])
		if n < 0 {
			return secret, false
		}
		at += n
		if i == s.to-1 {
			secret.End = at
		}
	}
	return secret, s.ends(text, at)
}

// ends reports whether a key that ends at an offset is not the beginning of a longer one. What
// joins words may follow it, such as the - of an arrow.
func (s *shape) ends(text string, at int) bool {
	last := s.parts[len(s.parts)-1]
	switch {
	case at == len(text):
		return true
	case word(text[at]):
		return false
	case last.kind == nil || !last.kind[text[at]]:
		return true
	}
	return at+1 == len(text) || !word(text[at+1])
}

// marks returns the texts at one of which a key of this shape is looked for, and how many bytes of
// the key are before it: literal text, with the character after it if it is only one.
func (s *shape) marks() (marks []string, before int) {
	best, at := -1, 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.kind == nil && (best < 0 || len(p.literal) > len(s.parts[best].literal)) {
			best, before = i, at
			if i == 0 && len(p.literal) > 1 {
				break
			}
		}
		if p.kind != nil && p.min != p.max {
			break
		}
		at += len(p.literal) + p.min
	}
	literal := s.parts[best].literal
	if len(literal) > 1 {
		return []string{literal}, before
	}
	for c := range 1 << 8 {
		if s.parts[best+1].kind[c] {
			marks = append(marks, literal+string(rune(c)))
		}
	}
	return marks, before
}
