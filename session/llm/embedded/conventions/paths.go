package conventions

import "ploke-lsp/internal/lazyregexp"

// Aside matches the paths of what goes along with a project, such as its examples and mocks.
var Aside = lazyregexp.New(`(?:^|/)(?:_?examples?|samples?|demos?|playground|contrib|` +
	`integration[-_]tests?|__mocks__|mocks?|bench\w*|fixtures?|deps|third_party|` +
	`vendor|dist|stress-test|tests?[-\w]*)/|(?:^|/)mocks?\.\w+$`)

// LibraryEntry matches the files in which libraries begin, by convention.
var LibraryEntry = lazyregexp.New(`(?:^|/)src/(?:lib\.rs|index\.[jt]sx?|[^/]+/__init__\.py)$|^[^/]+/__init__\.py$` +
	`|^(?:lib|index)\.[jt]s$|^doc\.go$|^lib/[^/]+\.(?:rb|ex)$`)

// DescribesWork matches the names of files and folders that say how a project is built and worked on.
var DescribesWork = lazyregexp.New(`(?i)^(?:architecture|contributing|development|developing|hacking|design|building` +
	`|build|agents|claude|internals|docs?|documentation)(?:\.(?:md|rst|txt|adoc))?$`)

// Reporting are the files that say where mistakes are reported.
var Reporting = []string{"/README*", "/SECURITY*", "/CONTRIBUTING*", "/.github/**", "/docs/*", "/package.json",
	"/pyproject.toml", "/Cargo.toml", "/setup.py", "/setup.cfg"}

// Declaring matches the files of declarations, which an implementation in another file goes with.
var Declaring = lazyregexp.New(`\.d\.[cm]?ts$|\.pyi$|\.mli$|\.rbi$`)

// Introductory matches the names of files about the use of a project, in lower case.
var Introductory = lazyregexp.New(`usage|quick_?-?start|getting|tutorial|intro|guide|changelog|changes|release`)
