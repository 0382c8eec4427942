package conventions

import "ploke-lsp/internal/lazyregexp"

// Aside matches the paths of what goes along with a project, such as its examples and mocks.
var Aside = lazyregexp.New(`(?:^|/)(?:_?examples?|samples?|demos?|playground|contrib|` +
	`integration[-_]tests?|__mocks__|mocks?|bench\w*|fixtures?|deps|third_party|` +
	`vendor|dist|stress-test|tests?[-\w]*)/|(?:^|/)mocks?\.\w+$`)

// Upkeep matches the paths of what maintains a project, such as scripts of its documentation.
var Upkeep = lazyregexp.New(`(?i)^(?:docs?|scripts?|tools?|ci|build|\.github|website)/|\.(?:sh|bash|ya?ml|md|rst)$`)

// Made matches the paths of what programs make, such as minified and generated files.
var Made = lazyregexp.New(`(?i)(?:^|/)(?:generated|highlighted|snapshots?|__snapshots__|testdata|node_modules|` +
	`vendored)/|[.-](?:min|bundle)\.\w+$|\.(?:pb|gen|generated|g)\.\w+$|` +
	`[_-](?:generated|pb2?(?:_grpc)?)\.\w+$|(?:^|/)(?:jquery[\w.-]*\.js|zz_generated[\w.]*)$`)

// IsLibrary reports whether a library begins in a file, by convention.
func IsLibrary(p string) bool {
	return libraryEntry.MatchString(p) && !Aside.MatchString(p) && !IsBuildScript(p)
}

var libraryEntry = lazyregexp.New(`(?:^|/)src/(?:lib\.rs|index\.[jt]sx?|[^/]+/__init__\.py)$|^[^/]+/__init__\.py$` +
	`|^(?:lib|index)\.[jt]s$|^doc\.go$|^lib/[^/]+\.(?:rb|ex)$`)

// LibraryFiles are the files that [IsLibrary] is asked of, and READMEs of folders for documentation, as search_text
// takes them.
var LibraryFiles = []string{"lib.rs", "index.js", "index.ts", "index.jsx", "index.tsx", "__init__.py", "/lib.js",
	"/lib.ts", "/doc.go", "/lib/*.rb", "/lib/*.ex", "/.github/README*", "/docs/README*", "/doc/README*"}

// DescribesWork matches the names of files and folders that say how a project is built and worked on.
var DescribesWork = lazyregexp.New(`(?i)^(?:architecture|contributing|development|developing|hacking|design` +
	`|building` +
	`|build|agents|claude|internals|docs?|documentation)(?:\.(?:md|rst|txt|adoc))?$`)

// Reporting are the files that say where mistakes are reported.
var Reporting = []string{"/README*", "/SECURITY*", "/CONTRIBUTING*", "/.github/**", "/docs/*", "/package.json",
	"/pyproject.toml", "/Cargo.toml", "/setup.py", "/setup.cfg"}

// Declaring matches the files of declarations, which an implementation in another file goes with.
var Declaring = lazyregexp.New(`\.d\.[cm]?ts$|\.pyi$|\.mli$|\.rbi$`)

// Introductory matches the names of files about the use of a project, in lower case.
var Introductory = lazyregexp.New(`usage|quick_?-?start|getting|tutorial|intro|guide|changelog|changes|release`)

// IsText reports whether a language is one of texts and settings rather than of programs.
func IsText(language string) bool { return texts[language] }

var texts = map[string]bool{"markdown": true, "rst": true, "restructuredtext": true, "asciidoc": true, "text": true,
	"json": true, "yaml": true, "toml": true, "xml": true, "html": true, "css": true, "scss": true, "ini": true,
	"svg": true}

// WellKnown are the files that a word in a question means: what they are called in an answer, and as search_text takes
// them.
var WellKnown = map[string]struct {
	Said  string
	Files []string
}{
	"ci": {"CI configuration", []string{"/.github/workflows/*", "/.gitlab-ci.yml", "/.circleci/*", "/.travis.yml",
		"/azure-pipelines*.yml", "/Jenkinsfile", "/appveyor.yml", "/.buildkite/*", "/.cirrus.yml", "/.drone.yml"}},
	"docker": {"Docker files", []string{"Dockerfile*", "*.dockerfile", "docker-compose*", "compose.y*ml",
		"Containerfile*"}},
	"documentation": {"documentation", []string{"/*.md", "/*.rst", "/docs/**/*.md", "/docs/**/*.rst", "/doc/**/*.md",
		"/doc/**/*.rst",
		"/docs/*.txt", "/website/**/*.md*"}},
	"tests": {"tests", []string{"*_test.*", "test_*", "*.test.*", "*.spec.*", "*Test.*", "*Tests.*", "**/tests/**",
		"**/test/**", "**/spec/**", "**/__tests__/**"}},
	"examples":   {"examples", []string{"**/examples/**", "**/example/**", "**/samples/**", "**/demo*/**", "*example*"}},
	"benchmarks": {"benchmarks", []string{"**/bench/**", "**/benches/**", "**/benchmarks/**", "*bench*"}},
	"changelog":  {"changelogs", Changelogs},
	"makefile":   {"makefiles", []string{"Makefile*", "GNUmakefile", "justfile", "*.mk"}},
}

// IsSource reports whether a file is written in a programming language, by its name.
func IsSource(p string) bool { return sourcePath.MatchString(p) }

var sourcePath = lazyregexp.New(`(?i)\.(?:bash|c|cc|clj|cljs|cpp|cs|cxx|dart|el|elm|erl|ex|exs|f90|fs|fsx|go` +
	`|groovy|` +
	`h|hh|hpp|hs|hxx|java|jl|js|jsx|kt|kts|l|lua|m|mjs|cjs|ml|mli|mm|mts|cts|nim|php|pl|pm|ps1|py|pyi|pyx|r|rb|rs|` +
	`scala|scm|sh|sql|svelte|swift|tcl|ts|tsx|v|vim|vue|y|zig|zsh)$`)

// Media matches the names of files that are no text: pictures, fonts, sounds, archives and the like.
var Media = lazyregexp.New(`(?i)\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|pdf|woff2?|ttf|otf|eot|mp[34]|webm|wav|` +
	`ogg|zip|t?gz|xz|bz2|7z|jar|wasm)$`)
