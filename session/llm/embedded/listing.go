package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// outline lists the symbols of a file.
type outline struct{ file string }

const (
	outlined      = 60 // maximum number of listed symbols of a file, or entries of a folder
	largestListed = 15
)

func outlineOf(m []string) instruction {
	if file := lexicon.Bare(m[0]); lexicon.FileName.MatchString(file) {
		return outline{file}
	}
	return nil
}

func (x outline) next(p progress) step {
	looked := p.of("get_file_metadata")
	if len(looked) == 0 {
		return step{calls: []llm.Call{callTool("get_file_metadata", args{"file": x.file})}}
	}
	found := results.Decode[results.FileOutline](&looked[0])
	switch {
	case !looked[0].OK:
		return p.failed("I could not look at "+results.Code(x.file), looked[0])
	case !found.Exists:
		return answerWith("There is no file " + results.Code(x.file) + ".\n" + p.Near(looked[0].Candidates))
	}
	text := fmt.Sprintf("%s has %s and %s.\n\n", p.Rel(found.File), results.Count(found.LineCount, "line"),
		results.Count(len(found.Outline)+found.Omitted, "symbol"))
	shown := found.Outline
	if len(shown) > outlined/2 {
		shown = slices.DeleteFunc(slices.Clone(shown), func(s results.Symbol) bool {
			return s.Kind == "field" ||
				s.Kind == "property"
		})
	}
	listed := shown[:min(outlined, len(shown))]
	for _, s := range listed {
		s.ID = fmt.Sprintf("%s#%d:%d", found.File, s.StartLine, s.StartLine)
		text += p.Listed(s)
	}
	if more := len(found.Outline) - len(listed) + found.Omitted; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text)
}

// folder lists what is in a folder.
type folder struct{ dir string }

// folderOf takes a path with a slash, or a name that is called a folder.
func folderOf(m []string) instruction {
	dir, called := lexicon.Bare(m[1]), m[0] != "" || m[2] == "folder" || m[2] == "directory"
	if lexicon.Pronouns[strings.ToLower(dir)] || lexicon.FileName.MatchString(dir) ||
		!called && !strings.Contains(dir, "/") {
		return nil
	}
	return folder{strings.TrimSuffix(dir, "/")}
}

func (x folder) next(p progress) step {
	listings := p.of("list_dir")
	if len(listings) == 0 {
		return step{calls: []llm.Call{callTool("list_dir", args{"dir": x.dir, "limit": listedEntries})}}
	}
	found := results.Decode[results.DirListing](&listings[0])
	whole := listings[0].EndsAs(p.Folders, x.dir)
	switch {
	case listings[0].OK:
	case whole != "" && len(listings) == 1:
		return step{calls: []llm.Call{callTool("list_dir", args{"dir": whole, "limit": listedEntries})}}
	case whole != "" && listings[1].OK:
		x.dir, found = whole, results.Decode[results.DirListing](&listings[1])
	case strings.Contains(x.dir, "/") && listings[0].Code == "not_found":
		imports := importing(x.dir)
		imports.otherwise = noFolder{x, listings[0]}
		return imports.next(p)
	default:
		return noFolder{x, listings[0]}.next(p)
	}
	text := fmt.Sprintf("%s holds %d entries:\n\n", p.Rel(x.dir), len(found.Entries)+found.Omitted)
	listed := found.Entries[:min(outlined, len(found.Entries))]
	for _, e := range listed {
		if e.Type == "folder" {
			text += "- " + results.Code(results.Base(e.Path)+"/") + "\n"
		} else {
			text += fmt.Sprintf("- %s (%s)\n", results.Code(results.Base(e.Path)), results.Size(e.Bytes))
		}
	}
	if more := len(found.Entries) - len(listed) + found.Omitted; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text)
}

// noFolder says that a folder can't be listed.
type noFolder struct {
	folder
	failure results.ToolResult
}

func (x noFolder) next(p progress) step {
	return p.failed("I could not list "+results.Code(x.dir), x.failure)
}

// largest lists the largest files.
type largest struct{}

func (largest) next(p progress) step {
	listings := p.of("list_dir")
	if len(listings) == 0 {
		return step{calls: []llm.Call{callTool("list_dir", args{"limit": listedEntries})}}
	}
	top := results.Decode[results.DirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	wanted := sizedFilesOf(p)
	var calls []llm.Call
	for _, e := range top.Entries {
		if e.Type == "folder" && len(calls) < results.FurtherPlaces*3 && !wanted.isAside(p.Rel(e.Path)+"/") {
			calls = append(calls, callTool("list_dir", args{"dir": e.Path, "depth": 10, "limit": listedEntries}))
		}
	}
	if len(listings) == 1 && len(calls) > 0 {
		return step{calls: calls}
	}
	files, omitted := top.Entries, top.Omitted
	for _, r := range listings[1:] {
		below := results.Decode[results.DirListing](&r)
		files, omitted = append(files, below.Entries...), omitted+below.Omitted
	}
	files = slices.DeleteFunc(files,
		func(e results.Entry) bool { return e.Type == "folder" || !wanted.has(p.Rel(e.Path)) })
	slices.SortStableFunc(files, func(a, b results.Entry) int { return cmp.Compare(b.Bytes, a.Bytes) })
	text := wanted.heading()
	for _, e := range files[:min(wanted.count, len(files))] {
		text += fmt.Sprintf("- %s — %s\n", p.Rel(e.Path), results.Size(e.Bytes))
	}
	if omitted > 0 {
		text += fmt.Sprintf("\n%d further files and folders were not looked at.\n", omitted)
	}
	return answerWith(text + "\nPictures, fonts and archives are left out.\n")
}

// sizedFiles are the files that a question for the largest ones is about.
type sizedFiles struct {
	count           int
	source, noTests bool
	within          string             // a folder, with a slash at its end; "" for the workspace
	language        *lazyregexp.Regexp // of the names of the files of the one that is asked for, nil for any
	own             bool               // without tests, examples, and vendored and generated files
}

func sizedFilesOf(p progress) sizedFiles {
	listed, kinds := lexicon.LargestOf(p.message)
	f := sizedFiles{count: cmp.Or(listed, largestListed), source: kinds.Source, noTests: kinds.NoTests}
	for _, named := range lexicon.Read(lexicon.Plain(p.message), nil).Named {
		if strings.Contains(named, "/") {
			f.within = strings.Trim(lexicon.Bare(named), "/") + "/"
		}
	}
	f.language = conventions.LanguageIn(p.message)
	f.own = (f.source || f.language != nil) && f.within == "" && (f.noTests || !lexicon.AsksTests(p.message))
	return f
}

// isAside reports whether a path is left out as not the project's own.
func (f sizedFiles) isAside(rel string) bool {
	return f.own && (conventions.Aside.MatchString(rel) || conventions.Made.MatchString(rel) || results.IsTest(rel))
}

func (f sizedFiles) has(rel string) bool {
	return (f.language == nil || f.language.MatchString(rel)) &&
		!f.isAside(rel) && !conventions.Media.MatchString(rel) && strings.Contains("/"+rel, "/"+f.within) &&
		!(f.source && !conventions.IsSource(rel)) && !(f.noTests && results.IsTest(rel))
}

func (f sizedFiles) heading() string {
	switch {
	case f.within != "":
		return "The largest files in " + results.Code(f.within) + ":\n\n"
	case f.own:
		return "The largest source files, without tests, examples, and vendored and generated files:\n\n"
	}
	return "The largest files:\n\n"
}

// longest lists the symbols of some kinds that have most lines.
type longest struct {
	kinds []string
	path  string
}

// longestOf takes the word for a kind, and perhaps a path.
func longestOf(m []string) instruction {
	kinds := results.Classes
	if word := strings.ToLower(m[0]); strings.HasPrefix(word, "function") || strings.HasPrefix(word, "method") {
		kinds = results.Callables
	}
	return longest{kinds, firstOf(m[1:])}
}

func (x longest) next(p progress) step {
	facts := p.facts("longest")
	if len(facts) == 0 {
		ask := args{"about": "longest", "words": x.kinds, "limit": largestListed}
		if x.path != "" {
			ask["path"] = x.path
		}
		return step{calls: []llm.Call{callTool("project_facts", ask)}}
	}
	found := results.Decode[results.ProjectFacts](&facts[0])
	switch {
	case !facts[0].OK:
		return p.failed("I could not measure them", facts[0])
	case len(found.Longest) == 0:
		return answerWith("I found nothing of that kind" + results.OfPath(x.path) + " that is declared outside of tests.\n")
	}
	return answerWith(x.say(p.Folders, found))
}

func (x longest) say(f results.Folders, found results.ProjectFacts) string {
	text := fmt.Sprintf("Of %s that are %s%s, these have most lines:\n\n", results.Count(found.Counted, "symbol"),
		kindsSaid(x.kinds), results.OfPath(x.path))
	for _, s := range found.Longest {
		text += fmt.Sprintf("- %s (%s), %s — %s:%d\n", results.Code(s.Canon), s.Kind, results.Count(s.Lines, "line"),
			f.Rel(s.File), s.Line)
	}
	if found.Partial {
		text += "\nThe index is still being built, so symbols are missing.\n"
	}
	return text + "\nTests, examples and generated files are left out.\n"
}

// kindsSaid says which kinds are listed, as in "class, struct or type".
func kindsSaid(kinds []string) string {
	last := len(kinds) - 1
	return strings.Join(kinds[:last], ", ") + " or " + kinds[last]
}

// exported lists what a package exports.
type exported struct {
	pkg       string
	functions bool // functions alone
}

func (x exported) next(p progress) step { return x.ofEntry(p) }

// lines asks for the lines that export something, or else for the members of a type.
func (x exported) lines() grep {
	name := strings.Trim(x.pkg[strings.LastIndexByte(strings.TrimSuffix(x.pkg, "/"), '/')+1:], "/")
	if strings.Contains(x.pkg, "/") && !strings.HasPrefix(x.pkg, "@") {
		name = strings.Trim(x.pkg, "/")
	}
	pattern := conventions.Exports
	if x.functions {
		pattern = conventions.ExportedFunctions
	}
	lines := grep{pattern: pattern, said: "exports of " + cmp.Or(x.pkg, "the project"), include: sourcesOf(name),
		limit: outlined, code: true}
	if named := lexicon.CanonOf(x.pkg); lexicon.LooksLikeCode(x.pkg) && lexicon.Address.MatchString(named) {
		of := members{target{name: named}, nil}
		if x.functions {
			of.kinds = memberKinds["function"]
		}
		lines.otherwise = of
	}
	return lines
}

// sourcesOf returns the files of a package, or the file of a name.
func sourcesOf(name string) []string {
	include := []string{"!*test*", "!*spec*", "!**/tests/**", "!**/__tests__/**", "!**/examples/**", "!dist/**"}
	switch {
	case lexicon.FileName.MatchString(name):
		return []string{name}
	case name != "":
		include = append(include, "**/"+name+"/**")
	}
	return include
}
