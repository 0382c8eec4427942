package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// outcome is a question for what happens in some case. It quotes the line that reports the case, such as one that
// throws; else what the search finds; and where that is not sure, the lines that speak of the case and of what it is
// about.
type outcome struct{ lexicon.Case }

const (
	outcomeLines   = 200 // maximum number of lines that are looked at
	aroundOutcome  = 3   // of such a line
	listedOutcomes = 8
)

// outcomeOf returns the case that a message asks about; nil if it asks about none.
func outcomeOf(message string) instruction {
	if lexicon.AsksExitCode(message) && !lexicon.OfAnotherProgram(message) {
		return exitCode{}
	}
	if c, ok := lexicon.CaseOf(message); ok {
		return outcome{c}
	}
	return nil
}

// caseLine is a line that may speak of a case, with the lines around it.
type caseLine struct {
	results.Edge
	Before, After []string
	rank          int // higher for one that says rather what happens
	reports       bool
}

// near returns what stands around a line, and the name of its file.
func (l caseLine) near() string {
	return strings.Join(slices.Concat(l.Before, l.After), "\n") + results.Base(l.File)
}

func (x outcome) next(p progress) step {
	if x.Sure {
		return grep{pattern: x.Said, said: "lines that catch a panic", code: true, otherwise: question{}}.next(p)
	}
	x.Case = x.Without(p.Name())
	lines := p.of("search_text")
	if len(lines) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": x.Pattern(), "limit": outcomeLines,
			"include": notTests, "context": aroundOutcome})}}
	}
	found := x.best(p.Folders, results.Decode[struct{ Matches []caseLine }](&lines[0]).Matches)
	if len(found) > 0 && found[0].reports {
		found = slices.DeleteFunc(found, func(m caseLine) bool { return !m.reports })
		what := "This line reports it, by its words"
		if x.Lacks(found[0].Text, found[0].near()) {
			what = "I am not sure. The nearest line that reports a failure, by its words"
		}
		return p.reporting(what, found, "")
	}
	said := regexp.MustCompile(`(?i)` + x.Said)
	happens := lexicon.AsksWhatHappens(p.message)
	searched := p.search(func(s results.Symbol) bool {
		if happens { // code with the words of a case seldom says what happens then
			return x.Said != "" && said.MatchString(s.Canon+"\n"+s.Doc)
		}
		return said.MatchString(s.Shown())
	})
	if len(searched.calls) > 0 || !strings.Contains(searched.text, unsure) {
		return searched
	}
	if s := x.ends(p); s != nil {
		return *s
	}
	if len(found) == 0 {
		return searched
	}
	found = slices.DeleteFunc(found, func(m caseLine) bool { return !x.Speaks(m.Text, m.near()) })
	if len(found) == 0 {
		return searched
	}
	text := "I am not sure what happens then. These lines speak of it:\n\n"
	return answerWith(text + listedLines(p.Folders, found) + "\n" + strings.Replace(searched.text, unsure,
		"The search is not sure: ", 1))
}

// ends lists the lines that end with a failure the code which has the case's things in its name, nil if none does.
func (x outcome) ends(p progress) *step {
	search := p.of("request_code_context")[0]
	for _, s := range bestFirst(p.message, results.Decode[results.SearchResult](&search).Results) {
		lines := s.Deciding()
		if !s.NamesMost(x.Things) || len(lines) == 0 {
			continue
		}
		text := fmt.Sprintf("I am not sure what happens then. By its name, %s at %s is about it, and these of its lines end "+
			"it with a failure:\n\n", results.Code(s.Canon), p.Location(s.ID))
		text += p.ListLines(lines[:min(listedOutcomes, len(lines))], listedOutcomes)
		s := answerWith(text + "\nRules don't know which of them the case comes to.\n")
		return &s
	}
	return nil
}

// reporting quotes the first line with those around it, and lists the others before what is said last.
func (p progress) reporting(what string, found []caseLine, last string) step {
	best, reads := found[0], p.of("read_file")
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", args{"file": best.File,
			"start_line": max(1, best.Line-aroundOutcome-1), "end_line": best.Line + aroundOutcome})}}
	}
	text := fmt.Sprintf("%s, at %s:%d:\n\n%s", what, p.Rel(best.File), best.Line,
		results.Code(strings.TrimSpace(best.Text)))
	if read := results.Decode[results.ReadResult](&reads[0]); reads[0].OK {
		text = fmt.Sprintf("%s, at %s:%d:\n\n%s", what, p.Rel(best.File), best.Line, read.Snippet)
	}
	text += "\n\n"
	if len(found) > 1 {
		text += "Other lines that speak of it:\n\n" + listedLines(p.Folders, found[1:]) + "\n"
	}
	return answerWith(text + last + "This goes by the words of the lines: rules don't follow what the code does.\n")
}

// listedLines lists the first lines.
func listedLines(f results.Folders, found []caseLine) (list string) {
	for _, m := range found[:min(listedOutcomes, len(found))] {
		list += fmt.Sprintf("- %s:%d: %s\n", f.Rel(m.File), m.Line, results.Code(results.Clip(strings.TrimSpace(m.Text))))
	}
	return list
}

// best returns the lines that speak of most of what is asked, those first that report a failure.
func (x outcome) best(f results.Folders, lines []caseLine) []caseLine {
	lines = slices.DeleteFunc(slices.Clone(lines), func(e caseLine) bool {
		return conventions.Aside.MatchString(f.Rel(e.File)) || results.IsTest(f.Rel(e.File))
	})
	for i, line := range lines {
		lines[i].rank, lines[i].reports = x.Rank(line.Text, line.near())
	}
	slices.SortStableFunc(lines, func(a, b caseLine) int {
		return cmp.Or(results.Order(b.reports)-results.Order(a.reports), cmp.Compare(b.rank, a.rank))
	})
	return lines
}
