package embedded

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// intent is a question about the project as a whole, in whatever wording: it has a word of each group, and no word but
// these and what questions are made of.
type intent struct {
	groups []map[string]bool
	means  instruction
}

func newIntent(i instruction, groups ...string) intent {
	var sets []map[string]bool
	for _, g := range groups {
		sets = append(sets, lexicon.SetOf(g))
	}
	return intent{sets, i}
}

const (
	asking = "how what which command commands steps instructions way run runs running execute executes executed " +
		"launch start starts do explain tell"
	projects = "crate gem plugin extension project repo repository tool library program app application codebase thing " +
		"software package module " +
		"here code framework product"
	languages = "python go golang node nodejs java jdk jvm rust rustc ruby php kotlin swift elixir cmake typescript " +
		"compiler language languages sdk"
	newest = "last latest newest recent recently lately current new today yesterday week month newly"
)

// intents are tried in this order. They are made when they are first needed, so that the start is short.
var intents = sync.OnceValue(func() []intent {
	return []intent{
		newIntent(howTo{"test"}, "test tests testing suite specs pytest", asking),
		newIntent(howTo{"lint"}, "lint linter linters linting format formatter formatting style formatted", asking),
		newIntent(howTo{"build"}, "build builds compile compiles compiling building install installing installation", asking),
		newIntent(howTo{"benchmark"}, "benchmark benchmarks bench benchmarking benches", asking),
		newIntent(howTo{"document"}, "docs documentation apidocs", "build builds building generate generates generated "+
			"generating render rendered"),
		newIntent(fact{"features"}, "features feature", "enable enabled toggle cargo optional flag flags activate turned "+
			"turn switched switch"),
		newIntent(fact{"license"}, "license licence licensed licenced licensing copyright"),
		newIntent(fact{"language version"}, "version versions msrv release", languages+" minimum msrv"),
		newIntent(fact{"language version"}, languages,
			"work works working support supports supported compatible require requires need needs"),
		newIntent(past{about: "releases"}, "release releases released tag tags",
			"when last latest newest recent all list date most"),
		newIntent(past{about: "releases"}, "releases tags", "which what exist many"),
		newIntent(fact{"version"}, "version release", "which what number current latest newest recent last"),
		newIntent(counts{"unused", ""}, "unused dead nobody never noone unreferenced uncalled orphaned unneeded",
			"function functions code method methods call calls called use uses used symbol symbols type types class "+
				"classes anything constant constants variable variables name names"),
		newIntent(past{about: "authors"}, "author authors contributor contributors maintainer maintainers developer "+
			"developers people person wrote written created made maintains team",
			"who top main list most which biggest how many best"),
		newIntent(past{about: "uncommitted"}, "uncommitted unstaged untracked unsaved dirty modified pending committed "+
			"staged",
			"changes files change file anything what which work everything all edits tree"),
		newIntent(past{about: "commits"}, "commit commits change changes changed happened activity news history "+
			"development", newest),
		newIntent(past{about: "commits"}, "new", "today yesterday week month recently lately recent latest last here "+
			"anything"),
		newIntent(dependencies{}, "dependencies dependency libraries libs deps packages crates gems requirements",
			"testing tests development use uses used need needs depend depends third external required rely relies direct "+
				"any have its dependencies deps"),
		newIntent(fact{"modules"}, "modules crates subprojects packages members submodules",
			"which what list many all workspace"),
		newIntent(counts{"lines", ""}, "lines loc sloc line size", "many count code number total how"),
		newIntent(guide{}, "contribute contributing contribution contributions patch patches pull pr guidelines conventions"),
		newIntent(largest{}, "largest biggest longest huge", "file files"),
		newIntent(overview{}, "read reading learn learning understand understanding newcomer beginner onboarding explore "+
			"dive "+
			"studying look", "first begin starting start should newcomer beginner new"),
		newIntent(fact{"entry points"}, "entry main entrypoint entrypoints begin begins start starts",
			"point points where program execution"),
		newIntent(overview{}, "purpose sentence summary overview about looking describe description goal idea point what "+
			"new whats explain summarize problem problems solve solves why introduce structure layout architecture organized "+
			"organised", projects),
	}
})

// parseIntent returns the question about the project that the words of a message ask, if any. name is that of the
// project.
func parseIntent(message, name string) (instruction, bool) {
	if lexicon.LooksLikeCode(strings.NewReplacer("'", "", ".", "").Replace(message)) &&
		strings.ContainsAny(message, "`\"_()/#$@<>") {
		return nil, false
	}
	words := strings.FieldsFunc(strings.ToLower(message), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r)
	})
	for _, i := range intents() {
		if len(words) > 1 && i.asks(words, strings.ToLower(name)) {
			return i.means, true
		}
	}
	return nil, false
}

func (i intent) asks(words []string, name string) bool {
	for _, group := range i.groups {
		if !slices.ContainsFunc(words, func(w string) bool { return group[w] }) {
			return false
		}
	}
	plain := lexicon.SetOf(asking + " " + projects)
	return !slices.ContainsFunc(words, func(w string) bool {
		of := slices.ContainsFunc(i.groups, func(g map[string]bool) bool { return g[w] })
		return !of && !plain[w] && !unicode.IsDigit([]rune(w)[0]) && !lexicon.Common[w] && !lexicon.Fillers[w] && w != name
	})
}
