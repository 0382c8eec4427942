package lexicon

import (
	"regexp"
	"slices"
	"strings"
)

// HeadingPattern returns a pattern of the headings of prose that have one of the telling words of a question. It
// reports false if the question has too few of them to be told by.
func HeadingPattern(question string) (pattern string, ok bool) {
	words := telling(question, "")
	if len(words) < 2 {
		return "", false
	}
	var parts []string
	for _, w := range words {
		for _, same := range append([]string{w}, alike[w]...) {
			parts = append(parts, regexp.QuoteMeta(same))
		}
	}
	return `(?i)^(?:#{1,6} |=+ |\*\*|[A-Z].*\?$|.*\?\s*\{?#?[\w-]*\}?$).*(?:` + strings.Join(parts, "|") + `)` +
		`|^[A-Z].*(?:` +
		strings.Join(parts, "|") + `).*\?$`, true
}

// TheQuestion is the fit of a heading that is the question itself.
const TheQuestion = 100

// HeadingFit returns how well a heading is the question itself, 0 if it is hardly: it begins with the same three words
// and asks, or it has most of the question's telling words, and they are most of its own. project is the name of the
// project, which tells nothing.
func HeadingFit(question, heading, project string) int {
	asked, headed := telling(question, project), telling(heading, project)
	both := 0
	for _, w := range asked {
		if slices.ContainsFunc(headed, func(h string) bool { return h == w || slices.Contains(alike[w], h) }) {
			both++
		}
	}
	q, h := plainWords(question), plainWords(heading)
	begins := len(q) >= 3 && len(h) >= 3 && slices.Equal(q[:3], h[:3]) &&
		strings.HasSuffix(strings.TrimSpace(heading), "?") &&
		slices.ContainsFunc(telling(strings.Join(q[:3], " "), project), func(string) bool { return true })
	switch {
	case begins:
		return TheQuestion + both
	case both >= 2 && both*4 >= len(asked)*3 && both*10 >= len(headed)*6:
		return both * 100 / (len(asked) + len(headed))
	}
	return 0
}

// telling returns the stems of the words of a question that tell what it is about.
func telling(text, project string) (stems []string) {
	for _, w := range Asked(text) {
		stem := Stem(w)
		if !Fillers[w] && !Common[w] && w != "don" && w != "anything" && w != strings.ToLower(project) &&
			!slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '\'' || r == '_')
	})
}

// alike are stems of other words by which the same is asked.
var alike = map[string][]string{"start": {"spawn", "launch", "creat"}, "spawn": {"start", "launch", "creat"},
	"configur": {"sett", "option"}, "remov": {"delet"}, "delet": {"remov"}, "fail": {"error"}, "error": {"fail"},
	"differ": {"versus", "compar"}, "compar": {"differ", "versus"}, "thread": {"worker"}, "speed": {"fast", "perform"},
	"perform": {"speed", "fast"}, "fast": {"speed", "perform"}}
