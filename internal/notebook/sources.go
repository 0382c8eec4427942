package notebook

import "strings"

// A Source is a cell as an editor has it.
type Source struct {
	Prose bool // else it is code, or raw
	Text  string
}

// HasSources reports whether the cells are these, in this order. Editors may show other line ends than the file has.
func (nb *Notebook) HasSources(sources []Source) bool {
	if len(sources) != len(nb.Cells) {
		return false
	}
	for i, s := range sources {
		c := &nb.Cells[i]
		if s.Prose != (c.Type == "markdown") || inOneLineEnd(s.Text) != inOneLineEnd(c.Source) {
			return false
		}
	}
	return true
}

func inOneLineEnd(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
