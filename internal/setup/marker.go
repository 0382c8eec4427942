package setup

import (
	"bytes"
	"errors"
	"fmt"
)

// errNoBlock says that a file has no block of a client.
var errNoBlock = errors.New("there is no block of ploke-lsp in it")

// bom is the byte order mark that some editors put at the beginning of a file.
var bom = []byte("\ufeff")

// startOfBlock begins the block of any client.
const startOfBlock = ">>> ploke-lsp setup "

// beginOf and endOf return the texts in the comments around the block of a client.
func beginOf(client string) string { return startOfBlock + client + " >>>" }
func endOf(client string) string   { return "<<< ploke-lsp setup " + client + " <<<" }

// markers returns the byte offsets of a client's two markers in text: where the first begins,
// and where the second ends.
func markers(text []byte, client string) (begin, end int, err error) {
	first, last := []byte(beginOf(client)), []byte(endOf(client))
	begin, end = bytes.Index(text, first), bytes.Index(text, last)
	switch begins, ends := bytes.Count(text, first), bytes.Count(text, last); {
	case begins == 0 && ends == 0:
		return 0, 0, errNoBlock
	case begins != 1 || ends != 1 || end < begin:
		return 0, 0, fmt.Errorf("the markers around the block are damaged: there must be one line %q and below it one line "+
			"%q; repair or remove them by hand", first, last)
	}
	return begin, end + len(last), nil
}

// newline returns the line ending of a text: that of its first line.
func newline(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
