package main

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
)

// settingWording is how people ask for a key of a file. {words} are the words of the key, {owner} those of the key
// above it.
type settingWording struct {
	file  *regexp.Regexp // matches the paths of the files whose keys people ask for like this
	texts []string
}

var settingWordings = []settingWording{
	{regexp.MustCompile(`^\.github/workflows/`), []string{"which workflow has the {owner} {words}", "CI job {words}",
		"github actions workflow that runs {words}", "where does the CI set {words}"}},
	{regexp.MustCompile(`(?i)(^|/)(docker-)?compose[^/]*\.ya?ml$`), []string{"docker compose {words} of {owner}",
		"which service has {words} in compose"}},
	{regexp.MustCompile(`(?i)dockerfile`), []string{"docker image {words}", "where does the Dockerfile set {words}",
		"base image and {words} of the container"}},
	{regexp.MustCompile(`(^|/)(package\.json|Cargo\.toml|pyproject\.toml)$`), []string{"where is {words} set in the package's configuration",
		"package {words}", "{owner} {words} setting"}},
	{regexp.MustCompile(`(?i)(lint|ruff|clippy|rustfmt|prettier|pre-commit|readthedocs|codecov|dependabot)[^/]*$`), []string{
		"lint configuration {words}", "where is {words} of {owner} configured", "config for {words}"}},
	{regexp.MustCompile(`(?i)\.(ya?ml|toml|json)$`), []string{"where is {words} configured", "the {words} setting in yaml or toml",
		"config of {owner} {words}", "set {words} for {owner}"}},
	{regexp.MustCompile(`(?i)(^|/)readme[^/]*\.(md|markdown)$`), []string{"which part of the readme explains {words}",
		"{words} in the readme", "docs about {words}"}},
	{regexp.MustCompile(`(?i)\.(md|markdown)$`), []string{"documentation of {words}", "docs about {words}",
		"which page explains {words}", "{words} in the docs"}},
}

// settings returns questions for the keys of count settings, and for half as many headings of documents. No other
// setting or heading of the project has the same words.
func (p *minedProject) settings(count int, r *rand.Rand) (all []asked) {
	symbols := slices.Concat(p.symbols, p.jsonKeys())
	r.Shuffle(len(symbols), func(i, j int) { symbols[i], symbols[j] = symbols[j], symbols[i] })
	perFile, named := map[string]int{}, map[string]int{}
	for _, s := range symbols {
		if rel := filepath.ToSlash(s.Rel); path.Ext(rel) == ".json" ||
			traits.Of(rel, s.Language, nil)&(traits.DataTrait|traits.ProseTrait) != 0 {
			named[said(s.Name)]++
		}
	}
	for _, part := range []struct {
		name  string
		trait traits.Set
		count int
	}{{"settings", traits.DataTrait, count}, {"documents", traits.ProseTrait, count / 2}} {
		n := 0
		for _, s := range symbols {
			rel := filepath.ToSlash(s.Rel)
			isKind := traits.Of(rel, s.Language, nil) == part.trait || path.Ext(rel) == ".json" && part.trait == traits.DataTrait
			if n == part.count || !isKind || perFile[rel] == settingsPerFile || named[said(s.Name)] > 1 || !askable(s) {
				continue
			}
			at := slices.IndexFunc(settingWordings, func(w settingWording) bool { return w.file.MatchString(rel) })
			if at < 0 {
				continue
			}
			n++
			perFile[rel]++
			texts := settingWordings[at].texts
			if dependency.MatchString(s.Canon) {
				texts = []string{"which version of {words} do we depend on", "dependency {words}", "why do we need {words} as a dependency"}
			}
			owner, _, _ := cutLast(s.Canon, "::")
			if owner == "" {
				owner = strings.TrimSuffix(path.Base(rel), path.Ext(rel))
			}
			text := strings.NewReplacer("{words}", said(s.Name), "{owner}", said(owner)).Replace(texts[r.IntN(len(texts))])
			all = append(all, newAsked(strings.Join(strings.Fields(text), " "), part.name, s))
		}
	}
	return all
}

var jsonKey = regexp.MustCompile(`^ {2,4}"([^"]+)":`)

// jsonKeys returns the upper keys of JSON files, of which the index has no symbols.
func (p *minedProject) jsonKeys() (keys []index.Unit) {
	for _, rel := range p.files {
		if path.Ext(rel) != ".json" || traits.Of(rel, "", nil)&(traits.TestTrait|traits.SecondaryTrait) != 0 {
			continue
		}
		for i, line := range p.lines(rel) {
			if m := jsonKey.FindStringSubmatch(line); m != nil {
				line := index.Extent{StartLine: i + 1, EndLine: i + 1}
				keys = append(keys, index.Unit{Rel: rel, Name: m[1], Canon: m[1], Extent: line})
			}
		}
	}
	return keys
}

// dependency matches the address of a package that a project depends on.
var dependency = regexp.MustCompile(`(?i)dependenc[^:]*::`)

// said returns the words of the last part of an address.
func said(name string) string {
	_, name, _ = cutLast(name, "::")
	return strings.Join(index.NameWords(name), " ")
}

// settingsPerFile is how many keys of a file people ask for.
const settingsPerFile = 6

// askable reports whether people ask for a symbol: its name says something, and a heading is not that of a release.
func askable(s index.Unit) bool {
	words := strings.Join(index.NameWords(s.Name), "")
	return s.Kind != syntax.KindFile && len(s.Name) >= 4 && len(s.Name) <= 50 && words != "" && plainName(words) &&
		!versionPattern.MatchString(s.Name)
}

var versionPattern = regexp.MustCompile(`(?i)\d+\.\d+|^(unreleased|changed|fixed|added|license|table of contents)$`)
