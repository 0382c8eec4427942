package embedded

import (
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// newcomer is a question that everybody asks about a project, and whose answer is written in its files. Its pattern is
// one of [lexicon.NewQuestion].
type newcomer struct {
	pattern *lazyregexp.Regexp
	make    func(m []string) instruction
}

func newNewcomer(pattern string, make func(m []string) instruction) newcomer {
	return newcomer{lexicon.NewQuestion("", pattern).Pattern, make}
}

// newcomers are tried in this order.
var newcomers = []newcomer{
	newNewcomer(`(?:(?:what|which)(?: (?:python|package|pip|optional|available|the|are|is))* extras?|`+
		`(?:LIST)(?:(?:the|its|available|optional|pip|python|package|which|what|are) )*extras?|(?:what`+
		`|which)(?: \w+)? `+
		`(?:dependency|optional|extra) (?:groups?|dependencies|extras?|deps|requirements))(?: .*)?|(?:LIST)`+
		`(?:(?:which|what|are|the) )*(?:dependency groups|optional dependencies|peer dependencies)(?:`+
		` .*)?`, about("extras")),
	newNewcomer(`(?:can|could|may|does|do|will|would|is|are|should|has|must) .*\b(?:`+
		strings.Join(strings.Fields(lexicon.Languages), "|")+`)(?:\.?js)? ?(?:versions?`+
		` )?v?[<>=]*\d[\w.+]*(?:,? .*)?`,
		about("language version")),
	newNewcomer(`(?:what|which)(?: is the)?(?: minimum| lowest| oldest| supported| required| exact)* versions? of `+
		`(?:the )?`+
		`([\w.@/+#-]+?)(?: package| library| crate| gem| module)?(?: (?:do|does|is|are|should|must|has|will|can`+
		`|be|it|i|we|`+
		`this|the)\b.*)?|(?:what|which)(?: minimum| lowest| oldest)* ([\w.@/+#-]+?) versions? (?:do|does|is|are`+
		`|should|must|`+
		`has|will|can)\b.*|how (?:new|recent|old) an? ([\w.@/+#-]+?) .*`, versionOf),
	newNewcomer(`HOW(?:build|compile|install) and (?:run (?:the )?)?tests?PROJECT`, doing("build test")),
	newNewcomer(`HOW(?:build|compile|install) and (?:run|start)PROJECT`, doing("build run")),
	newNewcomer(`HOW(?:run|execute|start|launch)? ?(?:(?:the|all|my|unit|integration|e2e) )*(?:tests?|test suite|`+
		`test it)PROJECT|(?:test|testing) (?:commands?|instructions)`, doing("test")),
	newNewcomer(`HOW(?:run |use )?(?:the )?(?:lint|linters?|format|fmt|type ?check|check the style)PROJECT|(?:lint|`+
		`format) (?:commands?|instructions)`, doing("lint")),
	newNewcomer(`HOW(?:try|run|start|execute|launch|build)(?: (?:out|one|some|any|of|the|an?|its|your|these|those|`+
		`code))* `+
		`(?:examples?|samples?|demos?)(?: programs?| apps?| code)?(?: (?:in|of|from|here`+
		`|locally).*)?`, doing("example")),
	newNewcomer(`HOW(?:install|set ?up|add)PROJECT|(?:install|installation) (?:commands?|instructions|steps)`,
		doing("install")),
	newNewcomer(`HOW(?:build|compile)PROJECT|build (?:commands?|instructions|steps)`, doing("build")),
	newNewcomer(`HOW(?:run|execute|start|test|debug)?(?: (?:just|only|a|an|one|single|specific|individual`+
		`|particular|`+
		`the|of|`+
		`my|this|unit))*(?: ?(?:just|only|one|single|specific|individual|particular))(?: (?:specific|single`+
		`|particular|of|`+
		`the|unit|a))* tests?(?: (?:files?|cases?|functions?|class(?:es)?|methods?|modules?|packages?|suites?`+
		`|only|alone|`+
		`locally))*`, doing("single")),
	newNewcomer(`HOW(?:run|start|launch|execute|serve)PROJECT|(?:run|start) (?:commands?`+
		`|instructions)`, doing("run")),

	newNewcomer(`(?:(?:what|which|under what|under which|what is the|which is the|the|its|`+
		`is there an?) )*licen[cs]e(?:d|s)?(?: .*)?|(?:how|under what|under which license) is (?:it|this|`+
		`the project) licen[cs]ed|is (?:this|it|the project) open source`,
		about("license")),
	newNewcomer(`(?:(?:what|which|what is the|the|current|latest|newest|its) )*version(?: (?:number|is (?:this|it|`+
		`the project|\S+)(?: at| on)?|of (?:this|it|the (?:project|library|program))))*`, about("version")),
	newNewcomer(`LIST(?:(?:which|what|the|available|npm|package|make|makefile) )*(?:scripts|make targets|`+
		`makefile targets)(?: (?:are there|exist|can i run|does (?:it|this) have|of package\.json|in package\.json|`+
		`are available))*`, about("scripts")),
	newNewcomer(`LIST(?:(?:which|what|the|available|cargo|optional) )*(?:cargo|crate|optional|feature) (?:features?|`+
		`flags?)(?: .*)?|(?:what|which) features (?:does|has|can) .*(?:crate|cargo).*`, about("features")),
	newNewcomer(`LIST(?:(?:what|which|where|the|its|main|program|is|are) )*entry ?points?(?: .*)?|where does`+
		` (?:the |`+
		`this )?(?:program|app|application|execution|it|everything) (?:start|begin)`, about("entry points")),

	newNewcomer(`git (?:status|diff)|(?:show |list )?(?:me )?my (?:changes|edits)|(?:did|have) (?:i|we) (?:change`+
		`|changed|edit) `+
		`(?:anything|something)|what (?:did|have) (?:i|we) (?:just )?(?:change|changed|edit|edited)`,
		func([]string) instruction { return past{about: "uncommitted"} }),
	newNewcomer(`git log|change ?log|commits|history|what is new`,
		func([]string) instruction { return past{about: "commits"} }),
	newNewcomer(`(?:who (?:wrote|made|created|maintains|develops|owns)|git (?:blame|shortlog)|authors`+
		`|contributors)(?: (?:this|it))?`,
		func([]string) instruction { return past{about: "authors"} }),
	newNewcomer(`(?:what|which)(?: has| have| was)? ?(?:been )?(?:changed?|happened) (?:recently |lately |last`+
		` )?(?:in`+
		`|to|with) (?:the )?(?:file |folder |function |class |method )?(.+?)(?: recently| lately| last)?|`+
		`when (?:was|were|did) (?:the )?(?:file |folder |function |class |method )?(.+?) (?:last `+
		`|most recently )?(?:changed?|modified|touched|updated|edited|committed)(?: last)?|`+
		`(?:LIST)(?:(?:recent|latest|last|newest|\d+) )*(?:changes|commits|history|log) (?:of|in|to|for|on`+
		`|touching) (?:the )?(?:file |folder |function )?(.+?)|git log (\S+)`, historyOf("commits")),
	newNewcomer(`(?:(?:what|which|show|find|list|is|are|was|were|the|there|a|an|me|happened|did|in|happened in`+
		`|any) )*commits? (?:(?:is|was|that|which|did|do|does|about|for|with|mention|mentions|mentioned`+
		`|mentioning|on`+
		`|regarding|related to|concerning`+
		`|add|adds|added|fix|fixes|fixed|remove|removes|removed|introduce|introduces|introduced|change|changes`+
		`|changed`+
		`|touched|update|updated) )+(.+)|`+
		`(?:when|why) (?:was|were) (.+?) (?:added|introduced|removed|fixed|dropped|deprecated|renamed|bumped`+
		`|upgraded)`,
		commitsAbout),
	newNewcomer(`(?:who|(?:which|what) (?:people|persons?|developers?|authors?|contributors?)) (?:has |have`+
		` )?(?:wrote`+
		`|written|made|created|maintains|works on|worked on|owns|authored|last changed|changed|touched|edited`+
		`|modified`+
		`|knows|implemented|added|introduced)(?: most of)?(?: about)? (?:the )?(?:file |folder |function |class `+
		`|method )?(.+)|`+
		`(?:(?:who are|who is|list|show) )?(?:the )?(?:authors?|contributors?|maintainers?|owners?) (?:of|in`+
		`|to) (?:the )?(?:file |folder |function |class )?(.+)|git blame (\S+)|(?:who|whom) (?:do|can`+
		`|should) i ask about (.+)`, historyOf("authors")),

	newNewcomer(`(?:who|whom) (?:do|can|should|could) (?:i|we) (?:ask|talk to|contact) about (?:the )?(.+)|who `+
		`(?:wrote|maintains|`+
		`owns|works on|worked on|knows)(?: most)?(?: about)? (?:the )?(.+)`, func(m []string) instruction {
		if words := firstOf(m); len(lexicon.Asked(words)) > 0 && !lexicon.LooksLikeCode(words) {
			return authorsAbout{words}
		}
		return nil
	}),
	newNewcomer(`(?:how many|count(?: the| all)*|number of|total|what is the number of) lines(?: (?:of|are|code`+
		`|source`+
		`|there|does|do|have|has|is|this|the|it|project|in|repo|repository|[a-z+#]+|code ?base|total))*?(?:`+
		` (?:in|of|under`+
		`|below) (?:the )?(?:folder |directory )?(\S*/\S*))?|(?:s?loc|cloc|lines of code|code size)(?: by language`+
		`| per language)?(?: (?:in|of|under) (\S+))?|`+
		`how (?:big|large|long) is (?:this|the|it)(?: (?:project|code ?base|code|repo|repository))?|(?:what`+
		`|which) (?:programming )?languages? (?:is|are|does) .*(?:written|used|use)(?: in| here)?`,
		func(m []string) instruction { return counts{"lines", placeIn(m)} }),
	newNewcomer(`(?:(?:find|list|show|is there|are there|what is|which|what|any|me|all|the|are|there|is|look`+
		` for|detect`+
		`|search for|code) )*(?:unused|dead|unreferenced|uncalled|unreachable|orphaned)(?: (?:code|functions?`+
		`|methods?`+
		`|symbols?|types?|class(?:es)?|variables?|constants?|exports?|things?|here|and|or))*(?: (?:in|of|under`+
		`|below) (?:the )?(?:folder |file |package )?(\S+))?(?: (?:there|here|in this project|in the project))?|`+
		`(?:what|which)(?: functions?| code| symbols?| methods?| types?| class(?:es)?)? (?:is|are) (?:never|not`+
		`|no longer) (?:used|called|referenced)(?: (?:anywhere|any more|by anything))?(?: in (\S+))?`,
		func(m []string) instruction { return counts{"unused", placeIn(m)} }),
	newNewcomer(`(?:what is the |explain the |describe the |show the )?differences? (?:between|of) (?:the`+
		` )?(.+?) (?:and`+
		`|vs\.?|versus) (?:the )?(.+)|(?:compare) (?:the )?(.+?) (?:and|with|to|vs\.?|versus|against) (?:the )?(.+)`+
		`|how (?:does|do|is|are) (.+?) (?:differ|different) from (.+)|(\S+) (?:vs\.?|versus) (\S+?)(?:`+
		` \w+)?(?:[,:;?]? `+
		`.*\bdiffer\w*)?`,
		func(m []string) instruction {
			for i := 0; i+1 < len(m); i += 2 {
				if m[i] != "" {
					return compareOf(m[i : i+2])
				}
			}
			return nil
		}),

	newNewcomer(`(?:LIST|any )(?:(?:open|remaining|left|existing) )*(?:todo|fixme|hack|xxx)s?,? (?:and|or)`+
		` (?:todo|fixme`+
		`|hack|xxx)s?(?: comments| items| left| there| remaining| in .*)*`, func([]string) instruction {
		return grep{pattern: `\b(?:TODO|FIXME|HACK|XXX)S?\b`, said: "TODO, FIXME, HACK or XXX"}
	}),
	newNewcomer(`(?:where|how often|when)(?: is| are| do we| does it| does this| do they)? (?:an? `+
		`|the )?(\S+) (?:being )?(thrown|raised|created|instantiated|constructed|caught|handled|set|assigned`+
		`|returned)`,
		usedAs),
	newNewcomer(`where (?:do|does|is|are) (?:we|it|they|you|the code|this|one) (create|creating|throw|raise`+
		`|instantiate`+
		`|construct|catch|return|set|assign) (?:an? |the |new |any )*(\S+)(?: objects?| instances?| errors?|`+
		` exceptions?)?`,
		func(m []string) instruction { return usedAs([]string{m[1], m[0], ""}) }),
	newNewcomer(`(?:who|what|which (?:code|functions?|methods?))(?: code)? (throws?|raises?|creates?|instantiates?`+
		`|constructs?|catches|returns?|sets?|assigns?) (?:an? |the )?(\S+)`,
		func(m []string) instruction { return usedAs([]string{m[1], m[0], ""}) }),
	newNewcomer(`(?:LIST|any |there any )*(?:(?:open|remaining) )?(todo|fixme|hack|xxx)(?:'?s| comments| items|`+
		` lines)*(?: .*)?`, func(m []string) instruction {
		return grep{pattern: `\b` + strings.ToUpper(m[0]) + `S?\b`, said: strings.ToUpper(m[0])}
	}),
	newNewcomer(`(?:grep|rg)(?: for)? (?:-\w+ )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|\S+)`, grepFor),
	newNewcomer(`(?:search|look|find|where)(?: for| is)? (?:the |all )*(?:text |string |word |lines with |`+
		`occurrences of |todo )*("[^"]+"|'[^']+')(?: (?:written|mentioned|in the code))*`, grepFor),
	newNewcomer(`search for (todo|fixme)s?`, grepFor),
	newNewcomer(`(?:(?:what|who|which|how many)(?: files?| modules?| packages?| code)? (?:is |are )?(?:imports?`+
		`|importing|`+
		`pull(?:s|ing)? in|bring(?:s|ing)? in|requir(?:es|ing)|includ(?:es|ing))|(?:importers|imports) of) (?:the `+
		`|package |module |library )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[@<]?[a-z.][\w./@:>-]*)`, importsOf),

	newNewcomer(`(?:show|print|open|read|cat|display|explain|describe|summari[sz]e|outline|what(?: is|'s|s| does)?)`+
		`(?: me)?(?: the| all)*(?: contents?)?(?: (?:in|inside|of))?(?: the)?(?: file)? (["'`+"`"+`]?(?:\S*/)?`+
		`\.env(?:\.(?:local|development|production|test|staging))?["'`+"`"+`]?)(?: contain| say| hold)?`,
		func(m []string) instruction { return heldBack{lexicon.Bare(m[0])} }),
	newNewcomer(`(?:LIST)(?:an? )?(?:names of (?:the |all )*)?(?:outline|symbols|functions|methods|types|classes|`+
		`declarations|tests?|test cases|test functions|functions and types)(?: (?:are|is|there|defined`+
		`|declared))* OF `+
		`(`+lexicon.PathPattern+`)`, outlineOf),
	newNewcomer(`(?:summari[sz]e|describe|outline|give an overview of) (?:the )?(?:file )?(`+
		lexicon.PathPattern+`)`, outlineOf),
	newNewcomer(`(?:what|which) (?:functions|methods|types|symbols|classes) (?:are |is |does )?(?:there |defined |`+
		`declared )?(?:in |inside )?(`+lexicon.PathPattern+`)(?: have| define| declare| contain)?`, outlineOf),
	newNewcomer(`(?:what is|what are|list|show|ls|what does)(?: me)?(?: the| all)*(?: files| contents?)?(?:`+
		` (?:are|is`+
		`|do i find))?(?: (?:in|inside|of|`+
		`below|under))? (?:the )?(folder |directory )?("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[\w@.-]*/?[\w@./-]*\w/?)(?: (folder|directory|contain))?`, folderOf),
	newNewcomer(`ls (\S+)`, func(m []string) instruction { return namedFolder([]string{"", m[0]}) }),
	newNewcomer(`how (?:much|many lines of) code (?:is|are)(?: there)? (?:in|under|below) (?:the )?(?:folder )?(\S+)`,
		func(m []string) instruction { return counts{"lines", placeIn(m)} }),
	newNewcomer(`(?:(?:what|which) )?files? (?:are )?(?:in|inside|of|under|below|does) (?:the )?(folder `+
		`|directory )?("[^"]+"|'[^']+'|`+"`[^`]+`"+`|[\w@.-]*/?[\w@./-]*\w/?)(?: (folder|directory|contain|have))?`,
		namedFolder),
	newNewcomer(`(?:LIST)(?:(?:what|which|the|are|is|\d+|top) )*(?:largest|biggest|`+
		`longest) (?:source )?files?(?: .*)?|(?:which|what) (?:source )?files? (?:is|are) (?:the )?(?:largest`+
		`|biggest`+
		`|longest)(?: (?:ones?|here|there|(?:in|of|by) .*))?`, func([]string) instruction { return largest{} }),
	newNewcomer(`(?:LIST)(?:(?:what|which|the|are|is|\d+|top) )*(?:largest|biggest|longest) (functions?|methods?|`+
		`class(?:es)?|structs?|types?)(?: (?:are there|here|by lines|by size|by length|(?:in|of|under) `+
		`(?:(?:the|this|whole|project|code ?base|repo|code|folder|file) ?)*(\S*[./]\S*)?))*|(?:which|what)`+
		` (functions?|`+
		`methods?|class(?:es)?|structs?|types?) (?:is|are|has|have) (?:the )?(?:largest|biggest|`+
		`longest|most lines)(?: (?:ones?|here|there))?`,
		func(m []string) instruction { return longestOf([]string{m[0] + m[2], m[1]}) }),
	newNewcomer(`LIST(?:what |which )?(?:exported|public|exports|api)(?: (symbols?|functions?|types?|classes|names|`+
		`api|items|constants|methods))?(?: are there| exist)? OF (\S+?)(?: package| module| crate|`+
		` folder)?`, exportedBy),
	newNewcomer(`(?:what|which) (?:exported |public )(symbols?|functions?|types?|classes|names|constants|methods`+
		`|api) (?:does|do) (?:the )?(?:package |module |crate |folder )?(\S+?) (?:package |module |crate`+
		` )?(?:have|export`+
		`|offer|provide|define|contain)|`+
		`what (symbols |functions |types )?does (?:the )?(?:package |module |crate )?(\S+?)(?: package| module`+
		`| crate)? export`, exportedBy),

	newNewcomer(`(?:please )?(?:explain|describe|summari[sz]e|what does|what is) (?:this|that|the (?:selected|`+
		`current)) (`+lexicon.KindPattern+`|code|file|line|selection|snippet|method)(?: do| does| for| mean)?`+
		`|(?:explain|`+
		`describe)(?: (?:this|that|it)(?: to me)?)?|what does (?:this|that) do`,
		func([]string) instruction { return talk{"which one"} }),
	newNewcomer(`(?:undo|revert|discard|cancel|take back)(?: (?:that|this|it|the|last|your|change|changes|edit`+
		`|edits|`+
		`proposal|rename|everything))*|take (?:that|it) back`, func([]string) instruction { return talk{"undo"} }),
	newNewcomer(`(?:HOW)(?:set ?up|configure|connect|use|add|choose|select|change|switch|enable|`+
		`get)(?: to)?(?: (?:an?|the|another|my|own|local|language|other))* (?:models?|llm|api key|key|ai|provider|`+
		`openai|claude|ollama|anthropic|gemini)(?: .*)?|set ?up a model`,
		func([]string) instruction { return talk{"setup"} }),
}

// versionOf asks for the version of a language, or of a dependency, that a project needs. Other words are a question
// for the search.
func versionOf(m []string) instruction {
	name := strings.ToLower(firstOf(m))
	switch {
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

func about(what string) func([]string) instruction {
	return func([]string) instruction { return fact{what} }
}

// parseNewcomer returns the newcomer's question in a message without courtesies, if any.
func parseNewcomer(message string) (instruction, bool) {
	for _, asked := range lexicon.Inventories {
		if m := asked.Pattern.FindStringSubmatch(message); m != nil {
			if i := inventories[asked.Asks](append(m[1:], "")); i != nil {
				return i, true
			}
		}
	}
	for _, n := range newcomers {
		if m := n.pattern.FindStringSubmatch(message); m != nil {
			if i := n.make(append(m[1:], "")); i != nil {
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
	return past{about: "commits", words: words}
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
