package lexicon

import "ploke-lsp/internal/lazyregexp"

// Words of what everybody asks, for [SetOf]: what a question begins with, what a project is called, what it is written
// in, and so on.
const (
	Asking = "how what which command commands cmd cmds steps instructions way ways run runs running execute executes " +
		"executed launch start starts do explain tell use invoke process procedure recipe"
	Projects = "crate gem plugin extension project projects repo repos repository tool library lib program app " +
		"application " +
		"codebase thing stuff software package module here code framework product source sources"
	Languages = "python pythons go golang node nodejs java jdk jvm rust rustc ruby php kotlin swift elixir cmake " +
		"typescript " +
		"compiler language languages sdk"
	Testers = "pytest rspec minitest jest vitest mocha junit phpunit ctest nextest xunit nunit tox nox"
	Linters = "rubocop eslint prettier ruff flake8 mypy black pylint clippy rustfmt golangci gofmt checkstyle spotless " +
		"biome stylelint ktlint swiftlint phpcs credo clang-tidy clangformat precommit"
	Longest = "largest biggest longest huge hugest"
	Newest  = "last latest newest recent recently lately current new today yesterday week month newly past"
	Models  = "model models llm llms ai provider providers openai claude gpt chatgpt ollama anthropic gemini apikey"
)

// Keywords are words of languages whose uses are lines of text.
var Keywords = SetOf(`unsafe async await goto eval panic unwrap expect defer select chan yield lambda global nonlocal
	volatile synchronized typedef inline extern static dynamic reinterpret_cast const_cast instanceof typeof debugger var
	let any unknown never recover throw raise assert sizeof dyn impl lateinit suspend transient native strictfp`)

// OfLanguages are objects, modules and packages that languages bring along, as code names them.
var OfLanguages = SetOf(`console process window document navigator JSON Math Object Array Promise Reflect Symbol Date
	os sys re json logging time datetime itertools functools subprocess random shutil asyncio typing collections
	fmt log strings strconv errors ioutil bufio bytes atomic slices maps
	System Arrays Collections Objects std Kernel Process Environment Console Thread Convert`)

// Wanted are the methods of well-known interfaces of Go's standard library.
var Wanted = SetOf(`As Close Enabled Error Flush Format GoString Handle Header Height Is Len Less Lock MarshalBinary
	MarshalJSON MarshalText MarshalXML Name Next Open Pop Push Read ReadAt ReadByte ReadFrom ReadRune RoundTrip Scan Seek
	ServeHTTP Set Stat String Swap Sys Type Unlock UnmarshalBinary UnmarshalJSON UnmarshalText UnmarshalXML UnreadByte
	Unwrap Value WithAttrs WithGroup Write WriteAt WriteByte WriteHeader WriteString WriteTo`)

// OfAnyCode are words for parts of any program and for what they do, which say little about a place next to others.
var OfAnyCode = SetOf("class classes struct structs object objects module modules handle handles handled " +
	"handling implement implements implemented implementing implementation responsible manage manages managed logic " +
	"process processes processed support supports supported located defined called")

// OfProjects are the words of questions about a project as a whole.
var OfProjects = SetOf("what who how run execute build test project license version dependency author write " +
	"last " +
	"change library use source")

// OfCommits are words that say which commits, and not what they are about.
var OfCommits = SetOf("commit commits last few newest days weeks months week month today yesterday past " +
	"repo git lately recently recent")

// WellKnown are the words for files that many projects have, by the kind of these files.
var WellKnown = map[string]string{"ci": "ci", "cd": "ci", "continuous integration": "ci", "pipeline": "ci",
	"pipelines": "ci", "workflows": "ci", "github actions": "ci", "dockerfile": "docker", "docker": "docker",
	"dockerfiles": "docker", "container": "docker", "docs": "documentation", "documentation": "documentation",
	"manual": "documentation", "tests": "tests", "unit tests": "tests", "test": "tests", "test files": "tests",
	"examples": "examples", "example": "examples", "example code": "examples", "samples": "examples",
	"sample code": "examples", "demos": "examples", "demo": "examples", "benchmarks": "benchmarks",
	"changelog":     "changelog",
	"release notes": "changelog", "makefile": "makefile"}

// AsksCause reports whether a message asks for what goes wrong, which no search answers.
func AsksCause(message string) bool { return causes.MatchString(message) }

var causes = lazyregexp.New(`(?i)\bwhy\b.*\b(?:slow\w*|fast|broken|breaks?|wrong|fail\w*|crash\w*|hangs?|stuck` +
	`|leak\w*|not work\w*|` +
	`n[o']t (?:work|update|run|build|compile|start)\w*)\b`)

// Judged matches the qualities that a person asks about, by the words with which prose speaks of them.
var Judged = lazyregexp.New(`(?i)^(?:thread|go ?routine|memory|type|async|concurren\w*|production)?[- ]?(?:safe\w*|` +
	`ready|secure|fast|slow|stable|good|reliable|mature|efficient|scalable|idiomatic|buggy|maintained)$`)

// ForModels matches hints that speak of tools, their arguments and calls, or of what a model does next.
var ForModels = lazyregexp.New(`[a-z]_[a-z]|candidate|^send |\bcanon\b|\bargument|\bgo on\b|\buser\b|` +
	`\bcalls?\b|\bedits?\b|\bat: |\bread (?:it|the file) again`)

// AsksTests reports whether a question asks for files or classes of tests.
func AsksTests(message string) bool { return ofTests.MatchString(message) }

var ofTests = lazyregexp.New(`(?i)\btests?\b`)
