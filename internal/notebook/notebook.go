// Package notebook reads Jupyter notebooks of version 4 as cells, and edits them so that all bytes outside of an edited
// cell's source stay as they are.
//
// The format is that of https://nbformat.readthedocs.io/en/latest/format_description.html. Promises:
//
//   - [Parse] takes exactly what is valid JSON in UTF-8 with a list of cells, each of which has a source in one of its
//     two forms, a string or a list of strings, and no key twice where it looks.
//   - An edit keeps the form of a source, its escapes outside of the edited range, and the way in which the file
//     escapes and indents.
//   - What is between two offsets of a [View] within one cell is exactly what the notebook's source has there.
package notebook

import (
	"errors"
	"path/filepath"
	"strings"
)

// MaxBytes is the size up to which notebooks are parsed. Larger ones have images or data in their outputs.
const MaxBytes = 32 << 20

// ErrTooLarge says that a notebook is longer than [MaxBytes].
var ErrTooLarge = errors.New("the notebook is larger than 32 MB: clear its outputs first")

// Is reports whether a file's name is that of a notebook.
func Is(name string) bool { return strings.EqualFold(filepath.Ext(name), ".ipynb") }

// Notebook is a parsed notebook. It is immutable.
type Notebook struct {
	Text  []byte // JSON, not modified
	Cells []Cell

	list  int  // offset in Text of the list of cells
	ascii bool // other characters than those of ASCII are escaped
	ids   bool // cells have ids
}

// Cell is one cell. Offsets are in bytes of the notebook's text, end-exclusive.
type Cell struct {
	Type    string // code, markdown or raw
	Source  string // decoded
	Outputs int    // size of the outputs in bytes of JSON, 0 without any

	start, end int
	source     value // the value of "source"
	at         []int // the offset of each byte of Source, and of its end; nil for an empty list
	starts     []int // the offsets behind the opening quotes of the source's strings
}

// value is where a JSON value is.
type value struct{ start, end int }
