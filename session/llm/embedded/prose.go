package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// headed quotes the section of a project's prose whose heading is the question itself, as in a FAQ. Without one, it is
// another instruction.
type headed struct{ otherwise instruction }

// orHeaded returns an instruction that looks for the section about a question first, if it goes by words.
func orHeaded(i instruction) instruction {
	switch i := i.(type) {
	case amount:
		return inquiry{inquiries.Given{Amount: i.Amount}, headed{i}, nil}
	case question, outcome:
		return headed{i}
	}
	return i
}

// proseFiles are the files that speak to the users of a project, as search_text takes them.
var proseFiles = []string{"*.md", "*.rst", "*.adoc", "*.mdx", "!CHANGE*", "!HISTORY*", "!NEWS*", "!RELEASE*",
	"!**/changelog/**", "!**/release-notes/**", "!**/tests/**", "!**/test/**", "!node_modules/**", "!vendor/**"}

const foundHeadings = 300

func (x headed) next(p progress) step {
	pattern, tells := lexicon.HeadingPattern(lexicon.Plain(p.message))
	if !tells {
		return x.otherwise.next(p)
	}
	if len(p.results) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": pattern, "include": proseFiles,
			"limit": foundHeadings})}}
	}
	best, fit := results.Edge{}, 0
	for _, m := range results.Decode[countedText](&p.results[0]).Matches {
		title, _ := conventions.Heading([]string{m.Text}, 0)
		n := lexicon.HeadingFit(lexicon.Plain(p.message), cmp.Or(title, m.Text), p.Name())
		if n < lexicon.TheQuestion && lexicon.AsksWhatHappens(p.message) {
			continue // the section is about what the case is about
		}
		if n > fit && !conventions.Aside.MatchString(p.Rel(m.File)) {
			best, fit = m, n
		}
	}
	if fit == 0 {
		p.results = p.results[1:] // what follows makes its own calls
		return x.otherwise.next(p)
	}
	reads := p.of("read_file")
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": best.File, "start_line": best.Line,
			"end_line": best.Line + sectionLines})}}
	}
	read := results.Decode[results.ReadResult](&reads[0])
	if !reads[0].OK {
		return p.failed("I could not read it", reads[0])
	}
	text := strings.Join(conventions.SectionOf(read.Text()), "\n")
	return answerWith(fmt.Sprintf("%s:%d has a section about that:\n\n", p.Rel(best.File), best.Line) +
		results.Snippet(best.File, best.Line, text) + "This is quoted from there; the file may say more.\n")
}

// mentioned quotes what a project's prose says of something that is no part of it, such as a platform.
type mentioned struct{ words string }

const listedMentions = 5

// mentionOf takes the words for it. Languages have versions instead, and what only questions are made of is nothing.
func mentionOf(m []string) instruction {
	words := lexicon.Asked(firstOf(m))
	if len(words) == 0 || len(words) > 3 || slices.ContainsFunc(words, func(w string) bool {
		return languages()[w] || wrapping()[w] || lexicon.Weak[w]
	}) {
		return nil
	}
	return mentioned{strings.Join(words, " ")}
}

func (x mentioned) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	words := strings.Fields(x.words)
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": `(?i)\b` + lexicon.Stem(words[0]),
			"include": slices.Concat(proseFiles, []string{"!.github/**"}), "limit": foundHeadings})}}
	}
	var lines []results.Edge
	for _, m := range results.Decode[countedText](&searches[0]).Matches {
		lacks := func(w string) bool { return !strings.Contains(strings.ToLower(m.Text), lexicon.Stem(w)) }
		if !slices.ContainsFunc(words, lacks) && !conventions.Aside.MatchString(p.Rel(m.File)) &&
			!conventions.IsTranslation(p.Rel(m.File)) {
			lines = append(lines, m)
		}
	}
	if len(lines) == 0 {
		p.results = p.results[1:] // what follows makes its own calls
		return question{}.next(p)
	}
	slices.SortStableFunc(lines, func(a, b results.Edge) int {
		top := func(e results.Edge) int { return min(2, strings.Count(p.Rel(e.File), "/")) }
		return cmp.Or(top(a)-top(b), results.Order(!conventions.Advises(a.Text))-results.Order(!conventions.Advises(b.Text)),
			cmp.Compare(aboutUse(a.File), aboutUse(b.File)))
	})
	best := lines[0]
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": best.File,
			"start_line": max(1, best.Line-conventions.ParagraphLines), "end_line": best.Line + conventions.ParagraphLines})}}
	}
	read := results.Decode[results.ReadResult](&reads[0])
	if !reads[0].OK {
		return p.failed("I could not read it", reads[0])
	}
	paragraph, first := conventions.ParagraphAt(read.Text(), best.Line-read.StartLine)
	text := fmt.Sprintf("%s:%d speaks of %s:\n\n", p.Rel(best.File), best.Line, results.Code(x.words)) +
		results.Snippet(best.File, read.StartLine+first, strings.Join(paragraph, "\n"))
	if len(lines) > 1 {
		text += "Other lines of the project's texts that speak of it:\n\n"
		for _, m := range lines[1:min(len(lines), 1+listedMentions)] {
			text += fmt.Sprintf("- %s:%d: %s\n", p.Rel(m.File), m.Line, results.Code(results.Clip(strings.TrimSpace(m.Text))))
		}
		text += "\n"
	}
	return answerWith(text + "This is quoted; whether it fits your case, I can't judge.\n")
}

// demo says how an example of some name is run: the commands in prose that have the name, then its files.
type demo struct{ name string }

// demoOf takes the name of an example.
func demoOf(m []string) instruction {
	name := lexicon.Bare(firstOf(m))
	if lexicon.Common[name] || lexicon.Fillers[name] || lexicon.Pronouns[name] || wrapping()[name] || len(name) < 2 {
		return nil
	}
	return demo{name}
}

func (x demo) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		return step{calls: []llm.Call{
			callTool("search_text", args{"pattern": `(?i)\b` + regexp.QuoteMeta(x.name) + `\b`, "limit": foundHeadings,
				"include": slices.Concat(proseFiles, []string{"/Makefile", "/package.json", "/justfile"})}),
			callTool("search_text", args{"include": []string{"**/*example*/**/*" + x.name + "*", "**/*demo*/**/*" + x.name + "*",
				"**/*sample*/**/*" + x.name + "*", "*" + x.name + "*example*", "*" + x.name + "*demo*"}, "limit": grepFiles}),
		}}
	}
	var commands, mentions, files []string
	for _, m := range results.Decode[countedText](&searches[0]).Matches {
		place := fmt.Sprintf(" — %s:%d", p.Rel(m.File), m.Line)
		if found := conventions.CommandsIn(m.Text); len(found) > 0 {
			commands = append(commands, results.Codes(found)+place)
		} else {
			mentions = append(mentions, results.Code(results.Clip(strings.TrimSpace(m.Text)))+place)
		}
	}
	for _, file := range p.nearTop(searches[1]) {
		files = append(files, p.Rel(file))
	}
	text := ""
	for _, part := range []struct {
		head  string
		items []string
	}{{"Commands with " + results.Code(x.name), commands}, {"Its files, by their names", files},
		{"Lines that speak of it", mentions}} {
		if len(part.items) > 0 && (len(commands) == 0 || len(part.items) < listedExamples) {
			text += part.head + ":\n\n" + listItems(part.items[:min(nearest, len(part.items))]) + "\n"
		}
	}
	if text == "" {
		return answerWith("I found no example or demo that is called " + results.Code(x.name) + ".\n")
	}
	return answerWith(text + "I have not run them.\n")
}
