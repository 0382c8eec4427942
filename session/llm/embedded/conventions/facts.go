package conventions

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Search is a search for a fact: the lines of a pattern in some files.
type Search struct {
	Pattern string
	Include []string // nil for all files
	Context int      // lines below a match that say it instead
	OfFile  int      // maximum number of matches of a file, 0 for all
}

// Facts are the searches for facts, the most certain first.
var Facts = map[string][]Search{
	"license": {{`(?i)^\s*"?licen[cs]e(?:-file)?"?\s*[:=]|permission is hereby granted, free of charge|apache license|` +
		`gnu (?:lesser |affero )?general public license|mozilla public license|` +
		`redistribution and use in source and binary|bsd \d-clause|the unlicense|isc license|^\s*(?:the )?mit license|` +
		`server side public license`,
		[]string{"/LICEN[CS]E*", "/COPYING*", "/UNLICENSE*", "/package.json", "/Cargo.toml", "/*/Cargo.toml",
			"/pyproject.toml", "/setup.cfg", "/composer.json", "/*.gemspec", "/pom.xml", "/README*"}, 0, 0}},
	"version": {
		{`(?i)^\s*"version":\s*"[\d.]|^version\s*=\s*["']?\d|^version_name\s*=|^__version__|<version>\d|^v?\d+\.\d[\w.-]*$|^dynamic\s*=.*\bversion\b|^AC_INIT\(|` +
			`^\s*(?i:project)\(.*\bVERSION\s+\d|^\s*version: ['"]v?\d`,
			[]string{"/package.json", "/packages/*/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml",
				"/setup.py", "/setup.cfg", "/VERSION*", "/version*",
				"/gradle.properties", "/build.gradle*", "/pom.xml", "/configure.ac", "/configure.in",
				"/CMakeLists.txt", "/meson.build", "/mix.exs", "/src/*/__init__.py", "/*/__init__.py", "/src/*/version*"}, 0,
			1},
		{`(?i)^\s*(?:export |pub |public |static |final |const |var |let |#\s*define )*\w*version\w*(?:\s*:?\s*[\w&' ` +
			`]*=)?\s*["'(]+v?\d+\.\d`,
			[]string{"*version.*", "/main.*", "/*.go", "/cmd/**", "/CMakeLists.txt", "/src/main.*", "!*test*"}, 0, 2},
		{ChangelogEntry, Changelogs, 0, 1}},
	"language version": {{`(?i)^requires-python|^go \d|^toolchain go|"(?:node|npm|pnpm|yarn|php)":\s*"|"packageManager"` +
		`|^rust-version|^channel\s*=|` +
		`(?:source|target)Compatibility|jvmTarget|JavaLanguageVersion|jvmToolchain|<(?:java\.version|jdk\.version|` +
		`maven\.compiler\.\w+|release|TargetFrameworks?)>|python_requires|[ "]-?-std=[\w+]+|c_std=|cpp_std=|` +
		`required_ruby_version|^ruby ["']|elixir: "|cmake_minimum_required|CMAKE_(?:CXX|C)_STANDARD|swift-tools-version` +
		`|(?:requires?|minimum)\b.*\b(?:java|jdk|python|go|node|rust|ruby|android|php|swift|gcc|clang)\b.*\d`,
		[]string{"/go.mod", "/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml", "/setup.py", "/setup.cfg",
			"/pom.xml", "/build.gradle*", "/*/build.gradle*", "/gradle/*.toml",
			"/Gemfile", "/*.gemspec", "/mix.exs", "/CMakeLists.txt", "/Package.swift", "*.csproj", "Directory.Build.props",
			"/Makefile", "/meson.build",
			"/rust-toolchain*", "/README*", "/composer.json"}, 0, 3},
		{`^(?:\w+ )?v?\d+(?:\.\d+)*$|^\s*"version":\s*"\d`, []string{"/global.json", "/.nvmrc", "/.node-version", "/.python-version", "/.ruby-version",
			"/.tool-versions"}, 0, 3},
		{`(?i)\b(?:drop|remov|end|require|minimum|support)\w*\b.*\b(?:python|node(?:\.js)?|go|java|jdk|ruby|php|rust` +
			`|elixir|kotlin|swift)\b[^.]{0,12}\d`, Changelogs, 0, 3}},
	"scripts": {{`^\s*"scripts":|^[A-Za-z][\w.-]*\s*:(?:[^=]|` +
		`$)`, []string{"/package.json", "/Makefile", "/justfile"}, 20, 0}},
	"features": {{`^\[features\]`, []string{"Cargo.toml"}, 20, 0}},
	"extras": {{`^\[(?:project\.optional-dependencies|dependency-groups|tool\.poetry\.extras|options\.extras_require|` +
		`features)\]|` +
		`^\s*extras_require\s*=|^\s*"(?:optional|peer)Dependencies":|^\s*"suggest":`,
		[]string{"/pyproject.toml", "/setup.cfg", "/setup.py", "/package.json", "/composer.json", "/Cargo.toml", "/*/Cargo.toml"},
		20, 0}},
}

// ChangelogEntry matches the heading of a version in a changelog.
const ChangelogEntry = `(?i)^(?:#+\s*)?(?:\[|version |v)?v?\d+\.\d[\w.-]*\]?(?:\s*[-–(:/].*|\s*)?$`

// Changelogs are the usual names of changelogs, as search_text takes them.
var Changelogs = []string{"/CHANGELOG*", "/CHANGES*", "/HISTORY*", "/NEWS*", "/RELEASES*", "/RELEASE_NOTES*",
	"/docs/CHANGELOG*", "/History*", "/Changes*", "/Changelog*", "/changelog*", "/docs/change*", "/docs/history*",
	"/docs/release*", "/doc/change*"}

// Keyed matches a line that gives a key a value.
var Keyed = lazyregexp.New(`^[\w-]+\s*=`)

// MakeTarget matches the line of a target of make.
var MakeTarget = lazyregexp.New(`^([A-Za-z][\w.-]*)\s*:(?:[^=]|$)`)

// EntriesOf returns the lines of a table up to its end.
func EntriesOf(lines []string) []string {
	for i, line := range lines {
		if strings.HasPrefix(line, "[") || strings.HasPrefix(strings.TrimSpace(line), "}") {
			return lines[:i]
		}
	}
	return lines
}

// Opens reports whether a line opens a table or an object whose entries follow, rather than to be an entry itself.
func Opens(line string) bool {
	line = strings.TrimRight(line, " ")
	return !MakeTarget.MatchString(line) && !Member.MatchString(line) &&
		(strings.HasPrefix(line, "[") || strings.HasSuffix(line, "{") || strings.HasSuffix(line, ":") ||
			strings.HasSuffix(line, "[") || strings.HasSuffix(line, "="))
}

// JoinLists puts the lines of a list behind the one that opens it. The others are empty then, so that each line keeps
// its number.
func JoinLists(lines []string) []string {
	joined, open := slices.Clone(lines), -1
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case open >= 0:
			joined[i], joined[open] = "", joined[open]+" "+line
			if strings.HasPrefix(line, "]") {
				joined[open] = listMarks.ReplaceAllString(joined[open], "$1$2")
				open = -1
			}
		case strings.HasSuffix(line, "["):
			open = i
		}
	}
	return joined
}

// listMarks matches the space and the comma that a list of several lines has within its brackets.
var listMarks = lazyregexp.New(`(\[) |,? (\])$`)

// licenses are the words by which a license is known.
var licenses = []struct{ words, name string }{
	{"permission is hereby granted, free of charge", "MIT"}, {"mit license", "MIT"}, {"apache license", "Apache"},
	{"affero", "AGPL"}, {"lesser general", "LGPL"}, {"general public license", "GPL"}, {"mozilla public", "MPL"},
	{"redistribution and use", "BSD"}, {"isc license", "ISC"}, {"unlicense", "Unlicense"}, {"server side " +
		"public", "SSPL"},
}

var apache2 = lazyregexp.New(`(?i)apache.*\b2\.0\b`)

// AsksForUse matches a question whether a license allows a use, and LicenseFile the names of the files with its text.
var (
	AsksForUse = lazyregexp.New(`(?i)\b(?:commercial\w*|compan(?:y|ies)|business|employer|at work|closed` +
		`|proprietary|sell|` +
		`products?|redistribute|allowed|may (?:i|we|my|one)|can (?:i|we|my))\b`)
	LicenseFile = lazyregexp.New(`(?i)^(?:un)?(?:licen[cs]e|copying)`)
)

// Licenses returns the names of the licenses whose words some lines have, each once.
func Licenses(lines []string) (names []string) {
	for _, line := range lines {
		for _, l := range licenses {
			if strings.Contains(strings.ToLower(line), l.words) {
				if l.name == "Apache" && apache2.MatchString(line) {
					l.name = "Apache 2.0"
				}
				if !slices.Contains(names, l.name) {
					names = append(names, l.name)
				}
				break
			}
		}
	}
	return names
}
