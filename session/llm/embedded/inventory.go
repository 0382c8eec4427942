package embedded

import (
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// inventories make the instructions of [lexicon.Inventories], by what these ask.
var inventories = map[string]func(m []string) instruction{
	"package":         func(m []string) instruction { return packageOf(lexicon.Bare(m[0])) },
	"usage":           func([]string) instruction { return usageSection },
	"adding":          func([]string) instruction { return installSection },
	"new test":        doing("test"),
	"dependencies":    func([]string) instruction { return dependencies{} },
	"files":           func([]string) instruction { return counts{"lines", ""} },
	"use":             func([]string) instruction { return usageSection },
	"overview of all": func([]string) instruction { return overview{} },
	"msrv":            about("language version"),
	"maintained":      func([]string) instruction { return past{about: "commits"} },
	"newest":          func([]string) instruction { return newestSection },
	"files called":    filesCalled,
	"example of":      func([]string) instruction { return filesCalled([]string{"examples"}) },
	"declared": func(m []string) instruction {
		return declaredOf([]string{strings.TrimPrefix(strings.Replace(strings.ToLower(m[0]), "test cases", "tests", 1),
			"unit ")})
	},
	"makefile":    about("scripts"),
	"outline":     func(m []string) instruction { return outlineOf([]string{firstOf(m)}) },
	"commercial":  about("license"),
	"deprecated":  listOf(conventions.DeprecatedLine, "deprecated"),
	"errors":      listOf(conventions.ErrorLine, "declarations of errors"),
	"environment": listOf(conventions.EnvironmentLine, "reads of the environment"),
	"keyword":     keywordUses,
	"members": func(m []string) instruction {
		return membersOf([]string{m[0], m[1], m[3], m[2]})
	},
	"offers": func(m []string) instruction { return membersOf([]string{"member", firstOf(m)}) },
	"reporting": func([]string) instruction {
		return grep{pattern: `(?i)/issues\b|issue tracker|bug tracker|report(?:ing)? (?:an? |any |the` +
			` )?(?:security |` +
			`suspected )?(?:bug|issue|vulnerabilit|problem)|security contact|` +
			`security@`, said: "reporting", include: conventions.Reporting}
	},
	"long file": func(m []string) instruction { return outlineOf([]string{firstOf(m)}) },
	"good for":  func([]string) instruction { return overview{} },
	"running":   doing("build run"),
	"exported":  func(m []string) instruction { return exported{functions: strings.HasPrefix(m[0], "function")} },
	"shipped": func(m []string) instruction {
		if word := strings.ToLower(m[0]); !lexicon.Common[word] {
			return namedFiles{word, []string{"**/" + word + "*/**", "!*test*"}, question{}}
		}
		return nil
	},
	"kinds": kindsOf,
	"judge": judge,
}

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
