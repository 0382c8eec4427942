package chatdoc

import (
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// A Speaker is who wrote a section.
type Speaker string

// The speakers, as headings name them.
const (
	You   Speaker = "You"
	Ploke Speaker = "ploke"
)

// A Document is the structure of a text.
type Document struct {
	// Conversation and Leaf are the ids in the first line, as the text has them: they may name
	// anything. Both are empty in a document whose conversation has not begun.
	Conversation, Leaf string
	IsChat             bool // the first line is that of a chat document
	Sections           []Section

	text   string
	header int // the end of the first line, before its line break
}

// A Section is a heading with the text below it.
type Section struct {
	Speaker Speaker
	Number  int    // of the turn, from 1, as the heading has it
	Detail  string // what the heading says behind the number: a model, or [Answering]
	Start   int    // of the heading
	Body    int    // the start of the line after the heading
	End     int    // the start of the next section, or the end of the text
}

var (
	firstLine   = lazyregexp.New(`^<!-- ploke chat(?: ([\w-]+))?(?: ([\w-]+))? -->\r?(?:\n|$)`)
	headingLine = lazyregexp.New(`(?m)^## (You|ploke) (\d{1,9})(?: · ?([^\r\n]*?))?[ \t]*\r?(?:\n|\z)`)
)

// Parse finds the sections of a text. Any text can be parsed.
func Parse(text string) *Document {
	d := &Document{text: text}
	if m := firstLine.FindStringSubmatchIndex(text); m != nil {
		d.IsChat, d.header = true, len(strings.TrimRight(text[:m[1]], "\r\n"))
		d.Conversation, d.Leaf = group(text, m, 1), group(text, m, 2)
	}
	for _, m := range headingLine.FindAllStringSubmatchIndex(text, -1) {
		if n := len(d.Sections); n > 0 {
			d.Sections[n-1].End = m[0]
		}
		number, _ := strconv.Atoi(group(text, m, 2)) // at most nine digits
		d.Sections = append(d.Sections, Section{
			Speaker: Speaker(group(text, m, 1)), Number: number, Detail: group(text, m, 3),
			Start: m[0], Body: m[1], End: len(text),
		})
	}
	return d
}

func group(text string, m []int, i int) string {
	if m[2*i] < 0 {
		return ""
	}
	return text[m[2*i]:m[2*i+1]]
}

// Text returns the text of a section without the space around it. Lines end with \n.
func (d *Document) Text(s Section) string {
	return clean(d.text[s.Body:s.End])
}

// clean returns a text in the form in which texts are compared.
func clean(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// TextEnd returns the offset of the end of a section's text, before the space that ends it. It is
// not before the end of the heading's line.
func (d *Document) TextEnd(s Section) int {
	return s.Body + len(strings.TrimRight(d.text[s.Body:s.End], " \t\r\n"))
}

// At returns the section at an offset.
func (d *Document) At(offset int) (s Section, ok bool) {
	for _, s := range d.Sections {
		if s.Start <= offset && (offset < s.End || s.End == len(d.text)) {
			return s, true
		}
	}
	return s, false
}

// Draft returns the section in which the person writes the next message: the last one, if it
// is the person's.
func (d *Document) Draft() (s Section, ok bool) {
	if n := len(d.Sections); n > 0 && d.Sections[n-1].Speaker == You {
		return d.Sections[n-1], true
	}
	return s, false
}

// Section returns the first section of a speaker with a number.
func (d *Document) Section(speaker Speaker, number int) (s Section, ok bool) {
	for _, s := range d.Sections {
		if s.Speaker == speaker && s.Number == number {
			return s, true
		}
	}
	return s, false
}
