package conventions

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// ParagraphLines is the maximum number of lines of a [Description].
const ParagraphLines = 12

// Description is the paragraph of a text that says best what something is.
type Description struct {
	Text string
	Line int  // index of its first line
	As   bool // the text is as the lines of the file are: without markup that was left out

	marked bool // it stands within markup that is more than tags of a few words
}

// Describe returns the first prose that may say what something is. Headings, badges, markup, code and licenses are
// none; notices, questions and what stands below a heading of news are rather none, and within markup, prose is found
// last. Without prose it returns the first lines.
func Describe(lines []string) Description {
	best, rank := Description{Text: strings.Join(lines[:min(ParagraphLines, len(lines))], "\n"), As: true}, 9
	inMarkup, inCode, besides := 0, false, false
	for from := 0; from < len(lines); {
		end := from
		for end < len(lines) && strings.Trim(lines[end], " \t\r/*#") != "" && (end == from || !endsParagraph(lines, end)) {
			if fence := strings.TrimSpace(lines[end]); strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~") {
				inCode = !inCode
			}
			if title, ok := Heading(lines, end); ok && !inCode {
				besides = newsTitle.MatchString(title)
			}
			end++
		}
		if !inCode {
			for _, d := range proseIn(lines[from:end]) {
				d.Line += from
				if r := d.rank(inMarkup > 0, besides); r < rank {
					best, rank = d, r
				}
			}
		}
		for _, line := range lines[from:end] {
			inMarkup = max(0, inMarkup+len(blockStart.FindAllString(line, -1))-len(blockEnd.FindAllString(line, -1)))
		}
		from = max(end, from+1)
	}
	return best.withItems(lines)
}

const listedItems = 8 // maximum number of items that a paragraph announces

// withItems adds the list that a paragraph announces with a colon at its end.
func (d Description) withItems(lines []string) Description {
	end := d.Line + strings.Count(d.Text, "\n") + 1
	if !d.As || end >= len(lines) || !strings.HasSuffix(strings.TrimRight(d.Text, " *_"), ":") {
		return d
	}
	at := end
	for at < len(lines) && strings.TrimSpace(lines[at]) == "" {
		at++
	}
	last, items := end, 0
	for at < len(lines) {
		switch {
		case listItem.MatchString(lines[at]):
			items++
		case strings.TrimSpace(lines[at]) != "" && (items == 0 || !indentedItem.MatchString(lines[at])):
			at = len(lines)
			continue
		}
		if at++; items <= listedItems && strings.TrimSpace(lines[at-1]) != "" {
			last = at
		}
	}
	if items > 0 {
		d.Text = strings.Join(lines[d.Line:last], "\n")
	}
	return d
}

// indentedItem matches a further line of an item of a list.
var indentedItem = lazyregexp.New(`^(?:  |\t)`)

// endsParagraph reports whether a line begins something else without an empty line before it: a heading or a rule.
func endsParagraph(lines []string, i int) bool {
	title := strings.TrimLeft(lines[i], "#")
	return title != lines[i] && strings.HasPrefix(title, " ") || rule.MatchString(lines[i])
}

var rule = lazyregexp.New(`^(?:-{3,}|\*{3,}|_{3,})\s*$`)

// newsTitle matches the heading of what is not about the thing itself.
var newsTitle = lazyregexp.New(`(?i)\b(?:news|announce\w*|sponsors?\w*|contents|notices?|licen[cs]e|install\w*|` +
	`support|donat\w*|` +
	`translations?|warning|important|migrat\w*|upgrad\w*|hiring)\b`)

var (
	blockStart = lazyregexp.New(`(?i)<(?:p|div|kbd|table|details|picture|center|h[1-6]|ul)\b[^>/]*>`)
	blockEnd   = lazyregexp.New(`(?i)</(?:p|div|kbd|table|details|picture|center|h[1-6]|ul)>`)
	tag        = lazyregexp.New(`<(?:h(?:[^t>][^>]*)?|[^h>][^>]*)?>|\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|&nbsp;`)
)

// rank is lower for what says rather what something is.
func (d Description) rank(marked, besides bool) int {
	rank := 0
	words := strings.Join(strings.Fields(linkAddress.ReplaceAllString(d.Text, "")), " ")
	text := strings.TrimLeft(words, "*_`#/> ")
	if notice.MatchString(text) || strings.Contains(text, "? ") || strings.HasSuffix(text, "?") || besides {
		rank = 4
	}
	switch {
	case defines.MatchString(text) || marked && !d.marked && isThing.MatchString(text):
	case d.marked:
		rank += 3 // its own lines are markup, rather than what stands around them
	case marked:
		rank += 2
	}
	return rank
}

// defines matches what says what something is though it stands within markup, as below a centered logo: "A clone of cat
// with colors". Captions and thanks have other words.
var defines = lazyregexp.New(`(?i)^an? [^.:!?]*\b(?:for|with|to|of|in|on|that|which|written|based|powered)\b[^:]*$`)

// isThing matches a sentence that says of a name what it is.
var isThing = lazyregexp.New(`^[\w.@/-]+ is (?:an?|the|another|yet another)\b`)

// notice matches the beginning of a text that speaks to the reader, or about the text itself.
var notice = lazyregexp.New(`(?i)^(?:[^\w"']*\s*)?(?:\[?!?(?:note|warning|important|caution|tip|hint|attention|` +
	`announcement|heads[- ]up|` +
	`news|update|deprecated)\b|looking for\b|join\b|sponsor|click\b|see\b|check out\b|read (?:this|the|more|our)\b|` +
	`this (?:branch|readme|document|page|file|is the (?:readme|documentation|development))\b|if you\b|table of contents|` +
	`you (?:are|can|may)\b|for (?:the |more |full |complete |detailed )*(?:docs|documentation|details|information)\b|` +
	`documentation\b|docs\b|visit\b|please\b|thank|welcome to\b|we(?:'re| are) (?:hiring|looking)|english\b|` +
	`other languages|want to\b|need\b|support\b|star\b|follow\b|to (?:get started|install|learn)\b|special thanks)`)

// linkAddress matches the address of a link, whose dots end no sentence.
var linkAddress = lazyregexp.New(`<https?://[^>]*>|\]\([^)]*\)`)

// proseIn returns the prose of a paragraph: its lines if they are prose, else each line that is prose without its
// markup.
func proseIn(paragraph []string) (found []Description) {
	if !slices.ContainsFunc(paragraph, func(line string) bool { return !indented.MatchString(line) }) {
		return nil
	}
	for i, line := range paragraph {
		if isLegal(line) {
			return nil
		}
		if plain := withoutTags(line); isProse(linkTexts(plain)) && tag.ReplaceAllString(plain, "") == plain &&
			!onlyLinks(plain) {
			rest := strings.Join(paragraph[i:min(len(paragraph), i+ParagraphLines)], "\n")
			if plain != line && tag.MatchString(withoutTags(rest)) {
				continue
			}
			return []Description{{Text: withoutTags(rest), Line: i, As: withoutTags(rest) == rest}}
		}
	}
	var bare []string
	first := 0
	for i, line := range paragraph {
		line = strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if len(bare) == 0 {
			first = i
		}
		if line != "" && (len(bare) > 0 || isProse(linkTexts(line)) && !onlyLinks(line)) {
			bare = append(bare, line)
		}
	}
	if len(bare) == 0 {
		return nil
	}
	return []Description{{Text: strings.Join(bare, "\n"), Line: first, marked: true}}
}

// withoutTags returns a text without the tags of HTML that stand around a few words of a sentence.
func withoutTags(text string) string { return inlineTag.ReplaceAllString(text, "") }

var inlineTag = lazyregexp.New(`(?i)</?(?:abbr|acronym|b|bdi|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|` +
	`samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?:\s[^<>]*)?>`)

// linkTexts returns a line of Markdown with the texts of its links, and without its pictures.
func linkTexts(line string) string {
	return markdownLink.ReplaceAllString(picture.ReplaceAllString(line, ""), "$1")
}

// onlyLinks reports whether hardly a word of a line is outside of links and pictures.
func onlyLinks(line string) bool {
	rest := markdownLink.ReplaceAllString(picture.ReplaceAllString(line, ""), "")
	return rest != line && len(wordOfText.FindAllString(rest, -1)) < 3
}

var (
	picture      = lazyregexp.New(`\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\](?:\([^)]*\)|\[[^\]]*\]))?`)
	markdownLink = lazyregexp.New(`\[([^\[\]]+)\](?:\([^)]*\)|\[[^\[\]]*\])`)
	wordOfText   = lazyregexp.New(`\pL{2,}`)
)

// indented matches a line of a block of code in Markdown and reStructuredText.
var indented = lazyregexp.New(`^(?:    |\t)`)

func isLegal(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "copyright") || strings.Contains(line, "spdx-license") || strings.HasPrefix(line,
		"this readme") || strings.Contains(line, "no longer maintained") ||
		strings.HasPrefix(line, "this document")
}

// isProse reports whether a line is a sentence rather than markup or code.
func isProse(line string) bool {
	line = strings.TrimSpace(line)
	text := strings.TrimLeft(line, "/*#!\"' ")
	comment := strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ") ||
		strings.HasPrefix(line, `"""`)
	if line == "" || strings.ContainsAny(line[:1], "#<[!=-|~{}@:>") || strings.HasPrefix(line, "``") ||
		strings.HasPrefix(line, "..") || strings.HasPrefix(line, "image::") || strings.Count(line, " | ") > 1 ||
		strings.Count(line, " • ") > 1 || strings.Count(line, " · ") > 1 {
		return false
	}
	return len(strings.Fields(text)) >= 4 && (comment || !strings.ContainsAny(line[len(line)-1:], "{};=)("))
}

// Heading returns the title that begins in a line of Markdown, reStructuredText or AsciiDoc.
func Heading(lines []string, i int) (string, bool) {
	if title := strings.TrimLeft(lines[i], "#"); title != lines[i] && strings.HasPrefix(title, " ") {
		return strings.TrimSpace(title), true
	}
	if title := strings.TrimLeft(lines[i], "="); title != lines[i] && strings.HasPrefix(title, " ") &&
		strings.TrimSpace(title) != "" { // of AsciiDoc
		return strings.TrimSpace(title), true
	}
	underlined := i+1 < len(lines) && len(lines[i+1]) >= 3 && strings.Trim(lines[i+1], "-=") == ""
	return strings.TrimSpace(lines[i]), underlined && strings.TrimSpace(lines[i]) != "" && !strings.HasPrefix(lines[i],
		"|")
}

// WithoutMarkup returns a line of Markdown without tags and pictures.
func WithoutMarkup(line string) string { return strings.TrimSpace(tag.ReplaceAllString(line, "")) }

// ManifestDescription matches the description in a manifest.
var ManifestDescription = lazyregexp.New(`^\s*"?description"?\s*[:=]\s*"([^"]{8,})"`)

// SectionOf returns the first lines of some that begin with a heading, up to the next heading.
func SectionOf(lines []string) []string {
	fenced := false
	for i := range lines {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), "```") {
			fenced = !fenced
		}
		underline := i == 1 && strings.Trim(lines[i], "-=~^") == ""
		if _, ok := Heading(lines, i); ok && i > 0 && !fenced && !underline {
			lines = lines[:i]
			break
		}
	}
	for len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// ParagraphAt returns the lines of the paragraph that a line is in, and the index of its first one. An item of a list
// is a paragraph of its own, and a heading begins its section.
func ParagraphAt(lines []string, at int) (paragraph []string, first int) {
	if at < 0 || at >= len(lines) {
		return nil, 0
	}
	if _, ok := Heading(lines, at); ok {
		return SectionOf(lines[at:]), at
	}
	first, end := at, at+1
	for first > 0 && strings.TrimSpace(lines[first-1]) != "" && !endsParagraph(lines, first-1) &&
		!listItem.MatchString(lines[first]) {
		first--
	}
	for end < len(lines) && strings.TrimSpace(lines[end]) != "" && !listItem.MatchString(lines[end]) {
		end++
	}
	return lines[first:end], first
}

var listItem = lazyregexp.New(`^\s*(?:[-*+]|\d+[.)])\s`)

// Advises reports whether a line of prose says what one should or can do, rather than to link to that.
func Advises(line string) bool { return advice.MatchString(line) && !onlyLinks(line) }

var advice = lazyregexp.New(`(?i)\b(?:recommend\w*|support\w*|compatib\w*|works?|requires?|should|avoid|instead|` +
	`not|use[ds]?|safe)\b`)

// IsTranslation reports whether a text is a translation by its path, such as README.de.md.
func IsTranslation(p string) bool { return translation.MatchString(p) }

var translation = lazyregexp.New(`(?i)readme[._-][a-z]{2}(?:[-_][a-z]{2,4})?\.\w+$|(?:^|/)(?:docs|i18n|translations)/` +
	`(?:[a-df-z][a-z]|e[a-mo-z])(?:-\w{2,4})?/`)
