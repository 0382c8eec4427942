package lexicon

import (
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// Pronouns are words that stand for a name.
var Pronouns = map[string]bool{"this": true, "that": true, "it": true, "these": true, "those": true, "selection": true,
	"everything": true, "here": true, "there": true}

// The patterns of what is named in a message, as the source of regular expressions.
const (
	QuotedPattern  = "```[^`\\n]*\\n(?s:.*?)```" + `|"[^"]+"|'[^']+'|` + "`[^`]+`"
	OrEmptyPattern = `|""|''`
	identifier     = `[\pL_$][\pL\pN_$]*`
	TermPattern    = `[^\s"'` + "`" + `]+`
	canonical      = identifier + `(?:(?:::|\.)` + identifier + `)*(?:#\d+)?(?:\(\))?`
	NamePattern    = "`" + canonical + "`" + `|"` + canonical + `"|'` + canonical + `'|` + canonical
	KindPattern    = `(?:function|func|method|type|struct|class|interface|trait|enum|variable|var|constant|const|field` +
		`|property|macro|module|symbol)`
	FilePattern = "`[^`]+`" + `|"[^"]+"|'[^']+'|[^\s"'` + "`" + `]*[\pL\pN_]`
	PathPattern = "`[^`]+`" + `|"[^"]+"|'[^']+'|[^\s"'` + "`" + `]*[./\\][^\s"'` + "`" + `]*[\pL\pN_]`
)

// Around names, and what their parts are.
var (
	Articles = lazyregexp.New(`(?i)^(?:the|an?|my|our|your) `)
	KindHead = lazyregexp.New(`(?i)^(?:` + KindPattern + `|file|def|fn|fun|sub|impl|package|pub|async|static|public` +
		`|private` +
		`|void) `)
	KindTail = lazyregexp.New(`(?i) (?:` + KindPattern + `|file)$`)
	// a name behind a kind that is hardly a part of plain words, such as "type" in "the type system"
	kindOfCode = lazyregexp.New(`(?i)^(?:function|func|method|struct|interface|trait|enum|macro` +
		`|constant) [\pL_$][\pL\pN_$]*$`)
	InPath   = lazyregexp.New(`(?i)^(.+?) (?:in|from|of) (?:the )?(?:file )?(` + PathPattern + `)$`)
	OfOwner  = lazyregexp.New(`(?i)^(.+?) (?:of|on|in|from) (.+)$`)
	receiver = lazyregexp.New(`^\((?:\w+ )?[*&]?(\w+)(?:\[.*?\])?\)[ .]*(\w+)`)
	generics = lazyregexp.New(`<[^<>]*>|\[[^\[\]]*\]`)
	notName  = lazyregexp.New(`^(?:[*&@]|\$?this(?:->|\.)|(?i:self)(?:\.|::)|cls\.|crate::|super::)`)
	joint    = lazyregexp.New(`->|::|[.:]|#(\D|$)`)
	arity    = lazyregexp.New(`/\d+$`)
	Address  = lazyregexp.New(`^` + identifier + `(?:::` + identifier + `)*(?:#\d+)?$`)
	Position = lazyregexp.New("(?i)^(?:line (\\d+) (?:of|in) )?((?:[A-Za-z]:[/\\\\])?[^\\s:#,]+)(?:(?::|#L|,? (?:at " +
		")?line )(\\d+)(?:[-:]L?\\d+)*)?$")
	FileName = lazyregexp.New(`(?i)^[^\s()]*[\pL\pN_-]\.(?:go|mod|py|[cm]?[jt]sx?|vue|java|kts?|rs|rb|php|cs|c|h|cc` +
		`|cpp|hpp|swift|scala|exs?|ml|mli|lua|sh|sql|proto|md|ya?ml|toml|json|css|html|txt)$`)
)

// CanonOf returns the address for a name in any language's syntax: `Server.Run()`,
// (*Server).Run, server->run(1), net/http.Server#run and Server<T>::run.
func CanonOf(words string) string {
	words = receiver.ReplaceAllString(Bare(words), "$1.$2")
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

// Strip removes matches of patterns until none is left.
func Strip(s string, patterns ...*lazyregexp.Regexp) string {
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

// LooksLikeCode reports whether words can hardly be plain words: they are quoted, or
// have an inner capital, a digit or the punctuation of a program.
func LooksLikeCode(words string) bool {
	if kindOfCode.MatchString(Strip(words, Articles)) {
		return true
	}
	words = Strip(words, Articles, KindHead, KindTail)
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

// IsNoun reports whether words are a name that says something, with an indefinite article or none.
func IsNoun(words, name string) bool {
	noun := indefinite.ReplaceAllString(words, "")
	return noun == name && !Common[strings.ToLower(noun)] && !Weak[strings.ToLower(noun)]
}

var indefinite = lazyregexp.New(`(?i)^an? `)

// Bare removes the quotes of a word, or the fences and the language of a block.
func Bare(s string) string {
	if body, ok := strings.CutPrefix(s, "```"); ok {
		_, body, _ = strings.Cut(strings.TrimSuffix(body, "```"), "\n")
		return strings.TrimSuffix(body, "\n")
	}
	if len(s) >= 2 && strings.ContainsRune("\"'`", rune(s[0])) {
		s = s[1 : len(s)-1]
	}
	return s
}

// Shown returns an address as a person writes it: without the number by which namesakes of a file are told apart, and
// without the references and parameters of types around the names.
func Shown(canon string) string {
	if !strings.ContainsAny(canon, "<&*'#") || strings.Contains(canon, "operator") {
		return canon
	}
	shown := generics.ReplaceAllString(generics.ReplaceAllString(numberOfNamesake.ReplaceAllString(canon, "$1"), ""), "")
	shown = reference.ReplaceAllString(shown, "")
	if shown == "" {
		return canon
	}
	return shown
}

var (
	numberOfNamesake = lazyregexp.New(`#\d+(::|$)`)
	reference        = lazyregexp.New(`^(?:[&*]\s*(?:'\w+\s+)?(?:mut\s+|const\s+)?)+`)
)
