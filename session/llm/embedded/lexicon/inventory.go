package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Question is a wording of a question that everybody asks about a project, and a word for what it asks.
type Question struct {
	Asks    string
	Pattern *lazyregexp.Regexp
}

// NewQuestion makes a question of a pattern, in which HOW stands for the words before what one wants to do, OF for
// those before a path or a name, PROJECT for the words that mean the whole project, GETIT for those by which it is set
// up, and LIST for those that ask for a list.
func NewQuestion(asks, pattern string) Question {
	return Question{asks, lazyregexp.Of(func() string { return `(?is)^(?:` + ofQuestions.Replace(pattern) + `)$` })}
}

// ofQuestions replaces the words in capitals of a Question's pattern.
var ofQuestions = strings.NewReplacer(
	"HOW", `(?:how (?:to|do i|do we|do you|do they|can i|can we|can you|should i|would i|does one) |`+
		`what is the (?:command|way) to |(?:what|which) commands? do i (?:need|use|run) to |(?:commands?|steps|`+
		`instructions) (?:to|for) )`,
	"GETIT", `(?:set ?up|set|prepare|get|bootstrap|configure|install|create|build|start|begin)(?: (?:this|it|that|the`+
		`|my|an?|project|repo|repository|code|code ?base|everything|things?|up|machine|computer|environment|env|own|library`+
		`|app|local|started|ready|going|clone|checkout|work|working))*`,
	"PROJECT", `(?:(?: (?:the|this|that|it|all|my|our|any|of|unit|integration|whole|entire|its|from|source`+
		`|sources|`+
		`locally|project|repo|repository|code|code ?base|program|app|application|library|server|everything`+
		`|tests?|suite|`+
		`linters?|style|types?|checks?|and|in|development|mode|myself|here|on|machine|computer|linux|mac`+
		`|windows|up|a`+
		`|release|binary))*)`,
	"LIST", `(?:(?:list|show|print|give|find|count|get|what are|which are|where are|what is|are there|`+
		`how many)(?: me)?(?: (?:all|any|of|the))* )?`,
	" OF ", ` (?:of|in|from|for|inside) (?:the |file |folder |directory |package |module |crate`+
		` )*`)

// Inventories are questions for what there is of a kind: members, errors, tests, examples, sections of the prose. They
// are tried in this order, before those for commands and facts.
var Inventories = []Question{
	NewQuestion("package", `(?:explain|describe|summari[sz]e|about|overview of|purpose of|(?:what|how) (?:is`+
		`|does|do|can)|`+
		`what is the (?:purpose|point|role|job) of)(?: what| how)? (?:the )?("[^"]+"|'[^']+'|`+"`[^`]+`"+``+
		`|@?[a-z][\w./-]*) `+
		`(?:package|crate|module|folder|directory|library|subproject|workspace member)(?: (?:do|does|for|about`+
		`|contain|`+
		`contains|is|used|good|work|works))*`),
	NewQuestion("usage", `HOW(?:use|import|integrate|include|get started with|start with|start using|work with)`+
		` (?:this|the|`+
		`that|your) (?:library|package|crate|module|framework|api|sdk|gem|project|tool)(?: .*)?|(?:usage|quick`+
		` ?start|`+
		`getting started)(?: guide)?|(?:show|give)?(?: me)? ?(?:an? |some )?(?:simple |basic |minimal |usage |`+
		`code )*examples?(?: (?:code|program|usage|of how to use it|of (?:its|the) use|`+
		`please))*`),
	NewQuestion("adding", `HOW(?:add|include|get) (?:it|this)(?: \w+)? (?:to|in|into) (?:my|an?|our|the) (?:own`+
		` )?(?:project|app`+
		`|code|program)`),
	NewQuestion("new test", `HOW(?:write|add|create) (?:an? |new |some |more |unit )*tests?(?: for (?:it|this`+
		`|the project)| here)?`),
	NewQuestion("dependencies", `LIST(?:the )?(?:dependencies|deps|requirements) OF \S+ (?:crate|package|module`+
		`|gem|library|plugin)|`+
		`what does (?:the )?\S+ (?:crate|package|module|gem|library|plugin) depend on`),
	NewQuestion("files", `how many files (?:are there|does it have|has it)?(?: ?in (?:this|the) \w+)?`),
	NewQuestion("use", `how (?:do|can|should|would) i use it|how is it used`),
	NewQuestion("overview of all", `(?:(?:what is|give me|tell me) )?(?:the |an? )?(?:elevator pitch|tl;?dr`+
		`|gist)(?: of .*)?|i (?:just |`+
		`have just )?(?:cloned|downloaded|joined|checked out) .*`),
	NewQuestion("msrv", `(?:what(?:'?s| is)|which(?: is)?) (?:the )?(?:oldest|lowest|minimum|minimal|earliest) `+
		`(?:supported )?(?:rustc?|go|golang|python|node(?:\.?js)?|java|jdk|php|ruby)`+
		`(?: version| compiler| release)?(?: .*)?`),
	NewQuestion("msrv", `(?:what is )?(?:the |its )?(?:msrv|minimum supported \w+ version)`),
	NewQuestion("maintained", `is (?:this|it|the project|the library)(?: project| library`+
		`| repo)?(?: still)?(?: actively)? (?:maintained|`+
		`developed|alive|active|dead|abandoned)(?: anymore| any more)?`),
	NewQuestion("newest", `(?:what|which things?)(?: is|has| was| were| are| have)?(?: been)? (?:changed`+
		`|changes|new|`+
		`happened|added|fixed)(?: there)? (?:in|with|since) (?:the )?(?:last|latest|newest|most recent|current|`+
		`new) (?:release|version)|what is new in (?:this|the current) (?:version|release)|(?:show|open|`+
		`read)?(?: me)? ?(?:the )?(?:latest |newest |last )?(?:release notes|changelog|change log)(?: entry|`+
		` entries)?`),
	NewQuestion("files called", `(?:(?:is|are) there(?: any| an?)?|where(?: is| are| do i find| can i find)?`+
		`|which|what|list|`+
		`list all|show|show me|find|does (?:it|this|the project) (?:have|use)|do (?:we|you) have|has it got)(?: any|`+
		` an?)?(?: the| all| all the)? ((?:unit )?tests?(?: files)?|examples?(?: code)?|demos?|samples?(?: code)?|`+
		`demos|docs|documentation|manual|dockerfiles?|docker|ci|continuous integration|pipelines?|workflows|`+
		`github actions|benchmarks|changelog|release notes|makefile)(?: (?:is|are|there|used|located|kept|written|`+
		`stored|live|here|files?|set ?up|support|config(?:uration)?|in (?:this|the) \w+))*`),
	NewQuestion("example of", `(?:(?:is|are) there|where is|show me|have you got)(?: an?| any| the)? (?:example`+
		`|sample|`+
		`demo)(?: \w+){1,3}`),
	NewQuestion("declared", `(?:LIST)(?:(?:what|which|the|all|are|is|there|any|\d+) )*(structs|interfaces`+
		`|traits|class(?:es)|`+
		`enums|macros|constants|tests|unit tests|test cases)(?: (?:are|is|there|exist|declared|defined`+
		`|available|here|`+
		`it|does|do|this|the|project|library|have|has|we|in (?:this|the) \w+))*`),
	NewQuestion("makefile", `(?:what is in|what does|show|explain|describe|open)(?: me)? (?:the )?(?:make`+
		` ?file)(?: (?:do|`+
		`contain|for|offer|has|have))*`),
	NewQuestion("outline", `(?:how many|which|what) (?:functions|methods|types|symbols|classes) (?:does|do|has|`+
		`are (?:there )?in|are) (?:the )?(?:file )?(`+PathPattern+`)(?: have| define| declare| contain)?|`+
		`what does (`+PathPattern+`) (?:contain|define|declare|have|hold)`),
	NewQuestion("commercial", `(?:can|may|could|am|are|is|should) (?:i|we|one|you|(?:my|our|a|the|an) (?:company`+
		`|employer|team|startup|business|firm|boss))(?: allowed to)? (?:use|sell|fork|copy`+
		`|redistribute|`+
		`distribute|embed|ship|modify|include) \S+(?: \S+)?(?: .*)?(?:commercial\w*|closed|proprietary|at work|`+
		`compan(?:y|ies)|business|for free|freely|products?)(?: .*)?`),
	NewQuestion("deprecated", `(?:LIST|(?:(?:what|which|is|are|there|any|anything|functions?|methods?|apis?`+
		`|symbols?|features?|`+
		`things?|code|has been|have been|been|the|all|class(?:es)?|was|were|parts?) )*)(?:deprecated|obsolete|`+
		`deprecations?)(?: (?:functions?|methods?|apis?|symbols?|things?|code|features?|here|in (?:here|this|`+
		`the) .*))*`),
	NewQuestion("errors", `LIST(?:(?:what|which|custom|possible|the|types? of|kinds? of) )*(?:errors?`+
		`|exceptions?)(?: types?|`+
		` classes|class)?(?: (?:can|could|may|might|does|do|are|is|exist|be|it|this|the|project|library|crate`+
		`|package|`+
		`code|you|get|raise[sd]?|throw[sn]?|return(?:s|ed)?|defined?|there|here|declared|used|expect|i|we))+`),
	NewQuestion("environment", `LIST(?:(?:what|which|are|is|the|does|do|it|i|can|need|any|set|to|use|uses`+
		`|there) )*(?:environment|`+
		`env)[- ]?(?:variables?|vars?)(?: .*)?`),
	NewQuestion("keyword", `(?:(?:is|are|there|any|where|how|much|many|does|it|this|the|use|uses|used|project`+
		`|crate|library|`+
		`list|find|show|me|all|code|which|what|files?|functions?|places?|have|has|contain|contains|of|do|they|`+
		`we) )+(unsafe|prints?|eval|goto|throws?|raises?|catch|panics?!?|unwraps?|async|await|volatile|mutex(?:es)?|`+
		`goroutines?|threads?|recursion|reflection)(?: (?:code|blocks?|functions?|calls?|used|here|in here|anywhere|`+
		`there|are|is|exist|statements?|in (?:this|the) .*))*`),
	NewQuestion("members", `(?:(?:what|which|list|show|list all|what are) )?(?:the |all |struct |class |public`+
		` )*(methods?`+
		`|fields?|members?|`+
		`propert(?:y|ies)|attributes?|variants?|values?) (?:(?:are there|are|there|exist|is) )*(?:on|of|in|for|does|`+
		`do) (?:the |a |an )?(.+?)(?: have| has| define| offer| provide| contain)?|(.+?)(?:'s)? (methods|fields|`+
		`members|properties|attributes|variants)`),
	NewQuestion("offers", `what (?:can|could) (?:i|we|you|one) (?:call|do|use) (?:on|with) (?:the |a |an )?(.+)|`+
		`what does (?:the |a )?(.+?) (?:offer|provide|`+
		`support)`),
	NewQuestion("reporting", `(?:where|how)(?: do| can| should)? (?:i|we|one|you) (?:report|file|submit|raise|open|`+
		`disclose) (?:an? |the |any )?(?:security )?(?:bugs?|issues?|vulnerabilit(?:y|ies)|problems?)(?: .*)?|`+
		`where is the (?:issue|bug) tracker`),
	NewQuestion("long file", `how (?:long|large|big) is (?:the )?(?:file )?(`+PathPattern+`)|`+
		`how many lines (?:does|has|are in|`+
		`in) (?:the )?(?:file )?(`+
		PathPattern+`)(?: have| has)?`),
	NewQuestion("good for", `what(?: is| are)? (?:this|it) (?:good|used|useful|meant|intended|made) for|what`+
		` (?:would|could|`+
		`can) (?:i|one|you|we) (?:use (?:this|it) for|do with (?:this|it))|why (?:would|should) (?:i|one|anyone|we|`+
		`you) use (?:this|it)`),
	NewQuestion("running", `HOW(?:get|bring|have) (?:this|it|the \w+)(?: up and| up)? (?:running|started|to`+
		` (?:run|work)|`+
		`working)(?: .*)?`),
	NewQuestion("exported", `LIST(?:(?:what|which|the|all|is|are) )*(?:exported|public|exports)(?: (symbols?`+
		`|functions?|types?|`+
		`classes|names|api|items|constants|methods|interface))?(?: (?:are|there|exist|here|of (?:this|the)`+
		` (?:library|`+
		`package|project|crate|module)))*`),
	NewQuestion("shipped", `(?:what|which) (?:built-?in |default )?(\w+?)s? (?:ships?|comes?|(?:is|are)`+
		` (?:built[- ]in|`+
		`included|shipped|bundled|provided))(?: .*)?`),
	NewQuestion("kinds", `(?:what|which|list|list all|list the) (?:(?:kinds?|types?|sorts?|implementations?) of`+
		` (\w+?)s?|`+
		`(\w+?)s? (?:types?|kinds?|classes|implementations?|subclasses))(?: (?:are|is|there|exist|available`+
		`|supported|`+
		`defined|does|do|it|this|the|library|project|have|support|provide|offer|can|i|use))+`),
	NewQuestion("judge", `is (?:this|it|that|the (?:code|project|library|crate|package|app))(?: (?:code|project`+
		`|library|`+
		`crate|package|any|considered|really))* ([\w -]+?)(?: enough| for .*| to .*)?`),
}
