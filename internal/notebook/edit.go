package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Edit replaces a range of the notebook's JSON.
type Edit struct {
	Start, End int // bytes of the text
	New        string
}

// Replace returns the edit that replaces a range of a view, which must be in one cell's source; see [View.In].
func (v *View) Replace(start, end int, text string) Edit {
	number, ok := v.In(start, end)
	if !ok {
		panic("notebook: the range is not in one cell's source")
	}
	from := v.cells[number-1].source
	return v.nb.replace(&v.nb.Cells[number-1], start-from, end-from, text)
}

// SetSource returns the edit that replaces the source of a cell, counted from 1.
func (nb *Notebook) SetSource(number int, text string) Edit {
	c := &nb.Cells[number-1]
	return nb.replace(c, 0, len(c.Source), text)
}

// replace replaces a range of a cell's source.
func (nb *Notebook) replace(c *Cell, start, end int, text string) Edit {
	if len(c.at) == 0 { // an empty list
		return Edit{c.source.start, c.source.end, nb.listOf(c, text)}
	}
	e := Edit{Start: c.at[start], End: c.at[end]}
	first := slices.Index(c.starts, e.Start)
	ends := nb.Text[e.End] == '"'
	if text == "" && ends && first > 0 { // no empty string is left at the end of the list
		return Edit{nb.stringEnd(c.starts[first-1]), e.End + 1, ""}
	}
	e.New = nb.encode(text)
	if nb.Text[c.source.start] == '[' {
		e.New = nb.split(c, text, ends)
	}
	return e
}

// stringEnd returns the end of the string whose content begins at an offset.
func (nb *Notebook) stringEnd(start int) int { return valueEnd(nb.Text, start-1) }

// split encodes a text so that each of its lines but the first begins a string of a list. ends says that a string ends
// behind it.
func (nb *Notebook) split(c *Cell, text string, ends bool) string {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); ends && n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	for i, line := range lines {
		lines[i] = nb.encode(line)
	}
	return strings.Join(lines, `"`+nb.separator(c)+`"`)
}

// listOf returns a text as the value of a source that was an empty list.
func (nb *Notebook) listOf(c *Cell, text string) string {
	if text == "" {
		return "[]"
	}
	separator := nb.separator(c)
	before := strings.TrimPrefix(separator, ",")
	after := ""
	if at := strings.LastIndexByte(before, '\n'); at >= 0 {
		after = before[:at+1] + strings.TrimSuffix(before[at+1:], nb.indentUnit())
	} else {
		before = ""
	}
	return "[" + before + `"` + nb.split(c, text, true) + `"` + after + "]"
}

// separator returns what stands between two strings of a source: in this cell, else in another one, else what the
// indentation of the file suggests.
func (nb *Notebook) separator(c *Cell) string {
	for _, other := range append([]Cell{*c}, nb.Cells...) {
		if len(other.starts) > 1 {
			return string(nb.Text[nb.stringEnd(other.starts[0]) : other.starts[1]-1])
		}
	}
	for _, other := range append([]Cell{*c}, nb.Cells...) {
		if len(other.starts) == 1 && nb.Text[other.source.start] == '[' {
			if before := string(nb.Text[other.source.start+1 : other.starts[0]-1]); before != "" {
				return "," + before
			}
		}
	}
	if space := nb.keySpace(); space != "" {
		return "," + space + nb.indentUnit()
	}
	return ", "
}

// encode returns a text as it stands in a JSON string of the file.
func (nb *Notebook) encode(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("notebook: a text can't be encoded: " + err.Error())
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	encoded := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029", `\\`, `\\`).Replace(quoted[1 : len(quoted)-1])
	if nb.ascii {
		return inASCII(encoded)
	}
	return encoded
}

// inASCII escapes all other characters of a text as JSON has them.
func inASCII(text string) string {
	var ascii strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case r < utf8.RuneSelf:
			ascii.WriteRune(r)
		case high != utf8.RuneError:
			fmt.Fprintf(&ascii, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&ascii, `\u%04x`, r)
		}
	}
	return ascii.String()
}
