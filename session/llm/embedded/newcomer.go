package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// newcomer is a question that everybody asks about a project, and whose answer is written in its files. In a pattern
// HOW stands for the words before what one wants to do, OF for those before a path or a name, and PROJECT for the
// words that mean the whole project.
type newcomer struct {
	pattern *lazyregexp.Regexp
	make    func(m []string) instruction
}

func newNewcomer(pattern string, make func(m []string) instruction) newcomer {
	pattern = strings.NewReplacer(
		"HOW", `(?:how (?:to|do i|do we|do you|do they|can i|can we|can you|should i|would i|does one) |`+
			`what is the (?:command|way) to |(?:what|which) commands? do i (?:need|use|run) to |(?:commands?|steps|`+
			`instructions) (?:to|for) )`,
		"PROJECT", `(?:(?: (?:the|this|that|it|all|my|our|any|of|unit|integration|whole|entire|its|from|source|sources|`+
			`locally|project|repo|repository|code|code ?base|program|app|application|library|server|everything|tests?|suite|`+
			`linters?|style|types?|checks?|and|in|development|mode))*)`,
		"LIST", `(?:(?:list|show|print|give|find|count|get|what are|which are|where are|what is|are there|`+
			`how many)(?: me)?(?: (?:all|any|of|the))* )?`,
		" OF ", ` (?:of|in|from|for|inside) (?:the |file |folder |directory |package |module |crate )*`).Replace(pattern)
	return newcomer{lazyregexp.New(`(?is)^(?:` + pattern + `)$`), make}
}

// newcomers are tried in this order.
var newcomers = []newcomer{
	newNewcomer(`HOW(?:run|execute|start|launch)? ?(?:(?:the|all|my|unit|integration|e2e) )*(?:tests?|test suite|`+
		`test it)PROJECT|(?:test|testing) (?:commands?|instructions)`, doing("test")),
	newNewcomer(`HOW(?:run |use )?(?:the )?(?:lint|linters?|format|fmt|type ?check|check the style)PROJECT|(?:lint|`+
		`format) (?:commands?|instructions)`, doing("lint")),
	newNewcomer(`HOW(?:build|compile|install)PROJECT|(?:build|install|installation) (?:commands?|instructions|`+
		`steps)`, doing("build")),
	newNewcomer(`HOW(?:run|start|launch|execute|serve)PROJECT|(?:run|start) (?:commands?|instructions)`, doing("run")),

	newNewcomer(`(?:(?:what|which|under what|under which|what is the|which is the|the|its|`+
		`is there an?) )*licen[cs]e(?:d|s)?(?: .*)?|(?:how|under what|under which license) is (?:it|this|`+
		`the project) licen[cs]ed|is (?:this|it|the project) open source`,
		about("license")),
	newNewcomer(`(?:(?:what|which|what is the|the|current|latest|its) )*version(?: (?:number|is (?:this|it|`+
		`the project)|of (?:this|it|the (?:project|library|program))))*`, about("version")),
	newNewcomer(`LIST(?:(?:which|what|the|available|npm|package|make|makefile) )*(?:scripts|make targets|`+
		`makefile targets)(?: (?:are there|exist|can i run|does (?:it|this) have|of package\.json|in package\.json|`+
		`are available))*`, about("scripts")),
	newNewcomer(`LIST(?:(?:which|what|the|available|cargo|optional) )*(?:cargo|crate|optional|feature) (?:features?|`+
		`flags?)(?: .*)?|(?:what|which) features (?:does|has|can) .*(?:crate|cargo).*`, about("features")),
	newNewcomer(`LIST(?:(?:what|which|where|the|its|main|program|is|are) )*entry ?points?(?: .*)?|where does (?:the |`+
		`this )?(?:program|app|application|execution|it|everything) (?:start|begin)`, about("entry points")),

	newNewcomer(`LIST(?:open )?(todo|fixme|hack|xxx)(?:'?s| comments| items|`+
		` lines)*(?: .*)?`, func(m []string) instruction {
		return grep{pattern: `\b` + strings.ToUpper(m[0]) + `S?\b`, said: strings.ToUpper(m[0])}
	}),
	newNewcomer(`(?:grep|rg)(?: for)? (?:-\w+ )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|\S+)`, grepFor),
	newNewcomer(`(?:search|look|find|where)(?: for| is)? (?:the |all )*(?:text |string |word |lines with |`+
		`occurrences of |todo )*("[^"]+"|'[^']+')(?: (?:written|mentioned|in the code))*`, grepFor),
	newNewcomer(`search for (todo|fixme)s?`, grepFor),
	newNewcomer(`(?:(?:what|who|which|how many)(?: files?| modules?| packages?| code)? imports?|(?:importers|`+
		`imports) of|what requires|what includes) (?:the |package |module |library )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[@<]?[a-z.][\w./@:>-]*)`, importsOf),

	newNewcomer(`(?:LIST)(?:an? )?(?:outline|symbols|functions|methods|types|classes|declarations|`+
		`functions and types)(?: (?:are|is|there|defined|declared))* OF (`+path+`)`, outlineOf),
	newNewcomer(`(?:what|which) (?:functions|methods|types|symbols|classes) (?:are |is |does )?(?:there |defined |`+
		`declared )?(?:in |inside )?(`+path+`)(?: have| define| declare| contain)?`, outlineOf),
	newNewcomer(`(?:what is|what are|list|show|ls|what does)(?: the| all)*(?: files| contents?)?(?: (?:in|inside|of|`+
		`below|under))? (?:the )?(folder |directory )?("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[\w@.-]*/?[\w@./-]*\w/?)(?: (folder|directory|contain))?`, folderOf),
	newNewcomer(`(?:LIST)(?:(?:what|which|the|are|is|\d+) )*(?:largest|biggest|`+
		`longest) (?:source )?files?(?: .*)?`, func([]string) instruction { return largest{} }),
	newNewcomer(`LIST(?:what |which )?(?:exported|public|exports|api)(?: (?:symbols?|functions?|types?|classes|names|`+
		`api|items|constants))*(?: are there| exist)? OF (\S+?)(?: package| module| crate| folder)?`,
		func(m []string) instruction { return exported{strings.Trim(m[0], "`\"'")} }),

	newNewcomer(`(?:please )?(?:explain|describe|summari[sz]e|what does|what is) (?:this|that|the (?:selected|`+
		`current)) (`+kind+`|code|file|line|selection|snippet|method)(?: do| does| for| mean)?|(?:explain|`+
		`describe) (?:this|that|it)(?: to me)?|what does (?:this|that) do`,
		func([]string) instruction { return talk{"which one"} }),
	newNewcomer(`(?:undo|revert|discard|cancel|take back)(?: (?:that|this|it|the|last|your|change|changes|edit|edits|`+
		`proposal|rename|everything))*|take (?:that|it) back`, func([]string) instruction { return talk{"undo"} }),
	newNewcomer(`(?:HOW)(?:set ?up|configure|connect|use|add|choose|select|change|switch|enable|`+
		`get)(?: to)?(?: (?:an?|the|another|my|own|local|language|other))* (?:models?|llm|api key|key|ai|provider|`+
		`openai|claude|ollama|anthropic|gemini)(?: .*)?|set ?up a model`,
		func([]string) instruction { return talk{"setup"} }),
}

func doing(task string) func([]string) instruction {
	return func([]string) instruction { return howTo{task} }
}

func about(what string) func([]string) instruction {
	return func([]string) instruction { return fact{what} }
}

// parseNewcomer returns the newcomer's question in a message without courtesies, if any.
func parseNewcomer(message string) (instruction, bool) {
	for _, n := range newcomers {
		if m := n.pattern.FindStringSubmatch(message); m != nil {
			if i := n.make(append(m[1:], "")); i != nil {
				return i, true
			}
		}
	}
	return nil, false
}
