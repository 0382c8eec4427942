package display

import "strings"

// Message is like [Escape] for a message or a question that a client shows in a way that is not known: some make a
// link of `[a](command:b)`, and some draw Markdown, so that words of a model could fetch a picture or run a command
// of the editor. A space behind the character that begins a picture, a link, the definition of one or an element makes
// it text for both, and leaves every character to a reader for whom it is text already.
func Message(text string) string {
	text = Escape(text)
	var b strings.Builder
	from := 0
	for i := range max(0, len(text)-1) {
		if begins(text[i], text[i+1]) {
			b.WriteString(text[from:i+1] + " ")
			from = i + 1
		}
	}
	return b.String() + text[from:]
}

// begins reports whether two characters begin a picture, the destination of a link, a definition, or an element, a
// comment or an address in angle brackets.
func begins(c, next byte) bool {
	switch c {
	case '!':
		return next == '['
	case ']':
		return next == '(' || next == ':'
	case '<':
		return next == '/' || next == '!' || next == '?' || 'a' <= next|0x20 && next|0x20 <= 'z'
	}
	return false
}
