package inquiries

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Supports asks what a project supports of a kind: it quotes lists in prose and constants, what manifests and the
// matrices of CI name, and lists the names in folders of the kind.
type Supports struct{ lexicon.Supported }

const (
	aroundKind   = 14 // lines behind one with the kind
	quotedOfKind = 12
)

// Searches returns the searches for prose, for constants, for manifests and CI, and for folders.
func (x Supports) Searches() []Search {
	stems := strings.Join(x.Stems, "|")
	matrix := `(?i)operating system ::|^\s*(?:- )?(?:os|platforms?|target):\s*\S|^\s*-\s*(?:os: )?["']?(?:ubuntu` +
		`|windows|macos)-`
	if x.Versions {
		of := regexp.QuoteMeta(strings.Fields(x.Kind)[0])
		matrix = `(?i)programming language :: ` + of + ` :: \d|^\s*(?:- )?["']?(?:` + of + `)(?:[_-]versions?)?["']?:\s*\[` +
			`|^\s*(?:- )?(?:` + of +
			`[_-]version):\s*['"\d]`
		stems = of
	}
	folders := []string{}
	for _, stem := range x.Stems {
		capital := strings.ToUpper(stem[:1]) + stem[1:]
		folders = append(folders, "**/"+stem+"*/*", "**/"+stem+"*/*/*", "**/"+capital+"*/*", "!**/test*/**",
			"!**/node_modules/**", "!**/docs/**",
			"!**/.github/**", "!**/examples/**")
	}
	if x.Versions {
		folders = []string{"/.no-such-folder/*"}
	}
	return []Search{
		{Pattern: `(?i)(?:^|[^a-z])(?:` + stems + `)`, Include: []string{"/README*", "/docs/*", "/docs/**/*.md", "/docs/**/*.rst", "/doc/*"},
			Limit: 200, Context: aroundKind},
		{Pattern: `(?i)^\W*(?:\w+[ :]+){0,4}\w*(?:supported|available|known|valid|all)_?(?:` + stems + `)\w*\b[^=:]{0,30}[:=]`,
			Include: []string{"!*test*", "!**/test/**", "!**/tests/**", "!*.md", "!*.rst", "!CHANGE*", "!**/docs/**"},
			Limit:   20, Context: aroundKind},
		{Pattern: matrix, Include: []string{"/pyproject.toml", "/setup.py", "/setup.cfg", "/.github/workflows/*",
			"/.gitlab-ci.yml", "/.travis.yml", "/azure-pipelines.yml", "/appveyor.yml"}, Limit: 60},
		{Include: folders, Limit: 200},
	}
}

// Reads returns nil: the lines say it.
func (Supports) Reads(Look) []Lines { return nil }

// Say says each of the sources that names several.
func (x Supports) Say(l Look) string {
	text := ""
	if !x.Versions {
		text = x.prose(l) + x.constants(l) + x.folders(l)
	}
	if x.Versions || x.Systems {
		text += x.matrices(l)
	}
	if text == "" {
		return ""
	}
	return "What the files say of the supported " + x.Kind + ":\n\n" + text
}

// prose quotes the best paragraph or list about the kind.
func (x Supports) prose(l Look) string {
	best, rank, listed := Match{}, 0, false
	for _, m := range l.Found[0].Matches {
		rel := l.Rel(m.File)
		if !prosePath.MatchString(rel) || conventions.Aside.MatchString(rel) || conventions.IsTranslation(rel) ||
			pastFile.MatchString(rel) {
			continue
		}
		n, list := x.rank(m)
		if n > 0 && !strings.Contains(rel, "/") {
			n++
		}
		if n > rank {
			best, rank, listed = m, n, list
		}
	}
	if rank == 0 {
		return ""
	}
	lines := append([]string{best.Text}, best.After...)
	if listed {
		lines = conventions.SectionOf(lines)
	} else {
		lines, _ = conventions.ParagraphAt(lines, 0)
	}
	lines = lines[:min(quotedOfKind, len(lines))]
	return fmt.Sprintf("%s:%d says:\n\n", l.Rel(best.File), best.Line) +
		results.Snippet(best.File, best.Line, strings.TrimRight(strings.Join(lines, "\n"), "\n "))
}

// rank returns how surely a line says what is supported, 0 for hardly: a heading of the kind or a sentence before a
// list, or a sentence with several names. list says that it does so by a list below.
func (x Supports) rank(m Match) (n int, list bool) {
	title, heads := conventions.Heading(append([]string{m.Text}, m.After...), 0)
	kind := `\b(?:` + strings.Join(x.Stems, "|") + `)\w*`
	sentence := strings.Join(append([]string{m.Text}, m.After[:min(1, len(m.After))]...), " ")
	says := regexp.MustCompile(`(?i)\b(?:supports?|works? with|compatible with|runs? on|available (?:on|for)` +
		`|tested (?:on|with|against))\b[^.]{0,60}` +
		kind + `|` + kind + `[^.]{0,30}\bsupport(?:ed)?\b|\bsupported\b[^.]{0,25}` + kind +
		`|\bmulti-?` + strings.TrimPrefix(kind, `\b`))
	at := says.FindStringIndex(sentence)
	switch {
	case at == nil && heads && regexp.MustCompile(`(?i)^`+kind+`$`).MatchString(title) && items(m.After) > 2:
		return 2, true
	case at == nil || at[0] > len(m.Text):
		return 0, false
	case heads && items(m.After) > 1:
		return 5, true
	case heads:
		return 0, false
	case strings.HasSuffix(strings.TrimSpace(m.Text), ":") && items(m.After) > 1:
		return 4, true
	case strings.Count(strings.SplitN(sentence[at[0]:], ". ", 2)[0], ",") > 1:
		return 3, false
	}
	return 0, false
}

var (
	pastFile = lazyregexp.New(`(?i)chang|history|news|release|migrat|upgrad`)
	listItem = lazyregexp.New(`^\s*(?:[-*+]|\d+\.|\|)\s*\S`)
)

// items counts the items of the list that begins some lines; empty lines and one of text may stand before it.
func items(lines []string) (n int) {
	for i, line := range lines {
		_, heads := conventions.Heading(lines[i:], 0)
		switch {
		case listItem.MatchString(line):
			n++
		case heads && i > 0:
			return n
		}
	}
	return n
}

// constants quotes the first list that the code declares of the kind.
func (x Supports) constants(l Look) string {
	for _, m := range l.Found[1].Matches {
		rel := l.Rel(m.File)
		if results.IsTest(rel) || conventions.Aside.MatchString(rel) || callsWithName.MatchString(m.Text) {
			continue
		}
		lines := []string{m.Text}
		closed := closing.MatchString(m.Text) && strings.ContainsAny(m.Text, "[({")
		for _, line := range m.After {
			if closed {
				break
			}
			lines = append(lines, line)
			closed = closes.MatchString(line)
		}
		if !closed || !strings.ContainsAny(m.Text, "[({") || strings.Count(strings.Join(lines, ""), ",") < 1 {
			continue
		}
		return fmt.Sprintf("%s:%d lists them:\n\n", rel, m.Line) + results.Snippet(m.File, m.Line, strings.Join(lines, "\n"))
	}
	return ""
}

var (
	closing = lazyregexp.New(`[\])}][\])}; ,]*(?:as const|freeze)?;?\s*$`)
	// callsWithName matches a value that a function makes of what a name stands for.
	callsWithName = lazyregexp.New(`[=:]\s*(?:await\s+)?[\w.]+\(\s*[a-z_]\w*\s*[,).(]`)

	closes = lazyregexp.New(`^\s*[\])}]`)
)

// folders lists the names in the folder of the kind that is nearest to the top: its folders, else its files if the
// folder's name is a plural or they have the kind in their names.
func (x Supports) folders(l Look) string {
	dirs, files := map[string][]string{}, map[string][]string{}
	for _, f := range l.Found[3].Files {
		rel := l.Rel(f.File)
		if conventions.Aside.MatchString(rel) || results.IsTest(rel) {
			continue
		}
		names := strings.Split(rel, "/")
		for i, name := range names[:len(names)-1] {
			if !x.isKind(name) {
				continue
			}
			in, of, child := strings.Join(names[:i+1], "/"), dirs, names[i+1]
			if i+2 == len(names) {
				of, child = files, strings.TrimSuffix(child, path.Ext(child))
			}
			if !ofFolder.MatchString(child) && !slices.Contains(of[in], child) {
				of[in] = append(of[in], child)
			}
		}
	}
	for in, names := range files {
		named := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !lexicon.HasPart(name, x.Stems[0]) })
		if len(dirs[in]) < 3 && (strings.HasSuffix(in, "s") || len(named)*10 >= len(names)*7) {
			dirs[in] = names
		}
	}
	best := ""
	for in, names := range dirs {
		if len(names) > 2 && (best == "" || cmp.Or(strings.Count(in, "/")-strings.Count(best, "/"),
			len(dirs[best])-len(names), cmp.Compare(in, best)) < 0) {
			best = in
		}
	}
	if best == "" {
		return ""
	}
	names := slices.Sorted(slices.Values(dirs[best]))
	text := fmt.Sprintf("By their names, %s has: %s", results.Code(best+"/"), results.Codes(names[:min(20, len(names))]))
	if more := len(names) - 20; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + ".\n\n"
}

// isKind reports whether a folder is named after the kind.
func (x Supports) isKind(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(x.Stems, func(s string) bool { return strings.HasPrefix(name, s) && len(name) <= len(s)+4 })
}

// ofFolder matches the names of files that a folder has beside those of a kind.
var ofFolder = lazyregexp.New(`(?i)^(?:index|mod|__init__|readme|base|common|utils?|helpers?|types?|doc|package|main` +
	`|abstract\w*|` +
	`shared|internal|\..*)$`)

// matrices lists what manifests and CI name.
func (x Supports) matrices(l Look) string {
	text, seen := "", map[string]bool{}
	n := 0
	for _, m := range l.Found[2].Matches {
		line := strings.TrimRight(strings.TrimSpace(m.Text), ",")
		if seen[line] || n == listedHeads || strings.Contains(line, "${{") {
			continue
		}
		seen[line] = true
		n++
		text += fmt.Sprintf("- %s — %s:%d\n", results.Code(results.Clip(line)), l.Rel(m.File), m.Line)
	}
	if text == "" {
		return ""
	}
	return "Manifests and CI name:\n\n" + text + "\n"
}
