package embedded

import (
	"slices"
	"strings"
	"sync"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// newcomers make the instructions of [lexicon.Newcomers], by what these ask.
var newcomers = map[string]func(m []string) instruction{
	"extras":           about("extras"),
	"language version": about("language version"),
	"modules":          about("modules"),
	"mention":          mentionOf,
	"demo":             demoOf,
	"version of":       versionOf,
	"build and test":   doing("build test"),
	"build and run":    doing("build run"),
	"test":             doing("test"),
	"lint":             doing("lint"),
	"analyse":          doing("analyse"),
	"release":          doing("release"),
	"snapshot":         doing("snapshot"),
	"tests of a kind":  testsOfKind,
	"example":          doing("example"),
	"install":          doing("install"),
	"develop":          doing("setup"),
	"build":            doing("build"),
	"single":           doing("single"),
	"run":              doing("run"),
	"license":          about("license"),
	"version":          about("version"),
	"scripts":          about("scripts"),
	"features":         about("features"),
	"entry points":     about("entry points"),
	"uncommitted":      func([]string) instruction { return past{about: "uncommitted"} },
	"commits":          func([]string) instruction { return past{about: "commits"} },
	"authors":          func([]string) instruction { return past{about: "authors"} },
	"commits of":       historyOf("commits"),
	"commits about":    commitsAbout,
	"authors of":       historyOf("authors"),
	"whom to ask": func(m []string) instruction {
		if words := firstOf(m); len(lexicon.Asked(words)) > 0 && !lexicon.LooksLikeCode(words) {
			return authorsAbout{words}
		}
		return nil
	},
	"lines":  func(m []string) instruction { return counts{"lines", placeIn(m)} },
	"unused": func(m []string) instruction { return counts{"unused", placeIn(m)} },
	"compare": func(m []string) instruction {
		for i := 0; i+1 < len(m); i += 2 {
			if m[i] != "" {
				return compareOf(m[i : i+2])
			}
		}
		return nil
	},
	"marks":        func([]string) instruction { return allMarks },
	"used as":      usedAs,
	"uses that":    func(m []string) instruction { return usedAs([]string{m[1], m[0], ""}) },
	"mark":         markOf,
	"grep":         grepFor,
	"imports":      importsOf,
	"held back":    func(m []string) instruction { return heldBack{lexicon.Bare(m[0])} },
	"outline of":   outlineOf,
	"folder":       folderOf,
	"ls":           func(m []string) instruction { return namedFolder([]string{"", m[0]}) },
	"folder named": namedFolder,
	"largest":      func([]string) instruction { return largest{} },
	"longest":      func(m []string) instruction { return longestOf([]string{m[0] + m[2], m[1]}) },
	"exported by":  exportedBy,
	"which one":    func([]string) instruction { return talk{"which one"} },
	"undo":         func([]string) instruction { return talk{"undo"} },
	"setup":        func([]string) instruction { return talk{"setup"} },
}

// versionOf asks for the version of a language, or of a dependency, that a project needs. Other words are a question
// for the search.
func versionOf(m []string) instruction {
	name := strings.ToLower(firstOf(m))
	switch {
	case name == "typescript": // a package, too
	case languages()[strings.TrimSuffix(name, ".js")], name == "c++", name == "c#", name == ".net", name == "dotnet":
		return fact{"language version"}
	case lexicon.Common[name] || wrapping()[name] || lexicon.Weak[name]:
		return nil
	}
	return grep{pattern: conventions.NamesDependency(name), said: "versions of " + name, include: slices.Concat(
		conventions.Manifests, conventions.LockedVersions), otherwise: question{}}
}

var languages = sync.OnceValue(func() map[string]bool { return lexicon.SetOf(lexicon.Languages) })

func doing(task string) func([]string) instruction {
	return func([]string) instruction { return howTo{task} }
}

// testsOfKind asks how the tests of one kind are run. The words of a question name none.
func testsOfKind(m []string) instruction {
	kind := strings.ToLower(firstOf(m))
	if lexicon.Common[kind] || wrapping()[kind] || lexicon.Weak[kind] || lexicon.Pronouns[kind] {
		return nil
	}
	return howTo{"test:" + kind}
}

func about(what string) func([]string) instruction {
	return func([]string) instruction { return fact{what} }
}

// asked returns what makes the instruction of a question.
func asked(asks string) func(m []string) instruction {
	if made := inventories[asks]; made != nil {
		return made
	}
	return newcomers[asks]
}

// parseNewcomer returns the newcomer's question in a message without courtesies, if any.
func parseNewcomer(message string) (instruction, bool) {
	for _, q := range slices.Concat(lexicon.Wordings, lexicon.Inventories, lexicon.Newcomers) {
		if m := q.Pattern.FindStringSubmatch(message); m != nil {
			if i := asked(q.Asks)(append(m[1:], "")); i != nil {
				return i, true
			}
		}
	}
	return nil, false
}

// firstOf returns the first word that was captured, "" if none was.
func firstOf(m []string) string {
	for _, word := range m {
		if word = strings.TrimSpace(word); word != "" {
			return lexicon.Bare(word)
		}
	}
	return ""
}

// placeIn returns the path that was captured, "" for the whole project, such as for "here".
func placeIn(m []string) string {
	if path := firstOf(m); !lexicon.Pronouns[strings.ToLower(path)] && !wrapping()[strings.ToLower(path)] {
		return path
	}
	return ""
}

// historyOf asks about the history of a path or a symbol. Other words are a question for the search.
func historyOf(about string) func([]string) instruction {
	return func(m []string) instruction {
		words := firstOf(m)
		of, ok := targetOf(words)
		switch {
		case ok && of.name != "" && lexicon.LooksLikeCode(words):
			return past{about: about, of: of}
		case ok && of.file != "", strings.ContainsAny(words, "/-") && !strings.Contains(words, " "):
			return past{about: about, of: target{file: strings.TrimSuffix(words, "/")}}
		case about == "commits":
			return commitsAbout(m)
		}
		return nil
	}
}

// commitsAbout asks for commits whose subjects have some words.
func commitsAbout(m []string) instruction {
	words := slices.DeleteFunc(lexicon.Asked(firstOf(m)), func(w string) bool {
		return lexicon.Weak[w] || lexicon.OfCommits[w]
	})
	if len(words) == 0 {
		return nil
	}
	commits := past{about: "commits", words: words}
	if len(m) > 1 && m[0] == "" { // when or why it came
		return inquiry{inquiries.Added{Words: words}, commits, commits}
	}
	return commits
}

// usedAs finds the places at which something is thrown, created or set. An ordinary word is a question for the search.
func usedAs(m []string) instruction {
	name := strings.Trim(lexicon.Bare(m[0]), "()")
	if !lexicon.LooksLikeCode(m[0]) || !lexicon.Address.MatchString(lexicon.CanonOf(name)) {
		return nil
	}
	parts := strings.Split(lexicon.CanonOf(name), "::")
	pattern, ok := conventions.PlacesThat(m[1], parts[len(parts)-1])
	if !ok {
		return nil
	}
	return grep{pattern: pattern, said: m[1] + " " + name, otherwise: relation{target{name: lexicon.CanonOf(name)},
		"references", true}}
}

// namedFolder takes a name that is called a folder by the words before it.
func namedFolder(m []string) instruction {
	dir := lexicon.Bare(m[1])
	if lexicon.Pronouns[strings.ToLower(dir)] || lexicon.FileName.MatchString(dir) ||
		lexicon.Common[strings.ToLower(dir)] {
		return nil
	}
	return folder{strings.TrimSuffix(dir, "/")}
}

// exportedBy takes the kind of what is exported, and the package.
func exportedBy(m []string) instruction {
	kind, pkg := m[0], m[1]
	if pkg == "" && len(m) > 3 {
		kind, pkg = m[2], m[3]
	}
	return exported{strings.Trim(pkg, "`\"'"), strings.HasPrefix(kind, "function")}
}
