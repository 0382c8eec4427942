package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// outcome is a question for what happens in some case. Where the search is not sure, it looks for the lines that speak
// of the case and of what it is about.
type outcome struct {
	of     string   // pattern of how code says the case
	things []string // stems of what it is about
	sure   bool     // the lines themselves handle the case, and come before the search
}

const (
	outcomeLines   = 200 // maximum number of lines that are looked at
	listedOutcomes = 8
)

// happens matches a question for what happens in some case.
var happens = lazyregexp.New(`(?i)^(?:what|how|who)\b.*?\b(?:if|when(?:ever)?|once|after|in case|on)\b (.+)$|` +
	`^(?:how|who|what|where)\b.{0,30}\b(?:handles?|deals? with|recovers?|catch(?:es)?|survives?)\b (?:from )?(.+)$`)

// cases are the words of a question for a case, and a pattern of how code says it.
var cases = []struct {
	asked *lazyregexp.Regexp
	said  string
	sure  bool
}{
	{lazyregexp.New(`(?i)\bpanic(?:s|ked|king)?\b`), `\brecover\(\)|catch_unwind\(|\bCatchPanic\b`, true},
	{lazyregexp.New(`(?i)\btwice|\bduplicate|\bsame\b|\balready\b|\boverlap|\bconflict|\bclash|\bcollide`),
		`already|duplicate|existing|twice|conflict|overlap|redeclar|redefin`, false},
	{lazyregexp.New(`(?i)\bmissing\b|\bnot (?:found|there|set|given|registered|known|defined|exist)|\bno\b|n't exist` +
		`|\bunknown\b|\babsent\b|\bundefined\b`),
		`not ?found|missing|no ?such|unknown|undefined|not exist|n't exist|no_?route|required|must be`, false},
	{lazyregexp.New(`(?i)\binvalid\b|\bmalformed\b|\bwrong\b|\bnot valid\b|\bbroken\b|\brejected\b`),
		`invalid|malformed|illegal|unexpected|reject`, false},
	{lazyregexp.New(`(?i)\btoo (?:large|big|long|many|deep)\b|\blarger?\b|\bbigger?\b|\bexceed|\blonger\b`),
		`too ?(?:large|long|big|many|deep)|exceed|limit|over(?:flow|size)`, false},
	{lazyregexp.New(`(?i)\btimes? ?out\b|\btimed out\b|\btoo long\b|\bdeadline\b`), `time[d]?[ _-]?out|deadline`, false},
	{lazyregexp.New(`(?i)\bfail(?:s|ed|ure)?\b|\berrors?\b|\bthrows?\b|\braises?\b|\bcrash(?:es)?\b`),
		`fail|error|exception|throw|raise|crash|abort`, false},
}

// outcomeOf returns the case that a message asks about; nil if it asks about none.
func outcomeOf(message string) instruction {
	message = lexicon.Plain(message)
	m := happens.FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	for _, c := range cases {
		if !c.asked.MatchString(m[1] + m[2]) {
			continue
		}
		x := outcome{of: c.said, sure: c.sure}
		for _, w := range lexicon.Asked(c.asked.ReplaceAllString(m[1]+m[2], " ")) {
			if !lexicon.Weak[w] {
				x.things = append(x.things, lexicon.Stem(w))
			}
		}
		if x.sure || len(x.things) > 0 {
			return x
		}
	}
	return nil
}

func (x outcome) next(p progress) step {
	if x.sure {
		return grep{pattern: x.of, said: "lines that catch a panic", code: true, otherwise: question{}}.next(p)
	}
	searched := question{}.next(p)
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
	for _, thing := range x.things {
		things = append(things, regexp.QuoteMeta(thing))
	}
	return fmt.Sprintf(`(?i)(?:%s).*(?:%s)|(?:%[2]s).*(?:%[1]s)`, x.of, strings.Join(things, "|"))
}

// best returns the lines with most things first, those with a message for people before others.
func (x outcome) best(lines []edge) []edge {
	things := func(e edge) (n int) {
		for _, thing := range x.things {
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
