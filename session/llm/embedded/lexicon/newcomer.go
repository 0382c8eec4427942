package lexicon

import "strings"

// testKinds captures the word for the tests of one kind: any but those for all, for one or for those of units.
const testKinds = `((?:integration|e2e|regression|smoke|functional|acceptance|system|fuzz|property|browser|` +
	`performance|slow|fast|deno|node|bun|lambda|workerd|cloudflare|python|rust|js|go|java|php|ruby|wasm|c|cpp|ui|gui|` +
	`api|cli|end-to-end|doc|types?|stress|load|conformance|compat)|[\w.+]+-[\w.+-]+)`

// Newcomers are the questions that everybody asks about a project, and whose answers are written in its files. They are
// tried in this order.
var Newcomers = []Question{
	NewQuestion("extras", `(?:(?:what|which)(?: (?:python|package|pip|optional|available|the|are|is))* extras?|`+
		`(?:LIST)(?:(?:the|its|available|optional|pip|python|package|which|what|are) )*extras?|(?:what`+
		`|which)(?: \w+)? `+
		`(?:dependency|optional|extra) (?:groups?|dependencies|extras?|deps|requirements))(?: .*)?|(?:LIST)`+
		`(?:(?:which|what|are|the) )*(?:dependency groups|optional dependencies|peer dependencies)(?:`+
		` .*)?`),
	NewQuestion("language version", `(?:can|could|may|does|do|will|would|is|are|should|has|must) .*\b(?:`+
		strings.Join(strings.Fields(Languages), "|")+`)(?:\.?js)? ?(?:versions?`+
		` )?v?[<>=]*\d[\w.+]*(?:,? .*)?`),
	NewQuestion("version of", `(?:what|which)(?: is the)?(?: minimum| lowest| oldest| supported| required|`+
		` exact)* versions? of `+
		`(?:the )?`+
		`([\w.@/+#-]+?)(?: package| library| crate| gem| module)?(?: (?:do|does|is|are|should|must|has|will|can`+
		`|be|it|i|we|`+
		`this|the)\b.*)?|(?:what|which)(?: minimum| lowest| oldest)* ([\w.@/+#-]+?) versions? (?:do|does|is|are`+
		`|should|must|`+
		`has|will|can)\b.*|how (?:new|recent|old) an? ([\w.@/+#-]+?) .*`),
	NewQuestion("modules", `(?:(?:what|which|how many|list|show|name|are there|what are|which are)(?: me)?(?: `+
		`(?:all|the|different|of|maven|gradle|cargo|npm|pnpm|yarn|bun|go|rust|java|kotlin|workspace|sub|build|several`+
		`|any))*) `+
		`(?:modules?|sub-?modules|crates|packages|workspaces|sub-?projects|workspace members|members)`+
		`(?: (?:does|do|are|is|there|in|the|this|it|maven|gradle|cargo|npm|pnpm|workspace|build|project|repo|repository|`+
		`monorepo|have|has|contain|contains|consist|of|here|exist|made|up|reactor|multi-module|that|make|belong|to|part|`+
		`defined|declared|listed))*`),
	NewQuestion("mention", `(?:should|can|could|may|must|do|would) (?:i|we|one|you) (?:still |even |also |really`+
		` )*(?:use|run|`+
		`build|deploy|install|embed) \S+(?: \w+)? (?:on|in|with|under|for|from|inside|without|alongside) (.+)|`+
		`(?:does|will|can|would) \S+ (?:also |even |already )*(?:work|run|compile|build|integrate|play nice|play well)`+
		`(?: well| fine| properly)? (?:on|in|with|under|for|from|inside|without) (.+)|(?:does|will|can) \S+ support (.+)|`+
		`is \S+ (?:supported|compatible|available|usable|recommended|suitable|safe|meant|ok|okay|good)(?: to use)? `+
		`(?:on|in|with|under|for) (.+)|is (\S+) supported(?: .*)?`),
	NewQuestion("lint", `(?:is|are) there (?:an? |any )?(?:linter|formatter|linters|formatters|code style|style checker|`+
		`type ?checker|linting|lint)(?: (?:here|set ?up|configured|used|in (?:this|the) \w+|and .*))*|(?:what|which) `+
		`(?:linter|formatter|code style|type ?checker|linters|formatters)s?(?: (?:do|does|is|are|we|you|they|it|this|the|`+
		`project|repo|use|uses|used|run|runs|here|need|have))*|(?:do|does) (?:we|you|it|this|the project) (?:have|use) `+
		`(?:an? )?(?:linter|formatter|type ?checker)`),
	NewQuestion("analyse", `HOW(?:run |do |perform |use |start |execute )?(?:the |an? `+
		`|some )*(?:static (?:code )?|code )`+
		`anal\w+(?: tools?)?PROJECT|HOWstatically (?:anal\w+|check)PROJECT|(?:is|are) there (?:an? `+
		`|any )?static (?:code )?`+
		`anal\w+(?: .*)?|static anal\w+ commands?|HOW(?:run |use |start |execute )(?:the )?(?:phpstan|psalm|phan|pyright|`+
		`staticcheck|dialyzer|detekt|spotbugs|cppcheck)PROJECT`),
	NewQuestion("lint", `HOW(?:check|verify|enforce|fix|test|run)(?: (?:for|the|my|our|this|project'?s|code`+
		`|coding|source))* `+
		`(?:code ?style|style|formatting|coding (?:standards?|style)|style (?:guide|check(?:er|s)?)|lint(?:ing|er)?)`+
		`(?: (?:errors?|issues?|problems?|violations?|mistakes?|warnings?|complaints?))?PROJECT`),
	NewQuestion("release", `HOW(?:make|do|cut|create|publish|ship|prepare|release|build)(?: (?:an?|the|new`+
		`|next|official))* `+
		`(?:releases?|version)(?: of (?:it|this|the \w+))?|HOW(?:release|publish) (?:it|this|the (?:project`+
		`|package|library|`+
		`crate|gem|module|app))(?: to \w+)?|how (?:is|are|does|do) (?:an? |the |new |we )*(?:releases?|release|versions?) `+
		`(?:made|done|published|cut|created|shipped|work)|release (?:process|commands?|instructions|steps|checklist)`),
	NewQuestion("snapshot", `HOW(?:update|refresh|regenerate|accept|review|record|re-?record`+
		`|rebuild)(?: (?:the|all|my|test`+
		`|its|failing|our|jest|vitest|insta|tests?'?))* (?:snapshots?|golden(?: files?)?)(?: tests?| files?)?PROJECT`),
	NewQuestion("tests of a kind", `HOW(?:run|execute|start|launch)(?: (?:only|just|the|all|my|our|of))* `+testKinds+
		` tests?(?: suite| only| alone)?PROJECT`),
	NewQuestion("build and test", `HOW(?:build|compile|install) and (?:run (?:the )?)?tests?PROJECT`),
	NewQuestion("build and run", `HOW(?:build|compile|install) and (?:run|start)PROJECT`),
	NewQuestion("test", `HOW(?:run|execute|start|launch)? ?(?:(?:the|all|my|unit|integration|e2e) )*(?:tests?`+
		`|test suite|`+
		`test it)PROJECT|(?:test|testing) (?:commands?|instructions)`),
	NewQuestion("lint", `HOW(?:run |use )?(?:the )?(?:lint|linters?|format|fmt|type ?check|check the`+
		` style)PROJECT|(?:lint|`+
		`format) (?:commands?|instructions)`),
	NewQuestion("example", `HOW(?:try|run|start|execute|launch|build)(?: (?:out|one|some|any|of|the|an?|its`+
		`|your|these|those|`+
		`code))* `+
		`(?:examples?|samples?|demos?)(?: programs?| apps?| code)?(?: (?:in|of|from|here`+
		`|locally).*)?`),
	NewQuestion("demo", `HOW(?:run|start|try|launch|execute|see|play with|build) (?:the |this |an? )?([\w./-]+)`+
		` (?:demo|example|sample|`+
		`tutorial|benchmark demo)s?(?: (?:app|program|code))?`),
	NewQuestion("develop", `HOWGETIT (?:for|to start|to begin|to) (?:local |active )?(?:development|develop|developing`+
		`|hack|hacking|contribute|contributing|coding|dev)(?: .*)?|HOWGETIT (?:dev|development|developer|local)(?: \w+)? `+
		`(?:environment|env|set-?up)(?: .*)?|HOW(?:start|begin|get started|get going)(?: with)? (?:developing|hacking`+
		`|development|coding)(?: .*)?|HOW(?:set ?up|bootstrap)(?: the| this| my)? (?:repo|repository|project|code ?base`+
		`|workspace|checkout|clone)(?: .*)?|HOWset (?:the |this |my )?(?:repo|repository|project|code ?base|workspace`+
		`|checkout|clone|it|everything|this) up(?: locally| here)?|(?:the )?(?:dev|development|developer|local)`+
		`(?: environment| env)? set ?up(?: instructions| guide| steps)?|what (?:do|should|must) i (?:(?:need|have) to )?`+
		`(?:do|run|install|need)(?: first| next)? (?:after (?:cloning|a fresh clone|checking (?:it )?out|(?:i )?`+
		`clon(?:e|ing|ed))|(?:to|for) (?:develop|hack|development|work on)).*`),
	NewQuestion("install", `HOW(?:install|set ?up|get|fetch|download|restore)(?: (?:the|all|its|dev|development`+
		`|test|project|`+
		`python|npm|required|needed|build|runtime))* (?:dependencies|deps|requirements|packages|environment|env)`+
		`(?: for (?:development|tests|testing))?`),
	NewQuestion("install", `HOW(?:install|set ?up|add)PROJECT|(?:install|installation) (?:commands?`+
		`|instructions|steps)`),
	NewQuestion("build", `HOW(?:build|compile)PROJECT|build (?:commands?|instructions|steps)`),
	NewQuestion("tests of a kind", `HOW(?:run|execute|start|launch)(?: (?:the|all|my|our))* `+
		`(?:(?:only|just)(?: (?:the|all|my|our|of))* (unit) ?tests|(unit) ?tests (?:only|alone))PROJECT`),
	NewQuestion("single", `HOW(?:run|execute|start|test|debug)?(?: (?:just|only|a|an|one|single|specific|individual`+
		`|particular|`+
		`the|of|`+
		`my|this|unit))*(?: ?(?:just|only|one|single|specific|individual|particular))(?: (?:specific|single`+
		`|particular|of|`+
		`the|unit|a))* tests?(?: (?:files?|cases?|functions?|class(?:es)?|methods?|modules?|packages?|suites?`+
		`|only|alone|`+
		`locally))*`),
	NewQuestion("run", `HOW(?:run|start|launch|execute|serve)PROJECT|(?:run|start) (?:commands?`+
		`|instructions)`),
	NewQuestion("license", `(?:(?:what|which|under what|under which|what is the|which is the|the|its|`+
		`is there an?) )*licen[cs]e(?:d|s)?(?: .*)?|(?:how|under what|under which license) is (?:it|this|`+
		`the project) licen[cs]ed|is (?:this|it|the project) open source`),
	NewQuestion("version", `(?:(?:what|which|what is the|the|current|latest|newest|its) )*version(?: (?:number`+
		`|is (?:this|it|`+
		`the project|\S+)(?: at| on)?|of (?:this|it|the (?:project|library|program))))*`),
	NewQuestion("scripts", `LIST(?:(?:which|what|the|available|npm|package|make|makefile) )*(?:scripts|make targets|`+
		`makefile targets)(?: (?:are there|exist|can i run|does (?:it|this) have|of package\.json|in package\.json|`+
		`are available))*`),
	NewQuestion("features", `LIST(?:(?:which|what|the|available|cargo|optional) )*(?:cargo|crate|optional`+
		`|feature) (?:features?|`+
		`flags?)(?: .*)?|(?:what|which) features (?:does|has|can) .*(?:crate|cargo).*`),
	NewQuestion("entry points", `(?:where|in which file|in what file) does (?:the )?\S+ (?:command|cli|binary`+
		`|executable|program|app)`+
		` (?:start|begin|live)(?: executing| running)?|(?:what|which)(?: (?:function|file|code|line)s?)? (?:runs?|is run`+
		`|is executed|starts?|gets `+
		`executed|is called)(?: first)? when (?:i|you|one) (?:run|type|call|start) (?:the )?\S+(?: command)?`+
		`|LIST(?:(?:what|which|where|the|its|main|program|is|are) )*entry ?points?(?:`+
		` .*)?|where does`+
		` (?:the |`+
		`this )?(?:program|app|application|execution|it|everything) (?:start|begin)`),
	NewQuestion("uncommitted", `git (?:status|diff)|(?:show |list )?(?:me )?my (?:changes|edits)|(?:did|have)`+
		` (?:i|we) (?:change`+
		`|changed|edit) `+
		`(?:anything|something)|what (?:did|have) (?:i|we) (?:just )?(?:change|changed|edit|edited)`),
	NewQuestion("commits", `git log|change ?log|commits|history|what is new`),
	NewQuestion("authors", `(?:who (?:wrote|made|created|maintains|develops|owns)|git (?:blame|shortlog)|authors`+
		`|contributors)(?: (?:this|it))?`),
	NewQuestion("commits of", `(?:what|which)(?: has| have| was)? ?(?:been )?(?:changed?|happened) (?:recently `+
		`|lately |last`+
		` )?(?:in`+
		`|to|with) (?:the )?(?:file |folder |function |class |method )?(.+?)(?: recently| lately| last)?|`+
		`who (?:has )?(?:last |most recently )(?:changed|modified|touched|updated|edited|committed to) (?:the )?(?:file `+
		`|folder |function |class |method )?(.+?)(?:,? and why)?|who (?:has )?(?:changed|modified|touched|updated|edited) `+
		`(?:the )?(?:file |folder |function |class |method )?(.+?) (?:last|most recently)(?:,? and why)?|`+
		`when (?:was|were|did) (?:the )?(?:file |folder |function |class |method )?(.+?) (?:last `+
		`|most recently )?(?:changed?|modified|touched|updated|edited|committed)(?: last)?|`+
		`(?:LIST)(?:(?:recent|latest|last|newest|\d+) )*(?:changes|commits|history|log) (?:of|in|to|for|on`+
		`|touching) (?:the )?(?:file |folder |function )?(.+?)|git log (\S+)`),
	NewQuestion("commits about", `(?:(?:what|which|show|find|list|is|are|was|were|the|there|a|an|me|happened`+
		`|did|in|happened in`+
		`|any) )*commits? (?:(?:is|was|that|which|did|do|does|about|for|with|mention|mentions|mentioned`+
		`|mentioning|on`+
		`|regarding|related to|concerning`+
		`|add|adds|added|fix|fixes|fixed|remove|removes|removed|introduce|introduces|introduced|change|changes`+
		`|changed`+
		`|touched|update|updated) )+(.+)|`+
		`(?:when|why) (?:was|were) (.+?) (?:added|introduced|removed|fixed|dropped|deprecated|renamed|bumped`+
		`|upgraded)|(?:which|what) (?:version|release) (?:added|introduced|removed|fixed|dropped|deprecated) (.+)`+
		`|(?:in|since|from|by) (?:which|what) (?:version|release) (?:is|was|were|are|has|does|did)(?: it| there)?`+
		`(?: support)? (.+?)(?: been)?(?: added| introduced| available| supported| removed| dropped| fixed| deprecated`+
		`| there)?|since when (?:does it`+
		`|is|are|has|have)(?: there| it)?(?: support| have)? (.+?)(?: supported| available| there)?`),
	NewQuestion("authors of", `(?:who|(?:which|what) (?:people|persons?|developers?|authors?|contributors?))`+
		` (?:has |have`+
		` )?(?:wrote`+
		`|written|made|created|maintains|works on|worked on|owns|authored|last changed|changed|touched|edited`+
		`|modified`+
		`|knows|implemented|added|introduced)(?: most of)?(?: about)? (?:the )?(?:file |folder |function |class `+
		`|method )?(.+)|`+
		`(?:(?:who are|who is|list|show) )?(?:the )?(?:authors?|contributors?|maintainers?|owners?) (?:of|in`+
		`|to) (?:the )?(?:file |folder |function |class )?(.+)|git blame (\S+)|(?:who|whom) (?:do|can`+
		`|should) i ask about (.+)`),
	NewQuestion("whom to ask", `(?:who|whom) (?:do|can|should|could) (?:i|we) (?:ask|talk to|contact) about`+
		` (?:the )?(.+)|who `+
		`(?:wrote|maintains|`+
		`owns|works on|worked on|knows)(?: most)?(?: about)? (?:the )?(.+)`),
	NewQuestion("lines", `(?:in )?(?:what|which) (?:programming )?languages?(?: (?:is|are|was) (?:it|this|that|they|the `+
		`(?:code|project))(?: (?:written|coded|made|programmed|in))*)?`),
	NewQuestion("lines", `(?:how many|count(?: the| all)*|number of|total|what is the number of) lines(?: (?:of`+
		`|are|code`+
		`|source`+
		`|there|does|do|have|has|is|this|the|it|project|in|repo|repository|typescript|javascript|coffeescript`+
		`|powershell|(?-i:[A-Za-z]?[a-z+#]+|[A-Z+#]+)|code ?base|total))*?`+
		`(?:,? (?:by|per|for each|of each|in each) (?:programming )?language)?(?: (?:in|of|under`+
		`|below) (?:the )?(?:folder |directory )?(\S*/\S*))?|(?:s?loc|cloc|lines of code|code size)(?: by language`+
		`| per language)?(?: (?:in|of|under) (\S+))?|`+
		`how (?:big|large|long) is (?:this|the|it)(?: (?:project|code ?base|code|repo|repository))?|(?:what`+
		`|which) (?:programming )?languages? (?:is|are|does) .*(?:written|used|use)(?: in| here)?`),
	NewQuestion("lines", `(?:wie ?viele (?:code-?)?zeilen|combien de lignes|cu[aá]ntas l[ií]neas|quantas linhas|`+
		`quante righe)[^./]*|[^./]*(?:多少行|几行|何行)[^./]*`),
	NewQuestion("unused", `(?:(?:find|list|show|is there|are there|what is|which|what|any|me|all|the|are|there`+
		`|is|look`+
		` for|detect`+
		`|search for|code) )*(?:unused|dead|unreferenced|uncalled|unreachable|orphaned)(?: (?:code|functions?`+
		`|methods?`+
		`|symbols?|types?|class(?:es)?|variables?|constants?|exports?|things?|here|and|or))*(?: (?:in|of|under`+
		`|below) (?:the )?(?:folder |file |package )?(\S+))?(?: (?:there|here|in this project|in the project))?|`+
		`(?:what|which)(?: functions?| code| symbols?| methods?| types?| class(?:es)?)? (?:is|are) (?:never|not`+
		`|no longer) (?:used|called|referenced)(?: (?:anywhere|any more|by anything))?(?: in (\S+))?`),
	NewQuestion("compare", `(?:what is the |explain the |describe the |show the )?differences? (?:between|of) (?:the`+
		` )?(.+?) (?:and`+
		`|vs\.?|versus) (?:the )?(.+)|(?:compare) (?:the )?(.+?) (?:and|with|to|vs\.?|versus|against) (?:the )?(.+)`+
		`|how (?:does|do|is|are) (.+?) (?:differ|different) from (.+)|(\S+) (?:vs\.?|versus) (\S+?)(?:`+
		` \w+)?(?:[,:;?]? `+
		`.*\bdiffer\w*)?`),
	NewQuestion("marks", `(?:LIST|any )(?:(?:open|remaining|left|existing) )*(?:todo|fixme|hack|xxx)s?,? (?:and|or)`+
		` (?:todo|fixme`+
		`|hack|xxx)s?(?: comments| items| left| there| remaining| in .*)*`),
	NewQuestion("used as", `(?:where|how often|when)(?: is| are| do we| does it| does this| do they)? (?:an? `+
		`|the )?(\S+) (?:being )?(thrown|raised|created|instantiated|constructed|caught|handled|set|assigned`+
		`|returned)`),
	NewQuestion("uses that", `where (?:do|does|is|are) (?:we|it|they|you|the code|this|one) (create|creating`+
		`|throw|raise`+
		`|instantiate`+
		`|construct|catch|return|set|assign) (?:an? |the |new |any )*(\S+)(?: objects?| instances?| errors?|`+
		` exceptions?)?`),
	NewQuestion("uses that", `(?:who|what|which (?:code|functions?|methods?))(?: code)? (throws?|raises?`+
		`|creates?|instantiates?`+
		`|constructs?|catches|returns?|sets?|assigns?) (?:an? |the )?(\S+)`),
	NewQuestion("mark", `(?:LIST|any |there any )*(?:(?:open|remaining) )?(todo|fixme|hack|xxx)(?:'?s| comments`+
		`| items|`+
		` lines)*(?: .*)?`),
	NewQuestion("grep", `(?:grep|rg)(?: for)? (?:-\w+ )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|\S+)`),
	NewQuestion("grep", `(?:search|look|find|where)(?: for| is)? (?:the |all )*(?:text |string |word |lines with |`+
		`occurrences of |todo )*("[^"]+"|'[^']+')(?: (?:written|mentioned|in the code))*`),
	NewQuestion("grep", `search for (todo|fixme)s?`),
	NewQuestion("grep", `(?:find|list|show|search for|where is)(?: me)? (?:everything|all|anything|all (?:the )?\w+|code|`+
		`what)(?: that| which)?(?: is| are)? (?:marked|tagged|annotated)(?: (?:as|with))? (@?[\w.-]+)`),
	NewQuestion("imports", `(?:(?:what|who|which|how many)(?: files?| modules?| packages?| code)? (?:is |are`+
		` )?(?:imports?`+
		`|importing|`+
		`pull(?:s|ing)? in|bring(?:s|ing)? in|requir(?:es|ing)|includ(?:es|ing))|(?:importers|imports) of) (?:the `+
		`|package |module |library )*("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[@<]?[a-z.][\w./@:>-]*)`),
	NewQuestion("held back", `(?:show|print|open|read|cat|display|explain|describe|summari[sz]e|outline|what(?:`+
		` is|'s|s| does)?)`+
		`(?: me)?(?: the| all)*(?: contents?)?(?: (?:in|inside|of))?(?: the)?(?: file)? (["'`+"`"+`]?(?:\S*/)?`+
		`\.env(?:\.(?:local|development|production|test|staging))?["'`+"`"+`]?)(?: contain| say| hold)?`),
	NewQuestion("outline of", `(?:LIST)(?:an? )?(?:names of (?:the |all )*)?(?:outline|symbols|functions`+
		`|methods|types|classes|`+
		`declarations|tests?|test cases|test functions|functions and types)(?: (?:are|is|there|defined`+
		`|declared))* OF `+
		`(`+PathPattern+`)`),
	NewQuestion("outline of", `(?:summari[sz]e|describe|outline|give an overview of) (?:the )?(?:file )?(`+
		PathPattern+`)`),
	NewQuestion("outline of", `(?:what|which) (?:functions|methods|types|symbols|classes) (?:are |is |does`+
		` )?(?:there |defined |`+
		`declared )?(?:in |inside )?(`+PathPattern+`)(?: have| define| declare| contain)?`),
	NewQuestion("folder", `(?:what is|what are|list|show|ls|what does)(?: me)?(?: the| all)*(?: files|`+
		` contents?)?(?:`+
		` (?:are|is`+
		`|do i find))?(?: (?:in|inside|of|`+
		`below|under))? (?:the )?(folder |directory )?("[^"]+"|'[^']+'|`+"`[^`]+`"+`|`+
		`[\w@.-]*/?[\w@./-]*\w/?)(?: (folder|directory|contain))?`),
	NewQuestion("ls", `ls (\S+)`),
	NewQuestion("lines", `how (?:much|many lines of) code (?:is|are)(?: there)? (?:in|under|below) (?:the`+
		` )?(?:folder )?(\S+)`),
	NewQuestion("folder named", `(?:(?:what|which) )?files? (?:are )?(?:in|inside|of|under|below|does) (?:the`+
		` )?(folder `+
		`|directory )?("[^"]+"|'[^']+'|`+"`[^`]+`"+`|[\w@.-]*/?[\w@./-]*\w/?)(?: (folder|directory|contain|have))?`),
	NewQuestion("largest", `(?:LIST)(?:(?:what|which|the|are|is|\d+|top) )*(?:largest|biggest|`+
		`longest) (?:source )?files?(?: .*)?|(?:which|what) (?:source )?files? (?:is|are) (?:the )?(?:largest`+
		`|biggest`+
		`|longest)(?: (?:ones?|here|there|(?:in|of|by) .*))?`),
	NewQuestion("longest", `(?:LIST)(?:(?:what|which|the|are|is|\d+|top) )*(?:largest|biggest|longest)`+
		` (functions?|methods?|`+
		`class(?:es)?|structs?|types?)(?: (?:are there|here|by lines|by size|by length|(?:in|of|under) `+
		`(?:(?:the|this|whole|project|code ?base|repo|code|folder|file) ?)*(\S*[./]\S*)?))*|(?:which|what)`+
		` (functions?|`+
		`methods?|class(?:es)?|structs?|types?) (?:is|are|has|have) (?:the )?(?:largest|biggest|`+
		`longest|most lines)(?: (?:ones?|here|there))?`),
	NewQuestion("exported by", `LIST(?:what |which )?(?:exported|public|exports|api)(?: (symbols?|functions?`+
		`|types?|classes|names|`+
		`api|items|constants|methods))?(?: are there| exist)? OF (\S+?)(?: package| module| crate|`+
		` folder)?`),
	NewQuestion("exported by", `(?:what|which) (?:exported |public )(symbols?|functions?|types?|classes|names`+
		`|constants|methods`+
		`|api) (?:does|do) (?:the )?(?:package |module |crate |folder )?(\S+?) (?:package |module |crate`+
		` )?(?:have|export`+
		`|offer|provide|define|contain)|`+
		`what (symbols |functions |types )?does (?:the )?(?:package |module |crate )?(\S+?)(?: package| module`+
		`| crate)? export`),
	NewQuestion("which one", `(?:please )?(?:explain|describe|summari[sz]e|what does|what is) (?:this|that|the`+
		` (?:selected|`+
		`current)) (`+KindPattern+`|code|file|line|selection|snippet|method)(?: do| does| for| mean)?`+
		`|(?:explain|`+
		`describe)(?: (?:this|that|it)(?: to me)?)?|what does (?:this|that) do`),
	NewQuestion("undo", `(?:undo|revert|discard|cancel|take back)(?: (?:that|this|it|the|last|your|change`+
		`|changes|edit`+
		`|edits|`+
		`proposal|rename|everything))*|take (?:that|it) back`),
	NewQuestion("setup", `(?:HOW)(?:set ?up|configure|connect|use|add|choose|select|change|switch|enable|`+
		`get)(?: to)?(?: (?:an?|the|another|my|own|local|language|other))* (?:models?|llm|api key|key|ai|provider|`+
		`openai|claude|ollama|anthropic|gemini)(?: .*)?|set ?up a model`),
}
