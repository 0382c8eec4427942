package embedded

import (
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// declaredOf lists what is declared of the kind in m[0].
func declaredOf(m []string) instruction {
	kind := strings.ToLower(m[0])
	for _, ending := range []string{"es", "s"} {
		if pattern := conventions.Declarations[strings.TrimSuffix(kind, ending)]; pattern != "" {
			return grep{pattern: pattern, said: kind, limit: outlined / 2, code: !strings.HasPrefix(kind, "test")}
		}
	}
	return nil
}

func listOf(pattern, said string) func([]string) instruction {
	return func([]string) instruction { return listed(pattern, said) }
}

// listed lists the lines of a pattern in code that is no test.
func listed(pattern, said string) grep {
	return grep{pattern: pattern, said: said, limit: outlined / 2, code: true}
}

// kindsOf lists what implements or extends the type that a word names; another word is a question for the search.
func kindsOf(m []string) instruction {
	word := strings.TrimSuffix(strings.ToLower(firstOf(m)), "s")
	if lexicon.Common[word] || lexicon.Weak[word] || len(word) < 3 {
		return nil
	}
	return relation{target{name: strings.ToUpper(word[:1]) + word[1:]}, "implementers", true}
}

// keywordUses lists the lines with a keyword.
func keywordUses(m []string) instruction {
	word := strings.TrimRight(strings.ToLower(firstOf(m)), "!s")
	return grep{pattern: `\b` + word + `s?\b`, said: word}
}

// judge finds what the project's own prose says of a quality, which rules can't judge.
func judge(m []string) instruction {
	said := strings.ToLower(firstOf(m))
	if !lexicon.Judged.MatchString(said) {
		return nil
	}
	words := strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == '-' })
	return grep{pattern: `(?i)\b` + strings.Join(words, `[- ]?`), said: said, otherwise: talk{"judge"},
		head: "Rules can't judge that. Where the project speaks of it:\n\n"}
}
