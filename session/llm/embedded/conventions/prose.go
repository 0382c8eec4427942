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

// Describe returns the paragraph that begins with the name and says what it is, else the first prose that says what
// something is, else the first prose. Headings, badges, markup, code and licenses are none; within markup, prose is
// found last. Without prose it returns the first lines.
func Describe(lines []string, name string) Description {
	best, rank := Description{Text: strings.Join(lines[:min(ParagraphLines, len(lines))], "\n"), As: true}, 5
	inMarkup, inCode := 0, false
	for from := 0; from < len(lines); {
		end := from
		for end < len(lines) && strings.Trim(lines[end], " \t/*#") != "" {
			if fence := strings.TrimSpace(lines[end]); strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~") {
				inCode = !inCode
			}
			end++
		}
		if !inCode {
			for _, d := range proseIn(lines[from:end]) {
				d.Line += from
				if r := d.rank(name, inMarkup > 0 || !d.As); r < rank {
					best, rank = d, r
				}
			}
		}
		for _, line := range lines[from:end] {
			inMarkup = max(0, inMarkup+len(blockStart.FindAllString(line, -1))-len(blockEnd.FindAllString(line, -1)))
		}
		from = end + 1
	}
	return best
}

var (
	blockStart = lazyregexp.New(`(?i)<(?:p|div|kbd|table|details|picture|center|h[1-6]|ul)\b[^>/]*>`)
	blockEnd   = lazyregexp.New(`(?i)</(?:p|div|kbd|table|details|picture|center|h[1-6]|ul)>`)
	tag        = lazyregexp.New(`<(?:h(?:[^t>][^>]*)?|[^h>][^>]*)?>|\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|&nbsp;`)
)

// rank is lower for what says rather what something is.
func (d Description) rank(name string, marked bool) int {
	rank := 2
	words := strings.Join(strings.Fields(linkAddress.ReplaceAllString(d.Text, "")), " ")
	switch text := strings.TrimLeft(words, "*_`#/> "); {
	case name != "" && beginsWith(text, name) && saysWhat.MatchString(text):
		return 0
	case strings.Contains(text, "? "), strings.HasSuffix(text, "!"):
	case saysWhat.MatchString(text):
		rank = 1
	}
	if marked {
		rank += 2
	}
	return rank
}

// linkAddress matches the address of a link, whose dots end no sentence.
var linkAddress = lazyregexp.New(`<https?://[^>]*>|\]\([^)]*\)`)

// beginsWith reports whether a text begins with a name, perhaps behind an article.
func beginsWith(text, name string) bool {
	text = strings.TrimPrefix(strings.ToLower(text), "the ")
	rest, ok := strings.CutPrefix(text, strings.ToLower(name))
	return ok && rest != "" && !strings.ContainsAny(rest[:1], "-/_")
}

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
	for i, line := range paragraph {
		bare := strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if bare != strings.TrimSpace(line) && isProse(bare) {
			found = append(found, Description{bare, i, false})
		}
	}
	return found
}

// indented matches a line of a block of code in Markdown and reStructuredText.
var indented = lazyregexp.New(`^(?:    |\t)`)

// saysWhat matches the sentence that says what a project is, not one about its README or its license.
var saysWhat = lazyregexp.New(`(?i)^[^.?!]*?\b(?:is|are|provides?|implements?|lets|allows|helps|for)\b`)

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
	if line == "" || strings.ContainsAny(line[:1], "#<[!=-|~{}@:>") || strings.HasPrefix(line, "``") {
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
