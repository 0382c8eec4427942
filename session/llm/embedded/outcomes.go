package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// outcome is a question for what happens in some case. Where the search is not sure, it looks for the lines that speak
// of the case and of what it is about.
type outcome struct{ lexicon.Case }

const (
	outcomeLines   = 200 // maximum number of lines that are looked at
	listedOutcomes = 8
)

// outcomeOf returns the case that a message asks about; nil if it asks about none.
func outcomeOf(message string) instruction {
	if c, ok := lexicon.CaseOf(message); ok {
		return outcome{c}
	}
	return nil
}

func (x outcome) next(p progress) step {
	if x.Sure {
		return grep{pattern: x.Said, said: "lines that catch a panic", code: true, otherwise: question{}}.next(p)
	}
	said := regexp.MustCompile(`(?i)` + x.Said)
	searched := p.search(func(s symbol) bool { return said.MatchString(s.Canon + "\n" + s.Doc + "\n" + s.Snippet) })
	if len(searched.calls) > 0 || !strings.Contains(searched.text, unsure) {
		return searched
	}
	lines := p.of("search_text")
	if len(lines) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": x.pattern(), "limit": outcomeLines,
			"include": notTests})}}
	}
	found := x.best(decode[countedText](&lines[0]).Matches)
	if !lines[0].OK || len(found) == 0 {
		return searched
	}
	text := "I am not sure what happens then. These lines speak of it:\n\n"
	for _, m := range found[:min(listedOutcomes, len(found))] {
		text += fmt.Sprintf("- %s:%d: %s\n", p.rel(m.File), m.Line, code(clip(strings.TrimSpace(m.Text))))
	}
	return answerWith(text + "\n" + strings.Replace(searched.text, unsure, "The search is not sure: ", 1))
}

// pattern matches the lines with the case and a thing.
func (x outcome) pattern() string {
	var things []string
	for _, thing := range x.Things {
		things = append(things, regexp.QuoteMeta(thing))
	}
	return fmt.Sprintf(`(?i)(?:%s).*(?:%s)|(?:%[2]s).*(?:%[1]s)`, x.Said, strings.Join(things, "|"))
}

// best returns the lines with most things first, those with a message for people before others.
func (x outcome) best(lines []edge) []edge {
	things := func(e edge) (n int) {
		for _, thing := range x.Things {
			if strings.Contains(strings.ToLower(e.Text+" "+base(e.File)), thing) {
				n++
			}
		}
		return n
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(e edge) bool {
		return aside.MatchString(e.File) || isTest(e.File)
	})
	slices.SortStableFunc(lines, func(a, b edge) int {
		return cmp.Or(cmp.Compare(things(b), things(a)), order(strings.ContainsAny(b.Text, `"'`))-
			order(strings.ContainsAny(a.Text, `"'`)))
	})
	return lines
}
