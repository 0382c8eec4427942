package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

// overview says what the workspace is: the beginning of its README or of another file
// that describes it, its folders, languages and entry points.
type overview struct{}

const (
	listedEntries  = 1000 // of each listing
	describedLines = 120  // of the describing file that are read
)

func (overview) next(p progress) step {
	listings, reads, searches := p.of("list_dir"), p.of("read_file"), p.of("search_text")
	if len(listings) == 0 {
		return step{calls: append([]llm.Call{
			callTool("list_dir", args{"limit": listedEntries}),
			callTool("project_facts", args{"about": "lines"}),
			callTool("search_text", args{"include": conventions.EntryManifests, "limit": grepFiles}),
			callTool("search_text", args{"pattern": `^\s*"?description"?\s*[:=]`,
				"include": []string{"/package.json", "/packages/*/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml",
					"/composer.json"}}),
			callTool("search_text", args{"include": conventions.LibraryFiles, "limit": grepFiles}),
		}, entryPoints{}.searches()...)}
	}
	top := results.Decode[results.DirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	if len(reads) == 0 {
		var calls []llm.Call
		describing := top.Describing()
		if !readme.MatchString(results.Base(describing)) {
			describing = cmp.Or(p.readmeAmong(searches[2]), describing)
		}
		if describing != "" {
			calls = append(calls, callTool("read_file", args{"file": describing, "end_line": describedLines}))
		}
		for _, manifest := range p.nearTop(searches[0])[:min(readSources/2, len(p.nearTop(searches[0])))] {
			calls = append(calls, callTool("read_file", args{"file": manifest}))
		}
		if len(calls) > 0 {
			return step{calls: calls}
		}
	}
	var b strings.Builder
	own := p.read(reads)
	b.WriteString(p.Beginning(reads) + p.fromManifests(searches[1], own))
	b.WriteString(p.FolderList(top) + p.languages())
	b.WriteString(p.entryPoints(own, searches[3:], "") + p.libraries(searches[2]))
	b.WriteString(p.ReadOn(top))
	b.WriteString("Ask about a name for more, such as `where is NAME defined?` or `who calls NAME?`. The embedded " +
		"model is not a language model: it quotes what is written.\n")
	return answerWith(b.String())
}

// readmeAmong returns a README of those that were found in folders for documentation, which some hosts show as that of
// the project; "" if there is none.
func (p progress) readmeAmong(named results.ToolResult) string {
	for _, file := range p.nearTop(named) {
		if readme.MatchString(results.Base(file)) {
			return file
		}
	}
	return ""
}

var readme = lazyregexp.New(`(?i)^readme(?:\.(?:md|rst|txt|adoc))?$`)

// languages counts the files and the lines of the languages with most lines, those of programs first.
func (p progress) languages() string {
	var kinds []string
	for _, r := range p.facts("lines") {
		all := results.Decode[results.ProjectFacts](&r).Lines
		slices.SortStableFunc(all, func(a, b results.LanguageLines) int {
			return results.Order(conventions.IsText(a.Language)) - results.Order(conventions.IsText(b.Language))
		})
		for _, l := range all[:min(4, len(all))] {
			kinds = append(kinds, fmt.Sprintf("%s (%s in %s)", l.Language, results.Count(l.Lines, "line"),
				results.Count(l.Files, "file")))
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Its languages: " + strings.Join(kinds, ", ") + ".\n\n"
}

// libraries lists the files in which libraries begin, outside of tests and examples.
func (p progress) libraries(named results.ToolResult) string {
	var paths []string
	for _, path := range p.nearTop(named) {
		if rel := p.Rel(path); conventions.IsLibrary(rel) && !results.IsTest(rel) && len(paths) < listedExamples {
			paths = append(paths, rel)
		}
	}
	if len(paths) == 0 {
		return ""
	}
	return "Libraries start here:\n\n" + listItems(paths) + "\n"
}

// fromManifests returns what the manifests at the top say that the project is. A package.json counts if it is the
// project's own.
func (p progress) fromManifests(r results.ToolResult, own []conventions.Source) string {
	for _, m := range results.Decode[countedText](&r).Matches {
		isOwn := func(s conventions.Source) bool { return s.Path == p.Rel(m.File) }
		if p.Rel(m.File) == "package.json" && len(own) > 0 && !slices.ContainsFunc(own, isOwn) {
			continue
		}
		if d := conventions.ManifestDescription.FindStringSubmatch(m.Text); r.OK && d != nil {
			return fmt.Sprintf("%s:%d: %s\n\n", p.Rel(m.File), m.Line, results.Code(d[1]))
		}
	}
	return ""
}
