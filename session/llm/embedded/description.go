package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// description is the paragraph of a text that says best what something is.
type description struct {
	text string
	line int  // index of its first line
	as   bool // the text is as the lines of the file are: without markup that was left out
}

// quoted returns the paragraph with its place, as a snippet if it is as the file has it.
func (d description) quoted(read readResult) string {
	if d.as {
		return snippet(read.File, read.StartLine+d.line, d.text)
	}
	return "> " + strings.ReplaceAll(d.text, "\n", "\n> ") + "\n\n"
}

// describe returns the paragraph that begins with the name and says what it is, else the first prose that says what
// something is, else the first prose. Headings, badges, markup, code and licenses are none; within markup, prose is
// found last. Without prose it returns the first lines.
func describe(lines []string, name string) description {
	best, rank := description{text: strings.Join(lines[:min(paragraphLines, len(lines))], "\n"), as: true}, 5
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
				d.line += from
				if r := d.rank(name, inMarkup > 0 || !d.as); r < rank {
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
func (d description) rank(name string, marked bool) int {
	rank := 2
	words := strings.Join(strings.Fields(linkAddress.ReplaceAllString(d.text, "")), " ")
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
func proseIn(paragraph []string) (found []description) {
	for i, line := range paragraph {
		if isLegal(line) {
			return nil
		}
		if isProse(line) && tag.ReplaceAllString(line, "") == line {
			rest := paragraph[i:min(len(paragraph), i+paragraphLines)]
			return []description{{strings.Join(rest, "\n"), i, true}}
		}
	}
	for i, line := range paragraph {
		bare := strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if bare != strings.TrimSpace(line) && isProse(bare) {
			found = append(found, description{bare, i, false})
		}
	}
	return found
}

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

// described returns what the manifests at the top say that the project is.
func (p progress) fromManifests() string {
	for _, r := range p.of("search_text") {
		found := decode[countedText](&r)
		for _, m := range found.Matches {
			if d := manifestDescription.FindStringSubmatch(m.Text); r.OK && d != nil {
				return fmt.Sprintf("%s:%d: %s\n\n", p.rel(m.File), m.Line, code(d[1]))
			}
		}
	}
	return ""
}

// manifestDescription matches the description in a manifest.
var manifestDescription = lazyregexp.New(`^\s*"?description"?\s*[:=]\s*"([^"]{8,})"`)
