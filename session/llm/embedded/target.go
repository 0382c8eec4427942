package embedded

import (
	"strconv"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// target is what a question is about: a symbol, a line of a file, or a file.
type target struct {
	name string // canon or name; "" for a line or a file
	file string // path, "" if not given
	line int    // 1-based, 0 if not given

	orType   bool // if a type lacks the member, the type is meant
	mostUsed bool // of all namesakes, the most used one is meant
}

// String returns the target as answers name it.
func (t target) String() string {
	switch {
	case t.name != "":
		return t.name
	case t.line > 0:
		return t.file + ":" + strconv.Itoa(t.line)
	}
	return t.file
}

// targetOf parses the words of a question that name what it is about. It reports false
// if they are no name, such as "the best way home".
func targetOf(words string) (target, bool) {
	words = lexicon.Bare(lexicon.Strip(words, lexicon.Articles, lexicon.KindHead, lexicon.KindTail))
	if t, ok := locationOf(words); ok {
		return t, true
	}
	if name := lexicon.CanonOf(words); lexicon.Address.MatchString(name) {
		return target{name: name}, !lexicon.Pronouns[strings.ToLower(name)]
	}
	if m := lexicon.InPath.FindStringSubmatch(words); m != nil && lexicon.FileName.MatchString(lexicon.Bare(m[2])) {
		t, ok := targetOf(m[1])
		t.file = lexicon.Bare(m[2])
		return t, ok && t.name != ""
	}
	if m := lexicon.OfOwner.FindStringSubmatch(words); m != nil {
		member, ok := targetOf(m[1])
		owner, isName := targetOf(m[2])
		member.name = owner.name + "::" + member.name
		return member, ok && isName && owner.line == 0
	}
	return target{}, false
}

// locationOf parses a path with or without a line, such as a/b.go:12 or line 12 of b.go.
func locationOf(words string) (target, bool) {
	m := lexicon.Position.FindStringSubmatch(words)
	if m == nil {
		return target{}, false
	}
	line, _ := strconv.Atoi(m[1] + m[3])
	file := lexicon.Bare(m[2])
	return target{file: file, line: line}, lexicon.FileName.MatchString(file) ||
		line > 0 && strings.ContainsAny(file, "./")
}

// names returns the names to look up, the most exact first: the index does not know
// the packages and variables before them, as in http::Server::Run.
func (t target) names() []string {
	names := []string{t.name}
	if i := strings.LastIndex(t.name, "::"); i > 2 && t.orType { // a shorter one is a variable
		names = append(names, t.name[:i])
	}
	for rest := t.name; ; {
		_, after, more := strings.Cut(rest, "::")
		if !more {
			return names
		}
		rest = after
		names = append(names, rest)
	}
}
