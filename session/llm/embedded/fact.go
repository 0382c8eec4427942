package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
)

// fact answers what a project's manifests and a few files at its top say.
type fact struct{ what string }

// factSearch is a search for a fact: the lines of a pattern in some files.
type factSearch struct {
	pattern string
	include []string // nil for all files
	context int      // lines below a match that say it instead
	ofFile  int      // maximum number of matches of a file, 0 for all
}

// facts are the searches for facts, the most certain first.
var facts = map[string][]factSearch{
	"license": {{`(?i)^\s*"?licen[cs]e(?:-file)?"?\s*[:=]|permission is hereby granted, free of charge|apache license|` +
		`gnu (?:lesser |affero )?general public license|mozilla public license|` +
		`redistribution and use in source and binary|bsd \d-clause|the unlicense|isc license|^\s*(?:the )?mit license|` +
		`server side public license`,
		[]string{"/LICEN[CS]E*", "/COPYING*", "/UNLICENSE*", "/package.json", "/Cargo.toml", "/*/Cargo.toml",
			"/pyproject.toml", "/setup.cfg", "/composer.json", "/*.gemspec", "/pom.xml"}, 0, 0}},
	"version": {
		{`(?i)^\s*"version":\s*"[\d.]|^version\s*=\s*["']?\d|^version_name\s*=|^__version__|<version>\d|^v?\d+\.\d[\w.-]*$`,
			[]string{"/package.json", "/packages/*/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml",
				"/setup.py", "/setup.cfg", "/VERSION*", "/version*",
				"/gradle.properties", "/build.gradle*", "/pom.xml", "/src/*/__init__.py", "/*/__init__.py", "/src/*/version*"}, 0,
			2},
		{`(?i)^\s*(?:export |pub |public |static |final |const |var |let |#\s*define )*\w*version\w*(?:\s*:?\s*[\w&' ` +
			`]*=)?\s*["'(]+v?\d+\.\d`,
			[]string{"*version.*", "/main.*", "/*.go", "/cmd/**", "/CMakeLists.txt", "/src/main.*", "!*test*"}, 0, 2},
		{changelogEntry, changelogs, 0, 1}},
	"language version": {{`(?i)^requires-python|^go \d|^toolchain go|"(?:node|npm|pnpm|yarn|php)":\s*"|"packageManager"` +
		`|^rust-version|^channel\s*=|` +
		`(?:source|target)Compatibility|jvmTarget|JavaLanguageVersion|jvmToolchain|<(?:java\.version|maven\.compiler\.\w+` +
		`|release|TargetFramework)>|python_requires|` +
		`required_ruby_version|^ruby ["']|elixir: "|cmake_minimum_required|CMAKE_(?:CXX|C)_STANDARD|swift-tools-version` +
		`|^v?\d+(?:\.\d+)*$|(?:requires?|minimum)\b.*\b(?:java|python|go|node|rust|ruby|android)\b.*\d`,
		[]string{"/go.mod", "/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml", "/setup.py", "/setup.cfg",
			"/pom.xml", "/build.gradle*", "/*/build.gradle*", "/gradle/*.toml",
			"/Gemfile", "/*.gemspec", "/mix.exs", "/CMakeLists.txt", "/Package.swift", "/*.csproj", "/.nvmrc", "/.node-version",
			"/.python-version", "/.ruby-version", "/.tool-versions",
			"/rust-toolchain*", "/README*", "/composer.json"}, 0, 3}},
	"scripts": {{`^\s*"scripts":|^[A-Za-z][\w.-]*\s*:(?:[^=]|` +
		`$)`, []string{"/package.json", "/Makefile", "/justfile"}, 20, 0}},
	"features": {{`^\[features\]`, []string{"Cargo.toml"}, 20, 0}},
	"modules": {{`^\s*include\(? ?['":]|^members\s*=|^\s*"workspaces":|^packages:|<module>|^use \(` +
		`|^\s*- ['"]?[\w*/.-]+['"]?$`,
		[]string{"/settings.gradle*", "/Cargo.toml", "/package.json", "/pnpm-workspace.yaml", "/pom.xml", "/go.work",
			"/lerna.json"}, 0, 60},
		{`^\s*"?(?:members|workspaces)"?\s*[:=]\s*\[$|^use \($`, []string{"/Cargo.toml", "/package.json", "/go.work"}, 20,
			0}},
	"entry points": {{`^\s*"(?:main|module|types|bin|exports)":|^\[\[bin\]\]|^\[lib\]|^\[project\.scripts\]|` +
		`^(?:async )?(?:func main\(\)|(?:pub )?(?:async )?fn main\(|int main\(|public static void main\(|` +
		`if __name__ == ['"]__main__['"])`,
		nil, 0, 0}},
}

// changelogEntry matches the heading of a version in a changelog.
const changelogEntry = `(?i)^(?:#+\s*)?(?:\[|version |v)?v?\d+\.\d[\w.-]*\]?(?:\s*[-–(:/].*|\s*)?$`

var changelogs = []string{"/CHANGELOG*", "/CHANGES*", "/HISTORY*", "/NEWS*", "/RELEASES*", "/RELEASE_NOTES*",
	"/docs/CHANGELOG*", "/History*", "/Changes*", "/Changelog*", "/changelog*", "/docs/change*", "/docs/history*",
	"/docs/release*", "/doc/change*"}

type factLines struct {
	Matches []struct {
		edge
		After []string
	}
	Omitted int
}

func (x fact) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		var calls []llm.Call
		for _, f := range facts[x.what] {
			look := args{"pattern": f.pattern, "limit": 100}
			if f.include != nil {
				look["include"] = f.include
			}
			if f.context > 0 {
				look["context"] = f.context
			}
			calls = append(calls, callTool("search_text", look))
		}
		if x.what == "version" {
			calls = append(calls, past{about: "releases"}.call(""))
		}
		return step{calls: calls}
	}
	var lines []string
	omitted, head := 0, ""
	for i, f := range facts[x.what] {
		found := decode[factLines](&searches[i])
		if !searches[i].OK {
			return p.failed("The search failed", searches[i])
		}
		lines = append(lines, x.lines(p, f, found)...)
		if f.ofFile == 0 {
			omitted += found.Omitted
		}
		if x.what == "license" {
			head = licensed(found)
		}
	}
	tags := ""
	for _, r := range p.of("project_facts") {
		if found := decode[projectFacts](&r); r.OK && len(found.Tags) > 0 {
			tags = "\n" + found.releases()
		}
	}
	if len(lines) == 0 && x.what == "entry points" {
		return overview{}.next(p) // it lists where libraries start, by their names
	}
	if len(lines) == 0 && tags == "" {
		return answerWith("No file that I know for it names the " + x.what + " of this project.\n")
	}
	listed := lines[:min(listedEdges, len(lines))]
	text := fmt.Sprintf("%sWhat the files say about the %s:\n\n%s", head, x.what, strings.Join(listed, ""))
	if more := len(lines) - len(listed) + omitted; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + tags)
}

// lines lists the lines that say it: those that match, or for tables those below. Tests and examples come last.
func (x fact) lines(p progress, search factSearch, found factLines) []string {
	var first, last []string
	ofFile := map[string]int{}
	for _, m := range found.Matches {
		if ofFile[m.File]++; search.ofFile > 0 && ofFile[m.File] > search.ofFile {
			continue
		}
		lines := []string{m.Text}
		at := m.Line
		if search.context > 0 && !makeTarget.MatchString(m.Text) {
			lines, at = entriesOf(m.After), at+1
		}
		for i, line := range lines {
			if !member.MatchString(line) && !keyed.MatchString(line) && search.context > 0 && x.what != "modules" &&
				line != m.Text {
				continue
			}
			item := fmt.Sprintf("- %s — %s:%d\n", code(clip(strings.TrimRight(strings.TrimSpace(line), ","))), p.rel(m.File),
				at+i)
			if isTest(m.File) || aside.MatchString(p.rel(m.File)) {
				last = append(last, item)
			} else {
				first = append(first, item)
			}
		}
	}
	return append(first, last...)
}

var keyed = lazyregexp.New(`^[\w-]+\s*=`)

var aside = lazyregexp.New(`(?:^|/)(?:_?examples?|samples?|demos?|playground|contrib|` +
	`integration[-_]tests?|__mocks__|mocks?|bench\w*|fixtures?|deps|third_party|` +
	`vendor|dist|stress-test|tests?[-\w]*)/|(?:^|/)mocks?\.\w+$`)

// entriesOf returns the lines of a table up to its end.
func entriesOf(lines []string) []string {
	for i, line := range lines {
		if strings.HasPrefix(line, "[") || strings.HasPrefix(strings.TrimSpace(line), "}") {
			return lines[:i]
		}
	}
	return lines
}

// licenses are the words by which a license is known.
var licenses = []struct{ words, name string }{
	{"permission is hereby granted, free of charge", "MIT"}, {"mit license", "MIT"}, {"apache license", "Apache"},
	{"affero", "AGPL"}, {"lesser general", "LGPL"}, {"general public license", "GPL"}, {"mozilla public", "MPL"},
	{"redistribution and use", "BSD"}, {"isc license", "ISC"}, {"unlicense", "Unlicense"}, {"server side " +
		"public", "SSPL"},
}

// licensed names the licenses whose words the lines have.
func licensed(found factLines) string {
	var names []string
	for _, m := range found.Matches {
		for _, l := range licenses {
			if strings.Contains(strings.ToLower(m.Text), l.words) {
				if joined := strings.Join(names, ", "); !strings.Contains(joined, l.name) {
					names = append(names, l.name)
				}
				break
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "By its words, the license is " + strings.Join(names, ", ") + ".\n\n"
}
