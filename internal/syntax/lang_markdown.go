package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

var markdownRules = rules{
	on: map[string]rule{"section": markdownSection},
	reading: reading{
		nodeTypes: "section heading",
		scan:      scanMarkdown,
	},
}

// markdownMarks matches the markup in a heading: links, images, tags, an anchor, emphasis,
// code.
var markdownMarks = lazyregexp.New("!?\\[([^\\]]*)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])|</?[a-zA-Z][^>]*>|[ " +
	"\t]*\\{#[^}]*\\}$|\\*\\*|`")

// markdownSection declares a section by the text of its heading.
func markdownSection(b *builder, n int) {
	heading := n + 1
	words := markdownMarks.ReplaceAll(b.bytes(heading), []byte("$1"))
	b.declare(n, declaration{kind: KindSection, name: heading, symbolName: title(words), body: -1, bodyAt: b.end(heading)})
}

// markdown finds the headings of a CommonMark text: https://spec.commonmark.org/0.31.2.
type markdown struct {
	*scan
	levels    []int  // levels of the open sections
	fence     []byte // the opening fence of the current code block, nil for none
	holder    []byte // the quote and list markers before the code block
	until     []byte // the end of the current HTML block, nil for none
	paragraph int    // start of the paragraph that an underline would make a heading, or -1
	end       int    // end of that paragraph
}

func scanMarkdown(s *scan) {
	m := markdown{scan: s, paragraph: -1}
	m.frontMatter()
	for m.line() {
		m.block(m.current())
	}
}

// frontMatter skips the settings at the beginning, between two lines of dashes or pluses.
func (m *markdown) frontMatter() {
	mark := m.text[:min(3, len(m.text))]
	if string(mark) != "---" && string(mark) != "+++" {
		return
	}
	at := bytes.Index(m.text, append([]byte{'\n'}, mark...))
	first, _, _ := bytes.Cut(m.text, []byte{'\n'})
	if at < 0 || len(bytes.TrimSpace(first)) != len(mark) {
		return
	}
	for m.next <= at+1 && m.line() {
	}
}

// block reads one line.
func (m *markdown) block(line []byte) {
	if m.fence != nil && m.outside(line) {
		m.fence = nil
	}
	switch indent := indentation(line); {
	case m.fence != nil:
		if closesFence(line, m.fence) {
			m.fence = nil
		}
	case m.until != nil:
		m.html(line)
	case indent == len(line):
		m.paragraph = -1
	case indent > 3 || line[0] == '\t':
		m.end = m.to
	case m.heading(line[indent:], m.from+indent) || m.underline(line[indent:]) || m.code(line):
	default:
		m.words(line[indent:])
		m.html(line[indent:])
	}
}

// heading reads a line that begins with one to six '#' and a blank.
func (m *markdown) heading(line []byte, at int) bool {
	words := bytes.TrimLeft(line, "#")
	level := len(line) - len(words)
	if level == 0 || level > 6 || len(words) > 0 && !blank(words[0]) {
		return false
	}
	at += len(line) - len(bytes.TrimLeft(words, " \t"))
	words = bytes.TrimSpace(words)
	if open := bytes.TrimRight(words, "#"); len(open) == 0 || blank(open[len(open)-1]) {
		words = bytes.TrimSpace(open)
	}
	m.section(level, m.from, min(at, m.to), min(at, m.to)+len(words))
	return true
}

// underline reads a line of '=' or '-' below a paragraph, which makes that a heading.
func (m *markdown) underline(line []byte) bool {
	mark := bytes.TrimRight(line, " \t")
	if m.paragraph < 0 || len(bytes.Trim(mark, string(mark[:1]))) > 0 || mark[0] != '=' && mark[0] != '-' {
		return false
	}
	level := 1
	if mark[0] == '-' {
		level = 2
	}
	m.section(level, m.paragraph, m.paragraph, m.trimmed(m.end))
	return true
}

// section ends the open sections of its level and below, and begins a new one.
func (m *markdown) section(level, start, nameStart, nameEnd int) {
	for len(m.levels) > 0 && m.levels[len(m.levels)-1] >= level {
		m.levels = m.levels[:len(m.levels)-1]
		m.close(start)
	}
	m.levels = append(m.levels, level)
	m.open("section", start)
	m.leaf("heading", nameStart, nameEnd)
	m.paragraph = -1
}

// inside matches the quote and list markers that may precede a code block.
var inside = lazyregexp.New(`^(?:[ \t]*(?:>|(?:[-*+]|[0-9]{1,9}[.)])[ \t]))+`)

// code reads a line that begins a fenced code block.
func (m *markdown) code(line []byte) bool {
	holder := inside.Find(line)
	mark := bytes.TrimLeft(line[len(holder):], " \t")
	if len(mark) == 0 || mark[0] != '`' && mark[0] != '~' {
		return false
	}
	info := bytes.TrimLeft(mark, string(mark[:1]))
	if len(mark)-len(info) < 3 || mark[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return false
	}
	m.fence, m.holder, m.paragraph = mark[:len(mark)-len(info)], holder, -1
	return true
}

// outside reports whether a line ends the quote or the list with the code block.
func (m *markdown) outside(line []byte) bool {
	indent := indentation(line)
	if bytes.IndexByte(m.holder, '>') >= 0 {
		return indent == len(line) || line[indent] != '>'
	}
	return indent < len(line) && indent < len(m.holder)
}

func closesFence(line, fence []byte) bool {
	mark := bytes.Trim(line[len(inside.Find(line)):], " \t")
	return len(mark) >= len(fence) && len(bytes.Trim(mark, string(fence[:1]))) == 0
}

// words records the beginning of a paragraph. Quotes, lists, tables, tags and thematic breaks
// begin none.
func (m *markdown) words(line []byte) {
	rule := bytes.ReplaceAll(line, []byte{' '}, nil)
	across := len(rule) >= 3 && bytes.IndexByte([]byte("*-_"), rule[0]) >= 0 &&
		len(bytes.Trim(rule, string(rule[:1]))) == 0
	switch {
	case inside.Match(line) || across || line[0] == '|' || line[0] == '<':
		m.paragraph = -1
	case m.paragraph < 0:
		m.paragraph, m.end = m.to-len(line), m.to
	default:
		m.end = m.to
	}
}

// markdownTags are the tags of HTML blocks that a blank line does not end, and their end tags.
var markdownTags = [][2]string{{"<!--", "-->"}, {"<pre", "</pre>"}, {"<script", "</script>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"}}

// html reads a block of HTML to its end.
func (m *markdown) html(line []byte) {
	line = bytes.ToLower(line)
	for _, block := range markdownTags {
		if m.until == nil && bytes.HasPrefix(line, []byte(block[0])) {
			m.until, line = []byte(block[1]), line[len(block[0]):]
		}
	}
	if m.until != nil && bytes.Contains(line, m.until) {
		m.until = nil
	}
}
