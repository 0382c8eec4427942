package notebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Delete returns the edit that deletes a cell, counted from 1.
func (nb *Notebook) Delete(number int) Edit {
	c := nb.Cells[number-1]
	switch {
	case number < len(nb.Cells):
		return Edit{Start: c.start, End: nb.Cells[number].start}
	case number > 1:
		return Edit{Start: nb.Cells[number-2].end, End: c.end}
	}
	return Edit{Start: c.start, End: c.end}
}

// Insert returns the edit that inserts a cell behind another one, counted from 1; 0 is before the first one.
func (nb *Notebook) Insert(after int, kind, source string) Edit {
	cell := nb.newCell(after, kind, source)
	switch space := nb.cellSpace(); {
	case len(nb.Cells) == 0:
		return Edit{nb.list + 1, nb.list + 1, cell}
	case after == 0:
		return Edit{nb.Cells[0].start, nb.Cells[0].start, cell + "," + space}
	default:
		at := nb.Cells[after-1].end
		return Edit{at, at, "," + space + cell}
	}
}

// newCell returns a cell as JSON, its keys in the order of the alphabet, as Jupyter writes them.
func (nb *Notebook) newCell(after int, kind, source string) string {
	space := nb.keySpace()
	var fields []string
	add := func(key, value string) {
		colon := ":"
		if space != "" || nb.spaced() {
			colon = ": "
		}
		fields = append(fields, `"`+key+`"`+colon+value)
	}
	add("cell_type", `"`+kind+`"`)
	if kind == "code" {
		add("execution_count", "null")
	}
	if nb.ids || len(nb.Cells) == 0 {
		add("id", `"`+nb.newID(after, source)+`"`)
	}
	add("metadata", "{}")
	if kind == "code" {
		add("outputs", "[]")
	}
	add("source", nb.newSource(source))
	if space == "" {
		return "{" + strings.Join(fields, nb.comma()) + "}"
	}
	end := strings.TrimSuffix(space, nb.indentUnit())
	return "{" + space + strings.Join(fields, ","+space) + end + "}"
}

// newSource returns the source of a new cell, in the form that the other cells have.
func (nb *Notebook) newSource(source string) string {
	if len(nb.Cells) > 0 && nb.Text[nb.Cells[0].source.start] == '"' {
		return `"` + nb.encode(source) + `"`
	}
	return nb.listOf(&Cell{}, source)
}

// newID returns an id of a cell that no other cell has.
func (nb *Notebook) newID(after int, source string) string {
	for seed := after; ; seed++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, source))
		if id := hex.EncodeToString(sum[:4]); !bytes.Contains(nb.Text, []byte(id)) {
			return id
		}
	}
}

// cellSpace returns the white space before the first cell.
func (nb *Notebook) cellSpace() string {
	if len(nb.Cells) == 0 {
		return ""
	}
	if space := string(nb.Text[nb.list+1 : nb.Cells[0].start]); space != "" || !nb.spaced() {
		return space
	}
	return " "
}

// keySpace returns the white space before the first key of a cell.
func (nb *Notebook) keySpace() string {
	if len(nb.Cells) == 0 {
		return ""
	}
	start := nb.Cells[0].start + 1
	return string(nb.Text[start:skipSpace(nb.Text, start)])
}

// indentUnit returns one level of indentation: what the keys of a cell have more than the cell.
func (nb *Notebook) indentUnit() string {
	lastLine := func(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }
	return strings.TrimPrefix(lastLine(nb.keySpace()), lastLine(nb.cellSpace()))
}

// spaced reports whether JSON in one line has spaces behind commas and colons.
func (nb *Notebook) spaced() bool { return bytes.Contains(nb.Text, []byte(`": `)) }

func (nb *Notebook) comma() string {
	if nb.spaced() {
		return ", "
	}
	return ","
}
