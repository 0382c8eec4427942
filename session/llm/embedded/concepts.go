package embedded

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// concept is what a question asks, in whatever wording: its words have one of each group. It is about the project as a
// whole, and then all other words are what questions are made of; or about one thing that the question names, and then
// a few others may say more.
type concept struct {
	groups []map[string]bool
	means  instruction                // of the project
	about  func(t target) instruction // of a thing
}

// ofProject has what concepts ask of the project as a whole that no wording in [lexicon.Newcomers] asks.
var ofProject = map[string]instruction{
	"benchmark":         howTo{"benchmark"},
	"document":          howTo{"document"},
	"strengths":         featuresSection,
	"releases":          past{about: "releases"},
	"unused of all":     counts{"unused", ""},
	"guide":             guide{},
	"longest functions": longest{results.Callables, ""},
	"longest classes":   longest{results.Classes, ""},
	"flags":             listed(conventions.FlagLine, "declarations of flags"),
	"ci":                wellKnown("ci"),
	"docker":            wellKnown("docker"),
	"tests":             wellKnown("tests"),
	"self":              talk{"self"},
	"help":              talk{"help"},
	"thanks":            talk{"thanks"},
}

// ofThing makes what concepts ask of one thing.
var ofThing = map[string]func(t target) instruction{
	"outline":      func(t target) instruction { return outline{t.file} },
	"exported":     func(t target) instruction { return exported{pkg: cmp.Or(t.file, t.name)} },
	"folder":       func(t target) instruction { return folder{t.file} },
	"authors":      func(t target) instruction { return past{about: "authors", of: t} },
	"commits":      func(t target) instruction { return past{about: "commits", of: t} },
	"tests":        related("tests"),
	"implementers": related("implementers"),
	"callers":      related("callers"),
	"references":   related("references"),
	"define":       func(t target) instruction { return explain{target: t, brief: true, weak: true} },
	"explain":      func(t target) instruction { return explain{target: t, weak: true} },
}

// concepts are [lexicon.Concepts]. They are made when they are first needed, so that the start is short.
var concepts = sync.OnceValue(func() (all []concept) {
	for _, c := range lexicon.Concepts {
		read := concept{}
		for _, g := range c.Groups {
			read.groups = append(read.groups, lexicon.SetOf(g))
		}
		switch {
		case c.OfIt:
			read.about = ofThing[c.Asks]
		case ofProject[c.Asks] != nil:
			read.means = ofProject[c.Asks]
		default:
			read.means = asked(c.Asks)([]string{"", ""})
		}
		all = append(all, read)
	}
	return all
})

func related(about string) func(t target) instruction {
	return func(t target) instruction { return relation{t, about, true} }
}

// vocabulary has the words of all concepts and of [lexicon.Asking].
var vocabulary = sync.OnceValue(func() map[string]bool {
	all := lexicon.SetOf(lexicon.Asking + " " + lexicon.Projects + " " + lexicon.Languages + " where who when " +
		"why explain describe rename replace delete remove create function class method difference between defined " +
		"declared implemented documentation config configuration error errors handled")
	for _, c := range concepts() {
		for _, g := range c.groups {
			for w := range g {
				all[w] = true
			}
		}
	}
	return all
})

// moreWords are the most words that a question about a thing may have next to those of its concept.
const moreWords = 2

// conceptOf returns what a message asks that no form matches. name is that of the project. A message that may instruct
// is only about the project as a whole.
func conceptOf(message, name string, ofThings bool) (instruction, bool) {
	bare, _ := parseNewcomer(lexicon.TaskAsked(message))
	if task, isTask := bare.(howTo); isTask {
		return task, true
	}
	if asked, ok := readConcept(lexicon.Expanded(message), name, ofThings); ok {
		return asked, true
	}
	if asked, ok := readConcept(lexicon.Plain(message), name, ofThings); ok {
		return asked, true
	}
	asked, ok := readConcept(circumstance.ReplaceAllString(lexicon.Plain(message), ""), name, false)
	_, task := asked.(howTo)
	return asked, ok && task
}

// circumstance matches how or where one wants to do something with a project, which its commands are asked for.
var circumstance = lazyregexp.New(`(?i) (?:with|without|on|for|using|under|via|from|through|in|before|befor` +
	`|after|when|prior to) [\w -]{1,40}$`)

func readConcept(message, name string, ofThings bool) (instruction, bool) {
	read := lexicon.Read(message, vocabulary())
	read.Named = slices.DeleteFunc(read.Named, func(n string) bool { return strings.EqualFold(n, name) })
	for _, c := range concepts() {
		switch {
		case c.means != nil && len(read.Named) == 0 && c.asks(read.Words, name, 0):
			return c.means, true
		case c.about != nil && ofThings && len(read.Named) == 1 && c.asks(read.Words, name, moreWords):
			if i := c.of(read.Named[0]); i != nil {
				return i, true
			}
		}
	}
	return nil, false
}

// of returns what is asked of a thing: of a file only what files have.
func (c concept) of(named string) instruction {
	t, ok := targetOf(named)
	isFile := ok && t.name == "" && t.line == 0
	if dir := lexicon.Bare(named); strings.Contains(dir, "/") && !isFile && !strings.ContainsAny(dir, ": ") {
		t, ok = target{file: strings.TrimSuffix(dir, "/")}, true
	}
	switch c.about(t).(type) {
	case past:
	case exported:
		ok = ok && !isFile
	case outline:
		ok = ok && isFile
	case folder:
		ok = ok && !isFile && t.file != "" && !strings.HasPrefix(t.file, "@")
	default:
		ok = ok && t.name != ""
	}
	if !ok {
		return nil
	}
	return c.about(t)
}

// asks reports whether words have one of each group, and at most some others that questions are not made of.
func (c concept) asks(words []string, name string, others int) bool {
	for _, group := range c.groups {
		if !slices.ContainsFunc(words, func(w string) bool { return group[w] }) {
			return false
		}
	}
	for _, w := range words {
		of := slices.ContainsFunc(c.groups, func(g map[string]bool) bool { return g[w] })
		if !of && !isWrapping(w) && w != strings.ToLower(name) {
			others--
		}
	}
	return others >= 0
}

// isWrapping reports whether a word says nothing about what is asked.
func isWrapping(word string) bool {
	return wrapping()[word] || lexicon.Common[word] || lexicon.Fillers[word] || unicode.IsDigit([]rune(word)[0])
}

var wrapping = sync.OnceValue(func() map[string]bool { return lexicon.SetOf(lexicon.Asking + " " + lexicon.Projects) })
