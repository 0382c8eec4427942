package embedded

import (
	"cmp"
	"fmt"
	"maps"
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
	overviewDepth  = 4
	describedLines = 120 // of the describing file that are read
	entryPoints    = 8
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
	listings, reads := p.of("list_dir"), p.of("read_file")
	if len(listings) == 0 {
		return step{calls: []llm.Call{
			callTool("list_dir", args{"limit": listedEntries}),
			callTool("list_dir", args{"depth": overviewDepth, "limit": listedEntries}),
			callTool("code_item_lookup", args{"name": "main", "kind": "function"}),
			callTool("search_text", args{"pattern": `^\s*"?description"?\s*[:=]`,
				"include": []string{"/package.json", "/packages/*/package.json", "/Cargo.toml", "/*/Cargo.toml", "/pyproject.toml",
					"/composer.json"}}),
		}}
	}
	top := decode[dirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	describing := top.describing()
	if !readme.MatchString(base(describing)) && len(listings) > 1 {
		describing = cmp.Or(p.readmeIn(decode[dirListing](&listings[1])), describing)
	}
	if describing != "" && len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": describing, "end_line": describedLines})}}
	}
	var b strings.Builder
	b.WriteString(p.beginning(reads) + p.fromManifests())
	b.WriteString(p.folderList(top))
	for _, r := range listings[1:] {
		all := decode[dirListing](&r)
		b.WriteString(all.languages() + p.entries() + p.libraries(all))
	}
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

var readme = lazyregexp.New(`(?i)^readme(?:\.(?:md|rst|txt|adoc))?$`)

// readmeIn returns the README in a folder for documentation, which some hosts show as that of the project; "" if there
// is none.
func (f folders) readmeIn(all dirListing) string {
	for _, e := range all.Entries {
		switch strings.ToLower(f.rel(filepath.Dir(e.Path))) {
		case ".github", "docs", "doc":
			if e.Type == "file" && readme.MatchString(base(e.Path)) {
				return e.Path
			}
		}
	}
	return ""
}

// beginning quotes the first paragraph of the file that describes the workspace.
func (f folders) beginning(reads []toolResult) string {
	for _, r := range reads {
		read := decode[readResult](&r)
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

// languages counts the files by extension.
func (l dirListing) languages() string {
	counts := map[string]int{}
	for _, e := range l.Entries {
		if ext := filepath.Ext(base(e.Path)); e.Type == "file" && len(ext) > 1 && ext != base(e.Path) {
			counts[ext]++
		}
	}
	exts := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a,
			b))
	})
	if len(exts) == 0 {
		return ""
	}
	var kinds []string
	for _, ext := range exts[:min(5, len(exts))] {
		kinds = append(kinds, fmt.Sprintf("%s (%d)", code(ext), counts[ext]))
	}
	text := "Most of its files are " + strings.Join(kinds, ", ")
	if l.Omitted > 0 {
		text += ", of those that were counted"
	}
	return text + ".\n\n"
}

// libraries lists the files in which libraries begin, outside of tests and examples.
func (f folders) libraries(all dirListing) string {
	text, n := "", 0
	for _, e := range all.Entries {
		rel := f.rel(e.Path)
		besides := isTest(rel) || conventions.Aside.MatchString(rel)
		if e.Type == "file" && conventions.LibraryEntry.MatchString(rel) && !besides && n < entryPoints {
			n++
			text += "- " + rel + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "Libraries start here:\n\n" + text + "\n"
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

// entries lists the functions with which programs start, those of tests last.
func (p progress) entries() string {
	for _, r := range p.of("code_item_lookup") {
		found := decode[lookupResult](&r)
		if !r.OK || len(found.Items) == 0 {
			continue
		}
		text := "Programs start here:\n\n"
		for _, s := range (target{name: "main"}).ranked(p.folders, found.Items, "main")[:min(entryPoints, len(found.Items))] {
			text += p.listed(s)
		}
		if found.Omitted > 0 {
			text += fmt.Sprintf("- and %d more\n", found.Omitted)
		}
		return text + "\n"
	}
	return ""
}

// quoted returns the paragraph with its place, as a snippet if it is as the file has it.
func quoted(d conventions.Description, read readResult) string {
	if d.As {
		return snippet(read.File, read.StartLine+d.Line, d.Text)
	}
	return "> " + strings.ReplaceAll(d.Text, "\n", "\n> ") + "\n\n"
}

// described returns what the manifests at the top say that the project is.
func (p progress) fromManifests() string {
	for _, r := range p.of("search_text") {
		found := decode[countedText](&r)
		for _, m := range found.Matches {
			if d := conventions.ManifestDescription.FindStringSubmatch(m.Text); r.OK && d != nil {
				return fmt.Sprintf("%s:%d: %s\n\n", p.rel(m.File), m.Line, code(d[1]))
			}
		}
	}
	return ""
}
