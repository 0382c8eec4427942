package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// amount is a question for a limit, a default or a number that the code sets: it lists the names that say so.
type amount struct{ lexicon.Amount }

func amountOf(message string) instruction {
	x, ok := lexicon.AmountOf(message)
	option := lexicon.OptionIn(message)
	switch {
	case ok && lexicon.FlagIn(message) != "": // names that only end with it are others
		return optionValue{option, inquiry{inquiries.Given{Amount: x}, question{}, nil}}
	case ok && option != "":
		return optionValue{option, inquiry{inquiries.Given{Amount: x}, amount{x}, nil}}
	case ok:
		return amount{x}
	}
	return nil
}

// optionValue is a question for the default or the limits of an option whose name the question has as users write it.
// It quotes the code that sets the option up, if that says so, else it is another instruction.
type optionValue struct {
	name      string
	otherwise instruction
}

const aroundOption = 10 // lines behind the name of an option in which its values are

func (x optionValue) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": lexicon.OptionPattern(x.name),
			"include": notTests,
			"context": aroundOption, "limit": listedAmounts})}}
	}
	best, says := caseLine{}, 0
	for _, m := range results.Decode[struct{ Matches []caseLine }](&searches[0]).Matches {
		if n := lexicon.SaysValues(m.Text, m.After); n > says && !conventions.Aside.MatchString(p.Rel(m.File)) {
			best, says = m, n
		}
	}
	if says == 0 {
		p.results = p.results[1:] // what follows makes its own calls
		return x.otherwise.next(p)
	}
	if len(reads) == 0 {
		first := best.Line
		if n := len(best.Before); n > 0 && strings.TrimSpace(best.Before[n-1]) != "" {
			first--
		}
		return step{calls: []llm.Call{callTool("read_file", args{"file": best.File, "start_line": first,
			"end_line": best.Line + lexicon.EntryLines(best.After)})}}
	}
	read := results.Decode[results.ReadResult](&reads[0])
	if !reads[0].OK {
		return p.failed("I could not read it", reads[0])
	}
	return answerWith(fmt.Sprintf("%s is set up at %s:%d, by its name:\n\n%s\n\nThis is quoted; rules don't know what "+
		"the code does with it.\n", results.Code(x.name), p.Rel(best.File), best.Line, read.Snippet))
}

// optionNamed is a question for the default or the limits of an option that the question names by its words alone.
type optionNamed struct{ lexicon.Amount }

func (x optionNamed) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": x.Options(), "include": notTests,
			"limit": amountLines})}}
	}
	name := ""
	for _, m := range results.Decode[countedText](&searches[0]).Matches {
		name = x.BetterOption(name, m.Text)
	}
	p.results = p.results[1:]
	if name == "" {
		return question{}.next(p)
	}
	return optionValue{name, question{}}.next(p)
}

const (
	amountLines   = 400 // maximum number of lines that are looked at
	listedAmounts = 8
)

func (x amount) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		named, inFiles := x.Patterns()
		include := []string{}
		for _, thing := range x.Things {
			include = append(include, "*"+thing+"*")
		}
		calls := []llm.Call{
			callTool("search_text", args{"pattern": named, "limit": amountLines, "include": notTests}),
			callTool("search_text", args{"pattern": inFiles, "limit": amountLines, "include": slices.Concat(include,
				notTests)}),
		}
		if x.Owner != "" {
			calls = append(calls, callTool("search_text", args{"pattern": x.Declares(), "include": notTests}))
		}
		return step{calls: calls}
	}
	made := 2
	if x.Owner != "" {
		made++
	}
	var lines []results.Edge
	for _, r := range searches[:2] {
		lines = append(lines, results.Decode[countedText](&r).Matches...)
	}
	if made > 2 {
		lines = inFilesOf(lines, results.Decode[countedText](&searches[2]).Matches)
	}
	found := slices.DeleteFunc(results.AmountsIn(x.Amount, p.Folders, lines), func(n *results.NamedAmount) bool {
		return n.Value < 2 && n.Qualities == 0 // a thing alone
	})
	if len(found) == 0 {
		p.results = p.results[made:] // what follows makes its own calls
		return optionNamed{x.Amount}.next(p)
	}
	text := "By their names, these may be what you ask for:\n\n"
	if best := found[0]; best.Value == 0 && lexicon.Opens(best.Text) {
		reads := p.of("read_file")
		if len(reads) == 0 {
			return step{calls: []llm.Call{callTool("read_file", args{"file": best.File, "start_line": best.Line,
				"end_line": best.Line + aroundOption})}}
		}
		if read := results.Decode[results.ReadResult](&reads[0]); reads[0].OK {
			text = fmt.Sprintf("By its name, %s may be what you ask for; its first lines are:\n\n%s\n\n",
				results.Code(best.Name), read.Snippet)
			if found = found[1:]; len(found) > 0 {
				text += "Others by their names:\n\n"
			}
		}
	}
	for _, n := range found[:min(listedAmounts, len(found))] {
		text += fmt.Sprintf("- %s — %s:%d: %s\n", results.Code(n.Name), p.Rel(n.File), n.Line,
			results.Code(results.ClipAt(strings.TrimSpace(n.Text), n.Name)))
	}
	if more := len(found) - listedAmounts; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + "\nThis goes by names alone: rules don't know what the code does with them.\n")
}

// inFilesOf returns the lines in the files of some declarations, all if there are none.
func inFilesOf(lines, declarations []results.Edge) []results.Edge {
	if len(declarations) == 0 {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(line results.Edge) bool {
		return !slices.ContainsFunc(declarations, func(d results.Edge) bool { return d.File == line.File })
	})
}

// notTests are the files in which a list of code is looked for.
var notTests = []string{"!*test*", "!**/tests/**", "!**/test/**", "!**/*Tests/**", "!**/*.Tests*/**", "!**/spec/**",
	"!**/examples/**", "!*.md", "!*.rst", "!*.lock", "!*.[1-9]",
	"!CHANGE*", "!package-lock.json"}
