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
)

// concept is what a question asks, in whatever wording: its words have one of each group. It is about the project as a
// whole, and then all other words are what questions are made of; or about one thing that the question names, and then
// a few others may say more.
type concept struct {
	groups []map[string]bool
	means  instruction                // of the project
	about  func(t target) instruction // of a thing
}

func ofProject(i instruction, groups ...string) concept {
	return concept{groups: setsOf(groups), means: i}
}

func ofThing(about func(t target) instruction, groups ...string) concept {
	return concept{groups: setsOf(groups), about: about}
}

func setsOf(groups []string) (sets []map[string]bool) {
	for _, g := range groups {
		sets = append(sets, lexicon.SetOf(g))
	}
	return sets
}

// concepts are tried in this order. They are made when they are first needed, so that the start is short.
var concepts = sync.OnceValue(func() []concept {
	return []concept{
		ofProject(howTo{"test"}, "test tests testing tested suite specs unittests "+lexicon.Testers, lexicon.Asking),
		ofProject(howTo{"lint"}, "lint linter linters linting format formatter formatting style formatted "+
			lexicon.Linters, lexicon.Asking),
		ofProject(howTo{"example"}, "example examples sample samples demo demos", "run running start launch execute try"),
		ofProject(howTo{"build"}, "build builds compile compiles compiling compiled compilation building built",
			lexicon.Asking),
		ofProject(howTo{"install"}, "install installed installing installation installs", lexicon.Asking),
		ofProject(fact{"extras"}, "extra extras", "optional install pip which what list available python"),
		ofProject(howTo{"benchmark"}, "benchmark benchmarks bench benches benchmarking", lexicon.Asking),
		ofProject(howTo{"document"}, "docs documentation apidocs", "build builds building generate generates generated "+
			"generating render rendered"),
		ofProject(fact{"features"}, "features feature", "crate enable enabled toggle cargo optional flag flags activate "+
			"turned turn switched switch"),
		ofProject(featuresSection, "features capabilities highlights", "main key has have offer offers support supports "+
			"provide provides list what which"),
		ofProject(fact{"license"}, "license licences licenses licence licensed licenced licensing copyright"),
		ofProject(fact{"license"}, "open opensource free", "source opensource"),
		ofProject(fact{"language version"}, "version versions msrv release", lexicon.Languages+" minimum min msrv"),
		ofProject(fact{"language version"}, lexicon.Languages,
			"work works working support supports supported compatible require required requires need needs minimum min"),
		ofProject(newestSection, "changed changes new added news different", "version release changelog",
			"last latest newest recent current this new"),
		ofProject(newestSection, "changelog changelogs", "show open read see what where latest last"),
		ofProject(past{about: "releases"}, "release releases released tag tags",
			"when last latest newest recent all list date most"),
		ofProject(past{about: "releases"}, "releases tags", "which what exist many"),
		ofProject(fact{"version"}, "version release", "which what number current latest newest recent last"),
		ofProject(counts{"unused", ""}, "unused dead nobody never noone unreferenced uncalled orphaned unneeded",
			"function functions code method methods call calls called use uses used symbol symbols type types class "+
				"classes anything something constant constants variable variables name names stuff things"),
		ofProject(past{about: "authors"}, "author authors contributor contributors maintainer maintainers developer "+
			"developers people person wrote written created creator creators made maintains maintain owns owner owners "+
			"behind team",
			"who top main list most which biggest how many best"),
		ofProject(past{about: "uncommitted"}, "uncommitted unstaged untracked unsaved dirty modified pending committed "+
			"staged commited",
			"changes files change file anything what which work everything all edits tree"),
		ofProject(past{about: "commits"}, "commit commits change changes changed happened activity news history log "+
			"development", lexicon.Newest+" git few"),
		ofProject(past{about: "commits"}, "going happening happened", lexicon.Newest),
		ofProject(past{about: "commits"}, "new", "today yesterday week month recently lately recent latest last here "+
			"anything"),
		ofProject(dependencies{}, "dependencies dependency deps requirements"),
		ofProject(dependencies{}, "dependencies dependency deps requirements", "pull pulls bring brings get gets install"),
		ofProject(dependencies{}, "libraries libs lib packages crates gems modules frameworks",
			"uses use used need needs depend depends third external thirdparty required rely relies pull pulls import imports"),
		ofProject(fact{"modules"}, "modules crates subprojects packages members submodules subpackages",
			"which what list many all workspace"),
		ofProject(counts{"lines", ""}, "lines loc sloc line size", "many count code number total how"),
		ofProject(counts{"lines", ""}, "big large long huge", "how", "code codebase project repo it this source"),
		ofProject(counts{"lines", ""}, "language languages", "written programmed coded"),
		ofProject(guide{}, "contribute contributing contribution contributions patch patches pull pr guidelines conventions"),
		ofProject(longest{callables, ""}, lexicon.Longest, "function functions method methods"),
		ofProject(longest{classes, ""}, lexicon.Longest, "class classes struct structs type types"),
		ofProject(largest{}, "largest biggest longest huge hugest", "file files module modules"),
		ofProject(grep{pattern: `\b(?:TODO|FIXME|HACK|XXX)S?\b`, said: "TODO, FIXME, HACK or XXX"},
			"todo todos fixme fixmes"),
		ofProject(listed(conventions.EnvironmentLine, "reads of the environment"), "env environment", "var vars "+
			"variable variables"),
		ofProject(listed(conventions.FlagLine, "declarations of flags"), "flags flag switches options option arguments",
			"cli command terminal commandline accept accepts"),
		ofProject(listed(conventions.DeprecatedLine, "deprecated"), "deprecated obsolete deprecations"),
		ofProject(overview{}, "read reading learn learning understand understanding newcomer beginner onboarding "+
			"explore dive study studying look", "first begin beginning starting start should newcomer beginner new where"),
		ofProject(fact{"entry points"}, "entry entrypoint entrypoints"),
		ofProject(fact{"entry points"}, "main begin begins start starts boot boots",
			"point points where program execution function file"),
		ofProject(usageSection, "example examples usage quickstart tutorial", "show give simple minimal how use basic "+
			"quick where any code see"),
		ofProject(wellKnown["ci"], "ci pipeline pipelines workflows"),
		ofProject(wellKnown["docker"], "docker dockerfile dockerfiles"),
		ofProject(wellKnown["tests"], "test tests", "where located live folder directory files"),
		ofProject(talk{"setup"}, lexicon.Models, "setup set configure connect use add choose switch change enable "+
			"plug pick select another different local own how"),
		ofProject(talk{"self"}, lexicon.Models+" bot robot human", "you which your what"),
		ofProject(talk{"help"}, "you", "able capable help offer abilities answer ask questions understand"),
		ofProject(talk{"undo"}, "undo revert rollback"),
		ofProject(talk{"thanks"}, "thanks thank thx ty cheers appreciated helped helpful"),
		ofProject(overview{}, "purpose sentence summary overview about looking describe description goal idea "+
			"point what new explain summarize problem problems solve solves why introduce structure layout "+
			"architecture organized organised tour intro introduction summarise sum line lines sentences couple two "+
			"words paragraph", lexicon.Projects),

		ofThing(func(t target) instruction { return outline{t.file} },
			"outline summarize summarise summary gist describe list overview exported exports symbols functions types "+
				"classes methods structure contents contain contains declares declared defined everything"),
		ofThing(func(t target) instruction { return exported{pkg: cmp.Or(t.file, t.name)} },
			"export exports exported exporting public", "what which list show functions symbols api types everything all"),
		ofThing(func(t target) instruction { return folder{t.file} },
			"list show what in inside contents files ls contain contains content under"),
		ofThing(func(t target) instruction { return past{about: "authors", of: t} },
			"who author authors owner owners maintains blame", "wrote written author authors created made changed touched "+
				"edited owner owners maintains modified blame committed"),
		ofThing(func(t target) instruction { return past{about: "commits", of: t} },
			"history commits commit changed change changes modified touched edited log", "when last recent recently lately "+
				"history commits log git latest"),
		ofThing(related("tests"), "test tests tested covers cover covered coverage exercised unittests"),
		ofThing(related("implementers"), "implement implements implementing implementers implementations implementers "+
			"inherit inherits subclass subclasses extend extends derive derives derived satisfy satisfies overrides children"),
		ofThing(related("callers"), "call calls called calling caller callers invoke invokes invoked invoking callsites"),
		ofThing(related("references"), "use uses used using usage usages reference references referenced "+
			"references mention mentions mentioned depends depend relies needs import imports imported consumers somewhere"),
		ofThing(func(t target) instruction { return explain{target: t, brief: true, weak: true} },
			"defined define defines definition declared declaration located lives live where implemented signature source"),
		ofThing(func(t target) instruction { return explain{target: t, weak: true} },
			"explain describe what does mean means meaning purpose default value return returns throw throws raise raises "+
				"argument arguments args parameter parameters param params doc docs documentation understand"),
	}
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
var circumstance = lazyregexp.New(`(?i) (?:with|without|on|for|using|under|via|from|through|in) [\w -]{1,40}$`)

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
