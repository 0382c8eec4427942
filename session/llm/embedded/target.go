package embedded

import (
	"strconv"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// target is what a question is about: a symbol, a line of a file, or a file.
type target struct {
	name string // canon or name; "" for a line or a file
	file string // path, "" if not given
	line int    // 1-based, 0 if not given

	orType bool // if a type lacks the member, the type is meant
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

var (
	articles = lazyregexp.New(`(?i)^(?:the|an?|my|our|your) `)
	kindHead = lazyregexp.New(`(?i)^(?:` + kind + `|file|def|fn|fun|sub|impl|package|pub|async|static|public|private` +
		`|void) `)
	kindTail = lazyregexp.New(`(?i) (?:` + kind + `|file)$`)
	// a name behind a kind that is hardly a part of plain words, such as "type" in "the type system"
	kindOfCode = lazyregexp.New(`(?i)^(?:function|func|method|struct|interface|trait|enum|macro` +
		`|constant) [\pL_$][\pL\pN_$]*$`)
	inPath   = lazyregexp.New(`(?i)^(.+?) (?:in|from|of) (?:the )?(?:file )?(` + path + `)$`)
	ofOwner  = lazyregexp.New(`(?i)^(.+?) (?:of|on|in|from) (.+)$`)
	receiver = lazyregexp.New(`^\((?:\w+ )?[*&]?(\w+)(?:\[.*?\])?\)[ .]*(\w+)`)
	generics = lazyregexp.New(`<[^<>]*>|\[[^\[\]]*\]`)
	notName  = lazyregexp.New(`^(?:[*&@]|\$?this(?:->|\.)|(?i:self)(?:\.|::)|cls\.|crate::|super::)`)
	joint    = lazyregexp.New(`->|::|[.:]|#(\D|$)`)
	arity    = lazyregexp.New(`/\d+$`)
	address  = lazyregexp.New(`^` + identifier + `(?:::` + identifier + `)*(?:#\d+)?$`)
	position = lazyregexp.New("(?i)^(?:line (\\d+) (?:of|in) )?((?:[A-Za-z]:[/\\\\])?[^\\s:#,]+)(?:(?::|#L|,? (?:at " +
		")?line )(\\d+)(?:[-:]L?\\d+)*)?$")
	fileName = lazyregexp.New(`(?i)^[^\s()]*[\pL\pN_-]\.(?:go|mod|py|[cm]?[jt]sx?|vue|java|kts?|rs|rb|php|cs|c|h|cc` +
		`|cpp|hpp|swift|scala|exs?|ml|mli|lua|sh|sql|proto|md|ya?ml|toml|json|css|html|txt)$`)
)

// targetOf parses the words of a question that name what it is about. It reports false
// if they are no name, such as "the best way home".
func targetOf(words string) (target, bool) {
	words = bare(strip(words, articles, kindHead, kindTail))
	if t, ok := locationOf(words); ok {
		return t, true
	}
	if name := canonOf(words); address.MatchString(name) {
		return target{name: name}, !pronouns[strings.ToLower(name)]
	}
	if m := inPath.FindStringSubmatch(words); m != nil && fileName.MatchString(bare(m[2])) {
		t, ok := targetOf(m[1])
		t.file = bare(m[2])
		return t, ok && t.name != ""
	}
	if m := ofOwner.FindStringSubmatch(words); m != nil {
		member, ok := targetOf(m[1])
		owner, isName := targetOf(m[2])
		member.name = owner.name + "::" + member.name
		return member, ok && isName && owner.line == 0
	}
	return target{}, false
}

// locationOf parses a path with or without a line, such as a/b.go:12 or line 12 of b.go.
func locationOf(words string) (target, bool) {
	m := position.FindStringSubmatch(words)
	if m == nil {
		return target{}, false
	}
	line, _ := strconv.Atoi(m[1] + m[3])
	file := bare(m[2])
	return target{file: file, line: line}, fileName.MatchString(file) || line > 0 && strings.ContainsAny(file, "./")
}

// canonOf returns the address for a name in any language's syntax: `Server.Run()`,
// (*Server).Run, server->run(1), net/http.Server#run and Server<T>::run.
func canonOf(words string) string {
	words = receiver.ReplaceAllString(bare(words), "$1.$2")
	words, _, _ = strings.Cut(words, "(")
	words = arity.ReplaceAllString(words, "")
	for next := ""; ; words = next {
		next = notName.ReplaceAllString(generics.ReplaceAllString(words, ""), "")
		if next == words {
			break
		}
	}
	if !strings.Contains(words, " ") {
		words = words[strings.LastIndexByte(words, '/')+1:]
	}
	return joint.ReplaceAllString(strings.TrimRight(words, " !?:;,"), "::$1")
}

// strip removes matches of patterns until none is left.
func strip(s string, patterns ...*lazyregexp.Regexp) string {
	for {
		before := s
		for _, p := range patterns {
			if rest := strings.TrimSpace(p.ReplaceAllString(s, "")); rest != "" {
				s = rest
			}
		}
		if s == before {
			return s
		}
	}
}

// looksLikeCode reports whether words can hardly be plain words: they are quoted, or
// have an inner capital, a digit or the punctuation of a program.
func looksLikeCode(words string) bool {
	if kindOfCode.MatchString(strip(words, articles)) {
		return true
	}
	words = strip(words, articles, kindHead, kindTail)
	first := true
	for _, r := range words {
		switch {
		case strings.ContainsRune("`\"'_:#()$", r), r == '.', unicode.IsDigit(r):
			return true
		case !first && r == ' ':
			return false
		case unicode.IsUpper(r):
			return true
		}
		first = false
	}
	return false
}

// names returns the names to look up, the most exact first: the index does not know
// the packages and variables before them, as in http::Server::Run.
func (t target) names() []string {
	names := []string{t.name}
	if i := strings.LastIndex(t.name, "::"); i > 0 && t.orType {
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
