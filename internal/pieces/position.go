package pieces

import "unicode/utf8"

// A Unit is what columns count.
type Unit int

// The units.
const (
	Bytes Unit = iota // UTF-8 code units
	UTF16             // UTF-16 code units
	Runes             // UTF-32 code units
)

// Offset returns the offset of a column of a line. A column after the end of the line means
// its end, before the line break. A line after the last one means the end of the text. exact
// is false if the column lies inside a character; the offset is then that of the character.
// A byte that is not valid UTF-8 counts as one unit.
func (t Text) Offset(line, column int, unit Unit) (offset int, exact bool) {
	i := 0
	for ; i < len(t.list) && line > t.list[i].breaks; i++ {
		line -= t.list[i].breaks
		offset += len(t.list[i].text)
	}
	for start := line; i < len(t.list); i++ {
		p := t.list[i]
		at := afterBreaks(p.text, start)
		start = 0
		if at == 0 && p.breaks == 0 && p.length(unit) <= column {
			offset, column = offset+len(p.text), column-p.length(unit)
			continue
		}
		n, left := walk(p.text[at:], column, unit)
		offset += at + n
		if left <= 0 {
			return offset, left == 0
		}
		column = left
	}
	return offset, true
}

// length returns the length of the piece in a unit.
func (p piece) length(unit Unit) int {
	switch unit {
	case Bytes:
		return len(p.text)
	case UTF16:
		return p.runes + p.astral
	}
	return p.runes
}

// afterBreaks returns the offset after the n-th line break of s.
func afterBreaks(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); i++ {
		if endsLine(s, i) {
			n--
		}
	}
	return i
}

// endsLine reports whether the byte at i is the last one of a line break.
func endsLine(s string, i int) bool {
	return s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n')
}

// walk goes a number of columns forward in s, at most to the next line break. It returns
// the bytes that it went and the columns that are left: none if it arrived, some if s ended,
// and a negative number if the column is inside of the next character.
func walk(s string, columns int, unit Unit) (n, left int) {
	for n < len(s) && columns > 0 {
		if s[n] == '\n' || s[n] == '\r' {
			return n, 0
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if columns -= width(r, size, unit); columns < 0 {
			return n, columns
		}
		n += size
	}
	return n, columns
}

// width returns the length in a unit of a rune of size bytes.
func width(r rune, size int, unit Unit) int {
	switch {
	case unit == Bytes:
		return size
	case unit == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}
