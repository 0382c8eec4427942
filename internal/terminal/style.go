package terminal

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/display"
)

// A Style is a set of attributes and at most one color.
type Style uint16

// The attributes and colors, which the person's palette defines.
const (
	Bold Style = 1 << iota
	Dim
	Italic
	Underline
	Strike
	Red
	Green
	Yellow
	Blue
	Cyan
)

// parameters are those of the sequence that sets an attribute, in the order of the bits.
var parameters = [...]string{"1", "2", "3", "4", "9", "31", "32", "33", "34", "36"}

// sequence returns the sequence that sets the style; "" for none.
func (s Style) sequence() string {
	var set []string
	for i, p := range parameters {
		if s&(1<<i) != 0 {
			set = append(set, p)
		}
	}
	if set == nil {
		return ""
	}
	return "\x1b[" + strings.Join(set, ";") + "m"
}

const reset = "\x1b[0m"

// A Span is text in a style, and where it leads; "" if it is not a link.
type Span struct {
	Text  string
	Style Style
	Link  string
}

// String returns the span as it is written to a terminal.
func (s Span) String() string {
	text := display.Escape(s.Text)
	if begin := s.Style.sequence(); begin != "" && text != "" {
		text = begin + text + reset
	}
	if s.Link == "" || text == "" {
		return text
	}
	return "\x1b]8;;" + address(s.Link) + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// Styled returns a text in a style as it is written to a terminal.
func Styled(text string, style Style) string { return Span{Text: text, Style: style}.String() }

// address writes all bytes of an address that are not printable ASCII with a percent sign, and so a line end, the end
// of the sequence, and a letter that looks like another.
func address(link string) string {
	var b strings.Builder
	for i := range len(link) {
		if c := link[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
