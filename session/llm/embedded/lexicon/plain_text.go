package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// PlainText shows what people have written, such as a commit's subject, so that nothing in it is markup but pairs of
// backticks. A sign that Markdown draws as it is has no backslash: where nothing is drawn, one would be seen.
func PlainText(s string) string {
	spans := strings.Split(strings.ReplaceAll(s, "\n", " "), "`")
	if len(spans)%2 == 0 {
		spans = []string{strings.Join(spans, "\\`")}
	}
	for i := 0; i < len(spans); i += 2 {
		spans[i] = markup.ReplaceAllStringFunc(spans[i], func(found string) string {
			return strings.NewReplacer("<", "\\<", "[", "\\[", "*", "\\*").Replace(found)
		})
	}
	return strings.Join(spans, "`")
}

// markup matches what Markdown would draw otherwise: links, tags and emphasis.
var markup = lazyregexp.New(`\[[^\]]*\][(\[:].*|<[a-zA-Z/!?].*|\*.*\*`)

// Span returns the words for the time between two days, "" if they are unknown.
func Span(first, last string) string {
	switch first {
	case "":
		return ""
	case last:
		return ", on " + first
	}
	return ", " + first + " to " + last
}
