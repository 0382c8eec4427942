package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
)

// fact answers what a project's manifests and a few files at its top say.
type fact struct{ what string }

// facts are the searches for them: the lines of a pattern in some files.
var facts = map[string]struct {
	pattern string
	include []string
	context int
}{
	"license": {`(?i)^\s*"?licen[cs]e(?:-file)?"?\s*[:=]|permission is hereby granted, free of charge|apache license|` +
		`gnu (?:lesser |affero )?general public license|mozilla public license|` +
		`redistribution and use in source and binary|bsd \d-clause|the unlicense|isc license|^\s*(?:the )?mit license|` +
		`server side public license`,
		[]string{"/LICEN[CS]E*", "/COPYING*", "/UNLICENSE*", "/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml", "/setup.cfg", "/composer.json", "/*.gemspec", "/pom.xml"}, 0},
	"version": {`(?i)^\s*"version":\s*"[\d.]|^version\s*=|^\s*(?:export |pub |public |static |final |const |var |let |` +
		`#\s*define )*\w*version\w*(?:\s*:?\s*[\w&' ]*=)?\s*["'(]+v?\d+\.\d|^__version__|^go \d|<version>\d`,
		[]string{"/package.json", "/packages/*/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml", "/setup.py", "*version.*", "/go.mod", "/pom.xml", "/CMakeLists.txt"}, 0},
	"scripts": {`^\s*"scripts":|^[A-Za-z][\w.-]*\s*:(?:[^=]|` +
		`$)`, []string{"/package.json", "/Makefile", "/justfile"}, 20},
	"features": {`^\[features\]`, []string{"Cargo.toml"}, 20},
	"entry points": {`^\s*"(?:main|module|types|bin|exports)":|^\[\[bin\]\]|^\[lib\]|^\[project\.scripts\]|` +
		`^(?:async )?(?:func main\(\)|(?:pub )?(?:async )?fn main\(|int main\(|public static void main\(|` +
		`if __name__ == ['"]__main__['"])`,
		nil, 0},
}

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
		look := args{"pattern": facts[x.what].pattern, "limit": 100}
		if include := facts[x.what].include; include != nil {
			look["include"] = include
		}
		if around := facts[x.what].context; around > 0 {
			look["context"] = around
		}
		return step{calls: []llm.Call{callTool("search_text", look)}}
	}
	found := decode[factLines](&searches[0])
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	lines := x.lines(p, found)
	if len(lines) == 0 {
		return answerWith("No file that I know for it names the " + x.what + " of this project.\n")
	}
	listed := lines[:min(listedEdges, len(lines))]
	text := fmt.Sprintf("What the files say about the %s:\n\n%s", x.what, strings.Join(listed, ""))
	if x.what == "license" {
		text = licensed(found) + text
	}
	if more := len(lines) - len(listed) + found.Omitted; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text)
}

// lines lists the lines that say it: those that match, or for tables those below. Tests and examples come last.
func (x fact) lines(p progress, found factLines) []string {
	var first, last []string
	for _, m := range found.Matches {
		lines := []string{m.Text}
		at := m.Line
		if facts[x.what].context > 0 && !makeTarget.MatchString(m.Text) {
			lines, at = entriesOf(m.After), at+1
		}
		for i, line := range lines {
			if !member.MatchString(line) && !keyed.MatchString(line) && facts[x.what].context > 0 && line != m.Text {
				continue
			}
			item := fmt.Sprintf("- %s — %s:%d\n", code(clip(strings.TrimRight(strings.TrimSpace(line), ","))), p.rel(m.File), at+i)
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

var aside = lazyregexp.New(`(?:^|/)(?:examples?|playground|__mocks__|mocks?|bench\w*|fixtures?|deps|third_party|` +
	`vendor|stress-test|tests?[-\w]*)/`)

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
