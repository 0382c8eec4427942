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
