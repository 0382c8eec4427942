package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// pkg says what a package of the project is: what the file says that describes it, and which files it has.
type pkg struct{ name string }

const shownFiles = 20

// packageOf takes the name of a package or a folder. An ordinary word of a question is none.
func packageOf(name string) instruction {
	if lexicon.Pronouns[name] || lexicon.Common[name] || lexicon.Fillers[name] || lexicon.Weak[name] {
		return nil
	}
	return pkg{strings.Trim(name, "/")}
}

func (x pkg) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"include": []string{"**/" + x.name + "/**"},
			"limit": grepFiles})}}
	}
	files := p.within(x.name, decode[countedText](&searches[0]).Files)
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	if len(files) == 0 {
		return question{}.next(p)
	}
	about := dirListing{}
	for _, file := range files {
		if rel := p.rel(file); strings.Count(rel, "/") <= strings.Count(p.rel(files[0]), "/")+1 {
			about.Entries = append(about.Entries, entry{Path: file, Type: "file"})
		}
	}
	if describing := about.describing(); describing != "" && len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": describing, "end_line": describedLines})}}
	}
	text := ""
	if len(reads) > 0 {
		text = p.beginning(reads)
	}
	text += fmt.Sprintf("%s has %s:\n\n", code(x.name), count(len(files), "file"))
	for _, file := range files[:min(shownFiles, len(files))] {
		text += "- " + p.rel(file) + "\n"
	}
	if more := len(files) - shownFiles; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + "\n`outline of FILE` lists what one of them declares.\n")
}

// within returns the files of the folder of that name which is nearest to the top, those near the top of it first.
func (f folders) within(name string, found []counted) (files []string) {
	best := ""
	for _, file := range found {
		dir, _, _ := strings.Cut("/"+f.rel(file.File), "/"+name+"/")
		if best == "" || strings.Count(dir, "/") < strings.Count(best, "/") {
			best = dir + "/" + name + "/"
		}
	}
	for _, file := range found {
		if best != "" && strings.HasPrefix("/"+f.rel(file.File), best) {
			files = append(files, file.File)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int {
		return cmp.Or(order(isTest(f.rel(a)))-order(isTest(f.rel(b))), cmp.Compare(strings.Count(a, "/"),
			strings.Count(b, "/")), cmp.Compare(filepath.Base(a), filepath.Base(b)))
	})
	return files
}
