package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// section quotes the section of a project's prose whose heading matches a pattern.
type section struct {
	pattern   string
	include   []string
	otherwise instruction
}

const sectionLines = 30 // maximum number of quoted lines

var prose = []string{"/README*", "/docs/*", "/doc/*", "/GETTING_STARTED*", "/USAGE*", "/src/*/README*"}

var (
	usageSection = section{`(?i)^(?:#+\s*)?(?:usage|quick ?start|getting started|how to use|using \w+|` +
		`(?:a |an |basic |simple |quick |in )*examples?|basics|tutorial)\b[^.]{0,30}$`, prose, overview{}}
	installSection  = section{`(?i)^(?:#+\s*)?(?:install\w*|getting started|setup)\b[^.]{0,30}$`, prose, howTo{"build"}}
	featuresSection = section{`(?i)^(?:#+\s*)?(?:[^\w#]*)(?:key |main |core )?(?:features?|highlights|why ` +
		`\w+\??)\b[^.]{0,30}$`, prose, overview{}}
	newestSection = section{conventions.ChangelogEntry + `|^#+ ` +
		`.*\d+\.\d+`, conventions.Changelogs, past{about: "releases"}}
)

func (x section) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": x.pattern, "include": x.include,
			"limit": 20})}}
	}
	found := results.Decode[countedText](&searches[0])
	if !searches[0].OK || len(found.Matches) == 0 {
		return x.otherwise.next(p)
	}
	best := slices.MinFunc(found.Matches, byUse)
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": best.File, "start_line": best.Line,
			"end_line": best.Line + sectionLines})}}
	}
	read := results.Decode[results.ReadResult](&reads[0])
	if !reads[0].OK {
		return p.failed("I could not read it", reads[0])
	}
	return answerWith(fmt.Sprintf("%s:%d says:\n\n%s\n\nThis is quoted from there; the file may say more.\n",
		p.Rel(best.File), best.Line, read.Snippet))
}

func byUse(a, b results.Edge) int { return cmp.Compare(aboutUse(a.File), aboutUse(b.File)) }

// aboutUse is lower for files that are rather about the use of a project.
func aboutUse(file string) int {
	name := strings.ToLower(results.Base(file))
	switch {
	case strings.HasPrefix(name, "readme"):
		return 0
	case conventions.Introductory.MatchString(name):
		return 1
	}
	return 2
}

// namedFiles lists files by their names.
type namedFiles struct {
	said      string
	include   []string
	otherwise instruction // if there are none; nil to say so
}

// wellKnown returns the files that a word in a question means.
func wellKnown(word string) namedFiles {
	files := conventions.WellKnown[word]
	return namedFiles{files.Said, files.Files, nil}
}

// filesCalled takes the word for well-known files.
func filesCalled(m []string) instruction {
	if files := wellKnown(lexicon.WellKnown[strings.ToLower(m[0])]); files.said != "" {
		return files
	}
	return nil
}

func (x namedFiles) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"include": x.include, "limit": grepFiles})}}
	}
	found := results.Decode[countedText](&searches[0])
	switch {
	case !searches[0].OK:
		return p.failed("The search failed", searches[0])
	case len(found.Files) == 0 && x.otherwise != nil:
		return x.otherwise.next(p)
	case len(found.Files) == 0:
		return answerWith("No file of the workspace is named as " + x.said + " usually are.\n")
	}
	n := len(found.Files) + found.Omitted
	text := fmt.Sprintf("Of %s, by their names, there is:\n\n", x.said)
	if n > 1 {
		text = fmt.Sprintf("By their names, %s are of %s:\n\n", results.Count(n, "file"), x.said)
	}
	listed := found.Files[:min(listedEdges, len(found.Files))]
	for _, file := range listed {
		text += "- " + p.Rel(file.File) + "\n"
	}
	if more := n - len(listed); more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text)
}

// inquiry answers by an [inquiries.Inquiry]; if the files say nothing of it, it is another instruction.
type inquiry struct {
	inquiries.Inquiry
	otherwise instruction
	also      instruction // whose answer follows, nil for none
}

func (x inquiry) next(p progress) step {
	look, made, calls := lookOf(p, x.Inquiry)
	if len(calls) > 0 {
		return step{calls: calls}
	}
	text := x.Say(look)
	p.results = p.results[made:] // what follows makes its own calls
	switch {
	case text == "":
		return x.otherwise.next(p)
	case x.also != nil:
		return noted{text, x.also}.next(p)
	}
	return answered(strings.TrimRight(text, "\n") + "\n")
}

// lookOf returns what an inquiry sees after the first calls, of which it made some; or the calls that it still needs.
func lookOf(p progress, x inquiries.Inquiry) (look inquiries.Look, made int, calls []llm.Call) {
	searches := x.Searches()
	if len(p.results) == 0 {
		for _, s := range searches {
			calls = append(calls, callTool("search_text", s))
		}
		return look, 0, calls
	}
	look, made = inquiries.Look{Folders: p.Folders, Message: p.message}, len(searches)
	for _, r := range p.results[:made] {
		look.Found = append(look.Found, results.Decode[inquiries.Found](&r))
	}
	reads := x.Reads(look)
	if len(reads) > 0 && len(p.results) == made {
		for _, lines := range reads {
			calls = append(calls, callTool("read_file", lines))
		}
		return look, made, calls
	}
	for _, r := range p.results[made : made+len(reads)] {
		look.Read = append(look.Read, results.Decode[results.ReadResult](&r))
	}
	return look, made + len(reads), nil
}

// noted is an instruction before whose answer a note stands.
type noted struct {
	note string
	instruction
}

func (x noted) next(p progress) step {
	s := x.instruction.next(p)
	if len(s.calls) == 0 {
		s.text = x.note + s.text
	}
	return s
}
