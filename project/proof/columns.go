package proof

import (
	"strings"
	"unicode/utf8"

	"ploke-lsp/internal/terminal"
)

// counting names how a tool counts lines and columns; "" if its problems have no columns.
type counting string

// columns is a way to count lines and columns, which begin at 1 in all of them. An [evidence.Problem] counts bytes, and
// a line feed ends its lines.
type columns struct {
	width  func(rune) int // of a character
	tab    int            // columns from one tab stop to the next; 0: a tab is a character
	breaks string         // what ends a line besides a line feed
	mark   bool           // a byte order mark is counted
}

// countings has the ways in which a tool may count: one that is known by what else it prints, or several that must
// agree. Each was tried on lines with "😀é\t" before the problem, as testdata/columns has them.
var countings = map[counting][]columns{
	"go":      {{width: utf8.RuneLen, mark: true}}, // go/token: Position.Column is a byte count
	"rust":    {{width: one}},                      // rustc's JSON: a character offset
	"panic":   {{width: panicWidth}},
	"script":  {{width: utf16Length, breaks: "\r\u2028\u2029"}},                // TypeScript and ESLint: strings of ECMAScript
	"python":  {{width: one, breaks: "\r"}},                                    // Ruff: "character offset"
	"pyright": {{width: utf16Length, breaks: "\r"}},                            // as in LSP
	"mypy":    {{width: utf8.RuneLen, mark: true}, {width: one, breaks: "\r"}}, // by version: bytes as Python's ast, or characters
	"javac":   {{width: utf16Length, breaks: "\r"}},                            // the caret below the line
	"maven":   {{width: utf16Length, tab: 8, breaks: "\r"}},                    // javax.tools.Diagnostic, as javac makes it
	"kotlin":  {{width: utf16Length, breaks: "\r"}},                            // strings of the JVM
	"dotnet":  {{width: utf16Length, breaks: "\r\u0085\u2028\u2029"}},          // Roslyn: LinePosition, SourceText
	"elixir":  {{width: one}},                                                  // code points
	gcc:       {{width: terminal.RuneWidth, tab: 8, breaks: "\r"}},             // -fdiagnostics-column-unit=display, since 11
	clang:     {{width: utf8.RuneLen, breaks: "\r"}},                           // and GCC before 11
	anyC:      {{width: terminal.RuneWidth, tab: 8, breaks: "\r"}, {width: utf8.RuneLen, breaks: "\r"}},
	"any":     {{width: utf8.RuneLen}, {width: one}, {width: utf16Length}},
	compiler:  {{width: utf8.RuneLen}, {width: one}, {width: utf16Length}, {width: terminal.RuneWidth, tab: 8}},
}

// Compilers of C are told apart by the picture below a problem, see [found.countedBy].
const (
	gcc      counting = "gcc"
	clang    counting = "clang"
	anyC     counting = "c"
	compiler counting = "any that says error or warning"
)

func one(rune) int { return 1 }

// panicWidth is how rustc counts what is before the place of a panic: a wide character is 2, and each tab 4.
func panicWidth(r rune) int {
	if r == '\t' {
		return 4
	}
	return terminal.RuneWidth(r)
}

func utf16Length(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// byteOrderMark may begin a file of text.
const byteOrderMark = "\ufeff"

// place returns the place in a text that a tool means, in lines and bytes. The column is 0 if it is not known for sure,
// or there is none.
func (c counting) place(text string, line, column int) (ourLine, ourColumn int) {
	if line == 0 || len(countings[c]) == 0 {
		return line, column
	}
	for i, way := range countings[c] {
		l, col := way.place(text, line, max(column, 1))
		if column == 0 {
			return l, 0
		}
		if i > 0 && (l != ourLine || col != ourColumn) {
			return line, 0
		}
		ourLine, ourColumn = l, col
	}
	return ourLine, ourColumn
}

func (w columns) place(text string, line, column int) (ourLine, ourColumn int) {
	marked := strings.HasPrefix(text, byteOrderMark)
	text = strings.TrimPrefix(text, byteOrderMark)
	start, ok := w.lineStart(text, line)
	if !ok {
		return line, 0 // the text is another one than the tool has read
	}
	if marked && w.mark && line == 1 {
		column -= len(byteOrderMark)
	}
	at, ok := w.offset(text[start:], column)
	ourLine = 1 + strings.Count(text[:start], "\n")
	if !ok {
		return ourLine, 0
	}
	return ourLine, start + at - strings.LastIndexByte(text[:start], '\n')
}

// lineStart returns where a line begins.
func (w columns) lineStart(text string, line int) (at int, ok bool) {
	for ; line > 1; line-- {
		end := strings.IndexAny(text[at:], "\n"+w.breaks)
		if end < 0 {
			return 0, false
		}
		at += end
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, true
}

// offset returns where a column of the first line of a text is, which may be behind its last character.
func (w columns) offset(text string, column int) (at int, ok bool) {
	now := 1
	for i, r := range text {
		switch {
		case now == column && w.width(r) == 0: // a mark on the character before
		case now >= column:
			return i, now == column
		case r == utf8.RuneError || r == 0 || strings.ContainsRune("\n"+w.breaks, r): // another encoding, or the end
			return 0, false
		case r == '\t' && w.tab > 0:
			now += w.tab - (now-1)%w.tab
		default:
			now += w.width(r)
		}
	}
	return len(text), now == column
}
