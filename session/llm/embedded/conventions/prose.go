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
				if r := d.rank(inMarkup > 0 || !d.As, besides); r < rank {
					best, rank = d, r
				}
			}
		}
		for _, line := range lines[from:end] {
			inMarkup = max(0, inMarkup+len(blockStart.FindAllString(line, -1))-len(blockEnd.FindAllString(line, -1)))
		}
		from = max(end, from+1)
	}
	return best
}

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
	if marked {
		rank += 2
	}
	return rank
}

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
		if isProse(line) && tag.ReplaceAllString(line, "") == line {
			rest := paragraph[i:min(len(paragraph), i+ParagraphLines)]
			return []Description{{strings.Join(rest, "\n"), i, true}}
		}
	}
	var bare []string
	first := 0
	for i, line := range paragraph {
		line = strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if len(bare) == 0 {
			first = i
		}
		if line != "" && (len(bare) > 0 || isProse(line)) {
			bare = append(bare, line)
		}
	}
	if len(bare) == 0 {
		return nil
	}
	return []Description{{strings.Join(bare, "\n"), first, false}}
}

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

// Heading returns the title that begins in a line of Markdown or reStructuredText.
func Heading(lines []string, i int) (string, bool) {
	if title := strings.TrimLeft(lines[i], "#"); title != lines[i] && strings.HasPrefix(title, " ") {
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
