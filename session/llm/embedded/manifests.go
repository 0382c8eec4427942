package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// dependencies lists what the manifests of the project name as its dependencies.
type dependencies struct{}

const readSources = 14 // maximum number of manifests that are read for an answer

func (x dependencies) next(p progress) step {
	files, s := p.sources(1, conventions.Manifests)
	if s != nil {
		return *s
	}
	text := conventions.SayDependencies(files, p.Name(), p.words())
	if text == "" {
		return answerWith("I found no manifest with dependencies near the top of the workspace.\n")
	}
	return answerWith(text + p.unread(0) + "Indirect dependencies are left out.\n")
}

// sources finds files by their names, and reads those that are nearest to the top. It returns the next calls until that
// is done; besides are further ones to make with the first. searches is the number of searches by name that count.
func (p progress) sources(searches int, include []string, besides ...llm.Call) ([]conventions.Source, *step) {
	found, reads := p.of("search_text"), p.of("read_file")
	if len(found) == 0 {
		byName := callTool("search_text", args{"include": include, "limit": grepFiles})
		return nil, &step{calls: append([]llm.Call{byName}, besides...)}
	}
	paths := p.meantFirst(p.nearTop(found[0]))
	if len(reads) == 0 && len(paths) > 0 {
		var calls []llm.Call
		for _, path := range paths[:min(readSources, len(paths))] {
			calls = append(calls, callTool("read_file", args{"file": path}))
		}
		return nil, &step{calls: calls}
	}
	return p.read(reads), nil
}

// read returns the files of the project that were read.
func (p progress) read(reads []results.ToolResult) (files []conventions.Source) {
	for _, r := range reads {
		if read := results.Decode[results.ReadResult](&r); r.OK {
			files = append(files, conventions.Source{Path: p.Rel(read.File), First: read.StartLine, Lines: read.Text()})
		}
	}
	return conventions.Own(files, p.Name())
}

// nearTop returns the files that a search by names has found: those of tests and examples last, and otherwise those
// first that are nearest to the top.
func (p progress) nearTop(r results.ToolResult) (paths []string) {
	for _, file := range results.Decode[countedText](&r).Files {
		paths = append(paths, file.File)
	}
	aside := func(path string) int {
		return results.Order(conventions.Aside.MatchString(p.Rel(path)) || results.IsTest(path))
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(aside(a)-aside(b), strings.Count(a, "/")-strings.Count(b, "/"))
	})
	return paths
}

// words returns the words of the message as a package may be called.
func (p progress) words() (words []string) {
	for _, w := range strings.Fields(strings.ToLower(p.message)) {
		words = append(words, lexicon.Bare(strings.Trim(w, "?!.,;:")))
	}
	return words
}

// meantFirst puts those paths first whose folder the message names.
func (p progress) meantFirst(paths []string) []string {
	words := p.words()
	meant := func(path string) bool {
		return strings.Contains(p.Rel(path), "/") &&
			slices.Contains(words, strings.ToLower(filepath.Base(filepath.Dir(path))))
	}
	return slices.SortedStableFunc(slices.Values(paths), func(a, b string) int {
		return results.Order(!meant(a)) - results.Order(!meant(b))
	})
}

// unread says how many files of a search by names were not read, "" for none.
func (p progress) unread(search int) string {
	found := results.Decode[countedText](&p.of("search_text")[search])
	if more := len(found.Files) + found.Omitted - readSources; more > 0 {
		return fmt.Sprintf("%s farther down were not read. ", results.Count(more, "further manifest"))
	}
	return ""
}

// dependsOnWhat matches a question for what something depends on.
var (
	dependsOnWhat = lazyregexp.New(`(?i)^(?:what|which)(?: other| external| third[- ]party)?(?: (?:packages?|librar(?:y|` +
		`ies)|crates?|modules?|gems?|things?|deps|dependencies|else))* (?:does|do) (?:the )?(\S+?)(?: package| crate| ` +
		`module| gem| library| project| itself)* (?:directly )?(?:depends? (?:up)?on|needs?|requires?|uses?|pulls? in` +
		`|have)$|` +
		`^(?:.* )?(?:dependencies|deps|requirements) (?:of|for) (?:the )?(\S+?)(?: package| crate| module| gem| library| ` +
		`project| itself)?$`)
	packageName = lazyregexp.New(`^@?[a-z][\w./@-]*$`)
)

// dependsOn is a question for what a package depends on, if a manifest has its name, else what a symbol does.
type dependsOn struct {
	name      string
	otherwise instruction
}

func (x dependsOn) next(p progress) step {
	if p.IsProject(x.name) {
		return dependencies{}.next(p)
	}
	if len(p.results) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": conventions.NameLine(x.name),
			"include": conventions.Naming})}}
	}
	named := p.results[0]
	p.results = p.results[1:] // what follows makes its own calls
	if len(results.Decode[countedText](&named).Matches) == 0 {
		return x.otherwise.next(p)
	}
	return dependencies{}.next(p)
}

// workspaceMembers lists the modules, crates or packages that make up the workspace.
type workspaceMembers struct{}

func (workspaceMembers) next(p progress) step {
	files, s := p.sources(1, conventions.Workspaces,
		callTool("search_text", args{"include": conventions.Naming, "limit": grepFiles}))
	if s != nil {
		return *s
	}
	var manifests []string
	for _, path := range p.nearTop(p.of("search_text")[1]) {
		manifests = append(manifests, p.Rel(path))
	}
	if text := conventions.SayMembers(files, manifests); text != "" {
		return answerWith(text + p.unread(0) + "These are quoted from the files that list them.\n")
	}
	if len(manifests) == 0 {
		return answerWith("I found no file that lists modules or packages, and no manifest of one.\n")
	}
	return answerWith("No file lists several modules or packages. " +
		"By their names, these are manifests of packages:\n\n" + listItems(manifests) + "\n")
}

// listItems lists the first of some texts, and counts the others.
func listItems(texts []string) (list string) {
	for _, text := range texts[:min(listedEdges, len(texts))] {
		list += "- " + text + "\n"
	}
	if more := len(texts) - listedEdges; more > 0 {
		list += fmt.Sprintf("- and %d more\n", more)
	}
	return list
}

// entryPoints lists where programs and libraries start: what manifests declare, then by convention, then the functions
// with which programs start.
type entryPoints struct{}

// searches returns the calls that find entry points, without the one for the manifests.
func (entryPoints) searches() []llm.Call {
	return []llm.Call{callTool("search_text", args{"include": conventions.EntryFiles, "limit": grepFiles}),
		callTool("search_text", args{"pattern": conventions.MainLine, "limit": foundMains, "include": notTests})}
}

const foundMains = 100

func (x entryPoints) next(p progress) step {
	manifests, s := p.sources(1, conventions.EntryManifests, x.searches()...)
	if s != nil {
		return *s
	}
	text := p.entryPoints(manifests, p.of("search_text")[1:], lexicon.CommandIn(lexicon.Plain(p.message)))
	if text == "" {
		p.results = p.results[3+min(readSources, len(p.nearTop(p.of("search_text")[0]))):]
		return overview{}.next(p) // it lists where libraries start, by their names
	}
	return answerWith(text + "These go by what manifests declare, and by the names of files and functions.\n")
}

// entryPoints lists where programs start, by the manifests that were read and the searches for files and functions.
func (p progress) entryPoints(manifests []conventions.Source, searches []results.ToolResult, command string) string {
	var files []string
	for _, path := range p.nearTop(searches[0]) {
		files = append(files, p.Rel(path))
	}
	var functions []conventions.EntryPoint
	for _, m := range results.Decode[countedText](&searches[1]).Matches {
		if rel := p.Rel(m.File); !results.IsTest(rel) {
			functions = append(functions, conventions.EntryPoint{Text: results.Clip(strings.TrimSpace(m.Text)), File: rel,
				Place: fmt.Sprintf("%s:%d", rel, m.Line)})
		}
	}
	return conventions.SayEntryPoints(manifests, files, functions, command)
}

// called is a question for what something is that no symbol is named: the project or one of its packages, if a manifest
// has the name, else whatever the search finds.
type called struct{}

func (x called) next(p progress) step {
	m := whatIs.FindStringSubmatch(lexicon.Plain(p.message))
	if m == nil {
		return question{}.next(p)
	}
	at := slices.IndexFunc(p.results, func(r results.ToolResult) bool { return r.Tool == "search_text" })
	if at < 0 {
		name := conventions.NameLine(lexicon.Bare(m[1]))
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": name, "include": conventions.Naming})}}
	}
	found := results.Decode[countedText](&p.results[at]).Matches
	if len(found) == 0 {
		return question{}.next(p)
	}
	p.results = p.results[at+1:] // what follows makes its own calls
	dir := filepath.Dir(found[0].File)
	if slices.ContainsFunc(found, func(e results.Edge) bool { return slices.Contains(p.Folders, filepath.Dir(e.File)) }) {
		return overview{}.next(p)
	}
	return pkg{filepath.Base(dir)}.next(p)
}
