package results

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// DirListing is what list_dir returns.
type DirListing struct {
	Entries []Entry
	Omitted int
}

// Entry is a file or a folder.
type Entry struct {
	Path, Type string
	Bytes      int64
}

// describers are the names of files that say what a folder is, without extension and in
// lower case, the best first.
var describers = []string{"readme", "doc", "lib", "__init__", "main", "index"}

// Describing returns the path of the file that says best what the workspace is, "" if
// there is none.
func (l DirListing) Describing() string {
	best, path := len(describers), ""
	for _, e := range l.Entries {
		name := strings.ToLower(Base(e.Path))
		rank := slices.Index(describers, strings.TrimSuffix(name, filepath.Ext(name)))
		if e.Type == "file" && rank >= 0 && rank < best {
			best, path = rank, e.Path
		}
	}
	return path
}

// Beginning quotes the first paragraph of the file that describes the workspace.
func (f Folders) Beginning(reads []ToolResult) string {
	for _, r := range reads {
		read := Decode[ReadResult](&r)
		if slices.Index(describers, strings.TrimSuffix(strings.ToLower(Base(read.File)),
			filepath.Ext(read.File))) < 0 && r.OK {
			continue
		}
		if !r.OK {
			return "I could not read the description: " + r.Error + ".\n\n"
		}
		said := conventions.Describe(read.Text())
		if said.Text == "" {
			continue
		}
		return fmt.Sprintf("%s:%d says:\n\n", f.Rel(read.File), read.StartLine+said.Line) + quoted(said, read)
	}
	return "No README describes this workspace.\n\n"
}

// Text returns the lines of the snippet.
func (r ReadResult) Text() []string {
	lines := strings.Split(r.Snippet, "\n")
	if len(lines) < 3 {
		return nil
	}
	return lines[1 : len(lines)-1]
}

// FolderList lists the folders and counts the files of the workspace's top.
func (f Folders) FolderList(top DirListing) string {
	var names []string
	files := 0
	for _, e := range top.Entries {
		switch {
		case e.Type != "folder":
			files++
		case !strings.HasPrefix(Base(e.Path), "."):
			names = append(names, Code(f.Rel(e.Path)))
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("It has %s and no folders.\n\n", Count(files, "file"))
	}
	listed := names[:min(30, len(names))]
	text := fmt.Sprintf("Its %s: %s", Count(len(names), "folder"), strings.Join(listed, ", "))
	if more := len(names) - len(listed) + top.Omitted; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + fmt.Sprintf("; and %s next to them.\n\n", Count(files, "file"))
}

// ReadOn lists the files at the top that describe the project further.
func (f Folders) ReadOn(top DirListing) string {
	var names []string
	for _, e := range top.Entries {
		if conventions.DescribesWork.MatchString(Base(e.Path)) {
			names = append(names, Code(f.Rel(e.Path)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "To read on: " + strings.Join(names, ", ") + ".\n\n"
}

// quoted returns the paragraph with its place, as a snippet if it is as the file has it.
func quoted(d conventions.Description, read ReadResult) string {
	if d.As {
		return Snippet(read.File, read.StartLine+d.Line, d.Text)
	}
	return "> " + strings.ReplaceAll(d.Text, "\n", "\n> ") + "\n\n"
}

// ReadResult is what read_file returns. Lines are 1-based and inclusive.
type ReadResult struct {
	File, Snippet string
	StartLine     int `json:"start_line"`
	EndLine       int `json:"end_line"`
	LineCount     int `json:"line_count"`
}

// FileOutline is what get_file_metadata returns.
type FileOutline struct {
	File      string
	Exists    bool
	LineCount int `json:"line_count"`
	Omitted   int `json:"outline_omitted"`
	Outline   []Symbol
}

// Runner returns the program that runs the scripts of a package.json.
func (l DirListing) Runner() string {
	switch {
	case l.has("pnpm-lock.yaml"):
		return "pnpm run"
	case l.has("yarn.lock"):
		return "yarn"
	case l.has("bun.lock"), l.has("bun.lockb"):
		return "bun run"
	}
	return "npm run"
}

// has reports whether a file of that name is listed.
func (l DirListing) has(name string) bool {
	for _, e := range l.Entries {
		if Base(e.Path) == name {
			return true
		}
	}
	return false
}

const fileLines = 12 // maximum number of listed files

// Counted is a file with the number of its lines that were found.
type Counted struct {
	File  string
	Lines int
}

// CountsByFile lists the first files with their counts. all is the count of all files.
func (f Folders) CountsByFile(files []Counted, all int) string {
	var b strings.Builder
	listed := files[:min(fileLines, len(files))]
	for _, file := range listed {
		fmt.Fprintf(&b, "- %s — %d\n", f.Rel(file.File), file.Lines)
	}
	if more := all - len(listed); more > 0 {
		fmt.Fprintf(&b, "- and %s more\n", Count(more, "file"))
	}
	return b.String()
}

// Clip shortens a line for a list.
func Clip(line string) string {
	if runes := []rune(line); len(runes) > LongestLine {
		return string(runes[:LongestLine-1]) + "…"
	}
	return line
}

// Within returns the files of the folder of that name which is nearest to the top, those near the top of it first.
func (f Folders) Within(name string, found []Counted) (files []string) {
	best := ""
	for _, file := range found {
		dir, _, _ := strings.Cut("/"+f.Rel(file.File), "/"+name+"/")
		if best == "" || strings.Count(dir, "/") < strings.Count(best, "/") {
			best = dir + "/" + name + "/"
		}
	}
	for _, file := range found {
		if best != "" && strings.HasPrefix("/"+f.Rel(file.File), best) {
			files = append(files, file.File)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int {
		return cmp.Or(Order(IsTest(f.Rel(a)))-Order(IsTest(f.Rel(b))), cmp.Compare(strings.Count(a, "/"),
			strings.Count(b, "/")), cmp.Compare(filepath.Base(a), filepath.Base(b)))
	})
	return files
}

// Exactly returns the lines of the file that has a path from the top, and not only at its end.
func (f Folders) Exactly(path string, lines []Edge) []Edge {
	return slices.DeleteFunc(slices.Clone(lines),
		func(m Edge) bool { return f.Rel(m.File) != strings.TrimPrefix(filepath.ToSlash(path), "./") })
}

// ListFiles lists the first files.
func (f Folders) ListFiles(files []string) (list string) {
	for _, file := range files[:min(FurtherPlaces, len(files))] {
		list += "- " + f.Rel(file) + "\n"
	}
	if more := len(files) - FurtherPlaces; more > 0 {
		list += fmt.Sprintf("- and %d more\n", more)
	}
	return list
}

const guideHeadings = 15

// Guide quotes the beginning of a text about contributing, and lists its headings.
func (f Folders) Guide(read ReadResult) string {
	lines := read.Text()
	said := conventions.Describe(lines)
	text := fmt.Sprintf("%s:%d says:\n\n", f.Rel(read.File), read.StartLine+said.Line) + quoted(said, read)
	list, n, fenced := "", 0, false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if title, ok := conventions.Heading(lines, i); ok && !fenced && n < guideHeadings {
			n++
			list += fmt.Sprintf("- %s — line %d\n", lexicon.PlainText(strings.TrimRight(title, "# ")), read.StartLine+i)
		}
	}
	if n > 1 {
		text += "Its sections:\n\n" + list + "\n"
	}
	return text + "For its commands, ask `how do I build it?` or `how do I run the tests?`.\n"
}

// BrokenImports are the imports that a renaming breaks, as a result has them.
type BrokenImports struct {
	Importers struct {
		Count    int
		First    []edgeTarget
		Relative []int
		Partial  bool
	}
}

// Imports says which imports a renaming breaks.
func (f Folders) Imports(broken BrokenImports) string {
	b, text := broken.Importers, ""
	if b.Count > 0 {
		text = "These import it by its path, and are not adjusted:\n\n"
		for _, at := range b.First {
			text += fmt.Sprintf("- %s:%d\n", f.Rel(at.File), at.Line)
		}
		if more := b.Count - len(b.First); more > 0 {
			text += fmt.Sprintf("- and %d more\n", more)
		}
		text += "\n"
	}
	if len(b.Relative) > 0 {
		text += fmt.Sprintf("Its own relative imports begin at its folder, and are not adjusted: line %s.\n\n",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(b.Relative), " ", ", "), "[]"))
	}
	if b.Partial {
		text += "The index is still being built, so further imports may break.\n\n"
	}
	return text
}
