// Package display makes text that comes from files, models and providers safe to show to
// people.
//
// It promises that escaped text shows all of its characters, in their order, and that no
// character of it controls a terminal.
package display

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape escapes control characters, marks that change the order of text, and characters
// without a width, as Go does in strings. They could drive a terminal or deceive the
// reader; see https://trojansource.codes. Escape keeps tabs, line feeds, and carriage
// returns at the end of a line. Bytes that are not UTF-8 stay as they are.
func Escape(text string) string {
	if strings.IndexFunc(text, needsEscape) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError: // or an invalid byte
			_, size := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+size])
		case !needsEscape(r), r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Name is like [Escape] for a name or a title, which has one line: it escapes tabs and line
// ends, too.
func Name(text string) string {
	return lineEnds.Replace(Escape(text))
}

// Prose is like [Escape] for a text that is shown as Markdown, as [SafeMarkdown] makes it: words of
// a model, a file or a provider among those of the program.
func Prose(text string) string { return SafeMarkdown(Escape(text)) }

// ProseName is like [Name] for one that is shown as Markdown.
func ProseName(text string) string { return SafeMarkdown(Name(text)) }

var lineEnds = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// needsEscape reports whether r is a control character other than \n and \t, or a format
// character of Unicode: among these are all that change the order of text or have no width.
func needsEscape(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf) && r != '\n' && r != '\t'
}
