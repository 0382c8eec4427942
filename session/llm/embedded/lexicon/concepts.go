package lexicon

// Concept is what a question asks, in whatever wording: its words have one of each group.
type Concept struct {
	Asks   string
	OfIt   bool // it is about one thing that the question names, and not about the project as a whole
	Groups []string
}

// Concepts are tried in this order.
var Concepts = []Concept{
	{"test", false, []string{"test tests testing tested suite specs unittests " + Testers, Asking}},
	{"lint", false, []string{"lint linter linters linting format formatter formatting style formatted " +
		Linters, Asking}},
	{"example", false, []string{"example examples sample samples demo demos", "run running start launch execute try"}},
	{"build", false, []string{"build builds compile compiles compiling compiled compilation building built",
		Asking}},
	{"install", false, []string{"install installed installing installation installs", Asking}},
	{"extras", false, []string{"extra extras", "optional install pip which what list available python"}},
	{"benchmark", false, []string{"benchmark benchmarks bench benches benchmarking", Asking}},
	{"document", false, []string{"docs documentation apidocs", "build builds building generate generates generated " +
		"generating render rendered"}},
	{"features", false, []string{"features feature", "crate enable enabled toggle cargo optional flag flags activate " +
		"turned turn switched switch"}},
	{"strengths", false, []string{"features capabilities highlights", "main key has have offer offers support supports " +
		"provide provides list what which"}},
	{"license", false, []string{"license licences licenses licence licensed licenced licensing copyright"}},
	{"license", false, []string{"open opensource free", "source opensource"}},
	{"language version", false, []string{"version versions msrv release", Languages + " minimum min msrv"}},
	{"language version", false, []string{Languages,
		"work works working support supports supported compatible require required requires need needs minimum min"}},
	{"newest", false, []string{"changed changes new added news different", "version release changelog",
		"last latest newest recent current this new"}},
	{"newest", false, []string{"changelog changelogs", "show open read see what where latest last"}},
	{"releases", false, []string{"release releases released tag tags",
		"when last latest newest recent all list date most"}},
	{"releases", false, []string{"releases tags", "which what exist many"}},
	{"version", false, []string{"version release", "which what number current latest newest recent last"}},
	{"unused of all", false, []string{"unused dead nobody never noone unreferenced uncalled orphaned unneeded",
		"function functions code method methods call calls called use uses used symbol symbols type types class " +
			"classes anything something constant constants variable variables name names stuff things"}},
	{"authors", false, []string{"author authors contributor contributors maintainer maintainers developer " +
		"developers people person wrote written created creator creators made maintains maintain owns owner owners " +
		"behind team",
		"who top main list most which biggest how many best"}},
	{"uncommitted", false, []string{"uncommitted unstaged untracked unsaved dirty modified pending committed " +
		"staged commited",
		"changes files change file anything what which work everything all edits tree"}},
	{"commits", false, []string{"commit commits change changes changed happened activity news history log " +
		"development", Newest + " git few"}},
	{"commits", false, []string{"going happening happened", Newest}},
	{"commits", false, []string{"new", "today yesterday week month recently lately recent latest last here " +
		"anything"}},
	{"dependencies", false, []string{"dependencies dependency dependencys deps requirements"}},
	{"dependencies", false, []string{"dependencies dependency deps requirements", "pull pulls bring brings get gets install"}},
	{"dependencies", false, []string{"libraries libs lib packages crates gems modules frameworks",
		"uses use used need needs depend depends third external thirdparty required rely relies pull pulls import imports"}},
	{"modules", false, []string{"modules crates subprojects packages members submodules subpackages",
		"which what list many all workspace"}},
	{"files", false, []string{"lines loc sloc line size", "many count code number total how"}},
	{"files", false, []string{"big large long huge", "how", "code codebase project repo it this source"}},
	{"files", false, []string{"language languages", "written programmed coded"}},
	{"guide", false, []string{"contribute contributing contribution contributions patch patches pull pr guidelines conventions"}},
	{"longest functions", false, []string{Longest, "function functions method methods"}},
	{"longest classes", false, []string{Longest, "class classes struct structs type types"}},
	{"largest", false, []string{"largest biggest longest huge hugest", "file files module modules"}},
	{"marks", false, []string{"todo todos fixme fixmes"}},
	{"environment", false, []string{"env environment", "var vars " +
		"variable variables"}},
	{"flags", false, []string{"flags flag switches options option arguments",
		"cli command terminal commandline accept accepts"}},
	{"deprecated", false, []string{"deprecated obsolete deprecations"}},
	{"overview of all", false, []string{"read reading learn learning understand understanding newcomer beginner onboarding " +
		"explore dive study studying look", "first begin beginning starting start should newcomer beginner new where"}},
	{"entry points", false, []string{"entry entrypoint entrypoints"}},
	{"entry points", false, []string{"main begin begins start starts boot boots",
		"point points where program execution function file"}},
	{"usage", false, []string{"example examples usage quickstart tutorial", "show give simple minimal how use basic " +
		"quick where any code see"}},
	{"ci", false, []string{"ci pipeline pipelines workflows"}},
	{"docker", false, []string{"docker dockerfile dockerfiles"}},
	{"tests", false, []string{"test tests", "where located live folder directory files"}},
	{"setup", false, []string{Models, "setup set configure connect use add choose switch change enable " +
		"plug pick select another different local own how"}},
	{"self", false, []string{Models + " bot robot human", "you which your what"}},
	{"help", false, []string{"you", "able capable help offer abilities answer ask questions understand"}},
	{"undo", false, []string{"undo revert rollback"}},
	{"thanks", false, []string{"thanks thank thx ty cheers appreciated helped helpful"}},
	{"overview of all", false, []string{"purpose sentence summary overview about looking describe description goal idea " +
		"point what new explain summarize problem problems solve solves why introduce structure layout " +
		"architecture organized organised tour intro introduction summarise sum line lines sentences couple two " +
		"words paragraph", Projects}},
	{"outline", true, []string{"outline summarize summarise summary gist describe list overview exported exports symbols functions types " +
		"classes methods structure contents contain contains declares declared defined everything"}},
	{"exported", true, []string{"export exports exported exporting public", "what which list show functions symbols api types everything all"}},
	{"folder", true, []string{"list show what in inside contents files ls contain contains content under"}},
	{"authors", true, []string{"who author authors owner owners maintains blame", "wrote written author authors created made changed touched " +
		"edited owner owners maintains modified blame committed"}},
	{"commits", true, []string{"history commits commit changed change changes modified touched edited log", "when last recent recently lately " +
		"history commits log git latest"}},
	{"tests", true, []string{"test tests tested covers cover covered coverage exercised unittests"}},
	{"implementers", true, []string{"implement implements implementing implementers implementations implementers " +
		"inherit inherits subclass subclasses extend extends derive derives derived satisfy satisfies overrides children"}},
	{"callers", true, []string{"call calls called calling caller callers invoke invokes invoked invoking callsites"}},
	{"references", true, []string{"use uses used using usage usages reference references referenced " +
		"references mention mentions mentioned depends depend relies needs import imports imported consumers somewhere"}},
	{"define", true, []string{"defined define defines definition declared declaration located lives live where implemented signature source"}},
	{"explain", true, []string{"explain describe what does mean means meaning purpose default value return returns throw throws raise raises " +
		"argument arguments args parameter parameters param params doc docs documentation understand"}},
}
