package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
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
	files := p.Within(x.name, results.Decode[countedText](&searches[0]).Files)
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	if len(files) == 0 {
		return question{}.next(p)
	}
	about := results.DirListing{}
	for _, file := range files {
		if rel := p.Rel(file); strings.Count(rel, "/") <= strings.Count(p.Rel(files[0]), "/")+1 {
			about.Entries = append(about.Entries, results.Entry{Path: file, Type: "file"})
		}
	}
	if describing := about.Describing(); describing != "" && len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": describing, "end_line": describedLines})}}
	}
	text := ""
	if len(reads) > 0 {
		text = p.Beginning(reads)
	}
	text += fmt.Sprintf("%s has %s:\n\n", results.Code(x.name), results.Count(len(files), "file"))
	for _, file := range files[:min(shownFiles, len(files))] {
		text += "- " + p.Rel(file) + "\n"
	}
	if more := len(files) - shownFiles; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + "\n`outline of FILE` lists what one of them declares.\n")
}
