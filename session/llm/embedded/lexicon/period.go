package lexicon

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Period is the time that a message speaks of. Its ends are days such as 2026-01-31, days ago such as 14d, names of
// days and months, day, week, month, quarter or year for the current one, or names of tags; release is the last tag.
// Both belong to the period. "" is no end.
type Period struct{ Since, Until string }

// PeriodOf returns the period in a question for what has changed, and the question without it.
func PeriodOf(message string) (p Period, rest string, ok bool) {
	message = numbered(Plain(message))
	if !changing.MatchString(message) {
		return Period{}, "", false
	}
	for _, form := range periods {
		m := form.pattern.FindStringSubmatchIndex(message)
		if m == nil {
			continue
		}
		var groups []string
		for i := 2; i < len(m); i += 2 {
			groups = append(groups, strings.ToLower(message[max(0, m[i]):max(0, m[i+1])]))
		}
		if p := form.of(groups); p != (Period{}) {
			rest := strings.TrimSpace(message[:m[0]]) + " " + strings.TrimSpace(message[m[1]:])
			return p, Strip(strings.TrimSpace(rest), SentenceEnd), true
		}
	}
	return Period{}, "", false
}

// changing matches the words of questions for what has changed.
var changing = lazyregexp.New(`(?i)\b(?:chang\w*|commit\w*|happen\w*|new|news|merged|landed|done|did|work(?:ed` +
	`|ing)?(?: on)?|` +
	`updat\w*|activity|log|history|modified|touched|edited|added|fixed|removed|going on|progress)\b`)

const (
	unitWords = `(hours?|days?|weeks?|fortnights?|sprints?|months?|quarters?|years?)`
	dayNames  = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	months    = `january|february|march|april|may|june|july|august|september|october|november|december`
	dated     = `\d{4}-\d{2}(?:-\d{2})?`
	// moment is an end of a period: a day, a month, a year, or the name of a tag, which has a digit.
	moment = `(?:the )?(?:(?:tag|release|version|commit) )?(` + dated + `|(?:\d+ (?:hours?|days?|weeks?` +
		`|fortnights?|months?|` +
		`quarters?|years?) ago)|(?:last )?(?:` + dayNames + `)|today|now|yesterday|(?:last|(?:beginning` +
		`|start) of (?:the|this)|this) ` +
		`(?:week|month|quarter|year)|(?:` + months + `)(?: \d{4})?|(?:(?:last|latest|previous|newest|most recent) )` +
		`(?:release|version|tag)|head|[\w./+-]*\d[\w.+-]*)`
)

var periods = []struct {
	pattern *lazyregexp.Regexp
	of      func(m []string) Period
}{
	{lazyregexp.New(`(?i)(?:,? \b(?:in|within|over|during|for|from))?(?:^| )(?:the )?(?:last|past|previous|preceding) ` +
		`(?:(\d+) )?` + unitWords + `\b`), func(m []string) Period { return Period{Since: daysOf(m[0], m[1])} }},
	{lazyregexp.New(`(?i),? ?\b(?:between|from) ` + moment + ` (?:and|to|until|till) ` + moment + `(?: |$)`),
		func(m []string) Period { return Period{momentOf(m[0]), momentOf(m[1])} }},
	{lazyregexp.New(`(?i),? ?\b(?:since|after|from|starting(?: from)?) ` + moment + `(?: |$)`),
		func(m []string) Period { return Period{Since: momentOf(m[0])} }},
	{lazyregexp.New(`(?i),? ?\b(?:before|until|till|up to) ` + moment + `(?: |$)`),
		func(m []string) Period { return Period{Until: momentOf(m[0])} }},
	{lazyregexp.New(`(?i)(?:^| )(?:(?:in|during|over) )?this (day|week|month|quarter|year)\b`),
		func(m []string) Period { return Period{Since: m[0]} }},
	{lazyregexp.New(`(?i)(?:^| )(today|yesterday)\b`), func(m []string) Period {
		if m[0] == "today" {
			return Period{Since: "day"}
		}
		return Period{"1d", "1d"}
	}},
	{lazyregexp.New(`(?i),? (?:on|in|during) ((?:` + months + `)(?: \d{4})?|(?:19|20)\d{2}|` + dated + `)(?: |$)`),
		func(m []string) Period { return Period{momentOf(m[0]), momentOf(m[0])} }},
	{lazyregexp.New(`(?i),? (?:on|last) (` + dayNames + `)\b`), func(m []string) Period { return Period{m[0], m[0]} }},
}

// daysOf returns a number of units as days ago.
func daysOf(n, unit string) string {
	days := map[string]int{"hour": 1, "day": 1, "week": 7, "fortnight": 14, "sprint": 14, "month": 31, "quarter": 92,
		"year": 366}[strings.TrimSuffix(unit, "s")]
	count, err := strconv.Atoi(n)
	switch {
	case err != nil:
		count = 1
	case strings.HasPrefix(unit, "hour"):
		count = (count + 23) / 24
	}
	return strconv.Itoa(days*min(count, 10_000)) + "d"
}

// momentOf returns an end of a period for its words.
func momentOf(words string) string {
	fields := strings.Fields(words)
	last := fields[len(fields)-1]
	switch {
	case last == "ago":
		return daysOf(fields[0], fields[1])
	case last == "today", last == "now", last == "head":
		return "0d"
	case last == "yesterday":
		return "1d"
	case last == "release", last == "version", last == "tag":
		return "release"
	case fields[0] == "last" && !slices.Contains(strings.Split(dayNames, "|"), last):
		return daysOf("1", last)
	case len(fields) > 1 && slices.Contains(strings.Split(months, "|"), fields[0]):
		month := slices.Index(strings.Split(months, "|"), fields[0]) + 1
		return last + "-" + strconv.Itoa(100 + month)[1:]
	}
	return last
}

// numbered writes the numbers before units of time in digits.
func numbered(message string) string {
	return numberWord.ReplaceAllStringFunc(message, func(words string) string {
		m := numberWord.FindStringSubmatch(words)
		return numberWords[strings.ToLower(m[1])] + " " + m[2]
	})
}

var (
	numberWord = lazyregexp.New(`(?i)\b(couple|half a dozen|few|several|an?|one|two|three|four|five|six|seven` +
		`|eight|nine|ten|` +
		`twelve|some)(?: of)? (hours?|days?|weeks?|fortnights?|months?|quarters?|years?)\b`)
	numberWords = map[string]string{"couple": "2", "few": "3", "several": "5", "some": "3", "half a dozen": "6", "a": "1",
		"an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
		"nine": "9", "ten": "10", "twelve": "12"}
)

// Said says when something was, by the first and the last day of a period; a tag is said by its name.
func (p Period) Said(first, last string) string {
	since, until := cmp.Or(first, p.Since), cmp.Or(last, p.Until)
	switch {
	case since == until && first != "":
		return "of " + since
	case until == "":
		return "since " + since
	case since == "":
		return "until " + until
	}
	return "between " + since + " and " + until
}

// AboutChanges returns the words of a question for what has changed that say in what.
func AboutChanges(message string) []string {
	return slices.DeleteFunc(Asked(changing.ReplaceAllString(Plain(message), " ")), func(w string) bool {
		return Weak[w] || OfCommits[w] || Fillers[w] || unitOfPlace[w] || ofTeams[w]
	})
}

var ofTeams = SetOf("people " +
	"person team anyone anybody everyone someone author authors developers contributors lot much " +
	"many stuff " +
	"things summary summarize overview were been")
