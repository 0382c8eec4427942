package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"slices"
	"strings"
)

// overview says what the workspace is: the beginning of its README or of another file
// that describes it, its folders, languages and entry points.
type overview struct{}

const (
	listedEntries  = 1000 // of each listing
	describedLines = 120  // of the describing file that are read
)

type dirListing struct {
	Entries []entry
	Omitted int
}

// entry is a file or a folder.
type entry struct {
	Path, Type string
	Bytes      int64
}

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
	top := decode[dirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	if len(reads) == 0 {
		var calls []llm.Call
		describing := top.describing()
		if !readme.MatchString(base(describing)) {
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
	b.WriteString(p.beginning(reads) + p.fromManifests(searches[1]))
	b.WriteString(p.folderList(top) + p.languages())
	b.WriteString(p.entryPoints(p.read(reads), searches[3:], "") + p.libraries(searches[2]))
	b.WriteString(p.readOn(top))
	b.WriteString("Ask about a name for more, such as `where is NAME defined?` or `who calls NAME?`. The embedded " +
		"model is not a language model: it quotes what is written.\n")
	return answerWith(b.String())
}

// describers are the names of files that say what a folder is, without extension and in
// lower case, the best first.
var describers = []string{"readme", "doc", "lib", "__init__", "main", "index"}

// describing returns the path of the file that says best what the workspace is, "" if
// there is none.
func (l dirListing) describing() string {
	best, path := len(describers), ""
	for _, e := range l.Entries {
		name := strings.ToLower(base(e.Path))
		rank := slices.Index(describers, strings.TrimSuffix(name, filepath.Ext(name)))
		if e.Type == "file" && rank >= 0 && rank < best {
			best, path = rank, e.Path
		}
	}
	return path
}

// readmeAmong returns a README of those that were found in folders for documentation, which some hosts show as that of
// the project; "" if there is none.
func (p progress) readmeAmong(named toolResult) string {
	for _, file := range p.nearTop(named) {
		if readme.MatchString(base(file)) {
			return file
		}
	}
	return ""
}

var readme = lazyregexp.New(`(?i)^readme(?:\.(?:md|rst|txt|adoc))?$`)

// beginning quotes the first paragraph of the file that describes the workspace.
func (f folders) beginning(reads []toolResult) string {
	for _, r := range reads {
		read := decode[readResult](&r)
		if slices.Index(describers, strings.TrimSuffix(strings.ToLower(base(read.File)),
			filepath.Ext(read.File))) < 0 && r.OK {
			continue
		}
		if !r.OK {
			return "I could not read the description: " + r.Error + ".\n\n"
		}
		said := conventions.Describe(read.text())
		if said.Text == "" {
			continue
		}
		return fmt.Sprintf("%s:%d says:\n\n", f.rel(read.File), read.StartLine+said.Line) + quoted(said, read)
	}
	return "No README describes this workspace.\n\n"
}

// text returns the lines of the snippet.
func (r readResult) text() []string {
	lines := strings.Split(r.Snippet, "\n")
	if len(lines) < 3 {
		return nil
	}
	return lines[1 : len(lines)-1]
}

// folderList lists the folders and counts the files of the workspace's top.
func (f folders) folderList(top dirListing) string {
	var names []string
	files := 0
	for _, e := range top.Entries {
		switch {
		case e.Type != "folder":
			files++
		case !strings.HasPrefix(base(e.Path), "."):
			names = append(names, code(f.rel(e.Path)))
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("It has %s and no folders.\n\n", count(files, "file"))
	}
	listed := names[:min(30, len(names))]
	text := fmt.Sprintf("Its %s: %s", count(len(names), "folder"), strings.Join(listed, ", "))
	if more := len(names) - len(listed) + top.Omitted; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + fmt.Sprintf("; and %s next to them.\n\n", count(files, "file"))
}

// languages counts the files and the lines of the languages with most lines, those of programs first.
func (p progress) languages() string {
	var kinds []string
	for _, r := range p.facts("lines") {
		all := decode[projectFacts](&r).Lines
		slices.SortStableFunc(all, func(a, b languageLines) int {
			return order(conventions.IsText(a.Language)) - order(conventions.IsText(b.Language))
		})
		for _, l := range all[:min(4, len(all))] {
			kinds = append(kinds, fmt.Sprintf("%s (%s in %s)", l.Language, count(l.Lines, "line"), count(l.Files, "file")))
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Its languages: " + strings.Join(kinds, ", ") + ".\n\n"
}

// libraries lists the files in which libraries begin, outside of tests and examples.
func (p progress) libraries(named toolResult) string {
	var paths []string
	for _, path := range p.nearTop(named) {
		if rel := p.rel(path); conventions.IsLibrary(rel) && !isTest(rel) && len(paths) < listedExamples {
			paths = append(paths, rel)
		}
	}
	if len(paths) == 0 {
		return ""
	}
	return "Libraries start here:\n\n" + listItems(paths) + "\n"
}

// readOn lists the files at the top that describe the project further.
func (f folders) readOn(top dirListing) string {
	var names []string
	for _, e := range top.Entries {
		if conventions.DescribesWork.MatchString(base(e.Path)) {
			names = append(names, code(f.rel(e.Path)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "To read on: " + strings.Join(names, ", ") + ".\n\n"
}

// quoted returns the paragraph with its place, as a snippet if it is as the file has it.
func quoted(d conventions.Description, read readResult) string {
	if d.As {
		return snippet(read.File, read.StartLine+d.Line, d.Text)
	}
	return "> " + strings.ReplaceAll(d.Text, "\n", "\n> ") + "\n\n"
}

// fromManifests returns what the manifests at the top say that the project is.
func (p progress) fromManifests(r toolResult) string {
	for _, m := range decode[countedText](&r).Matches {
		if d := conventions.ManifestDescription.FindStringSubmatch(m.Text); r.OK && d != nil {
			return fmt.Sprintf("%s:%d: %s\n\n", p.rel(m.File), m.Line, code(d[1]))
		}
	}
	return ""
}
