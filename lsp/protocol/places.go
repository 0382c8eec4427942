package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// MethodChatPlaces finds the files and symbols that words of an answer name, such as lib/x.go:12, x.go, Makefile
// and Server.Run.
const MethodChatPlaces = "ploke/chat/places"

// ChatPlacesParams holds words, of which the first [ChatPlacesNames] are looked for.
type ChatPlacesParams struct {
	Names []string `json:"names"`
}

// ChatPlacesNames is how many names one request looks for.
const ChatPlacesNames = 200

// ChatPlacesResult holds what the words name, in their order. A word that names several things has several places, at
// most 20; one that names nothing has none.
type ChatPlacesResult struct {
	Places []ChatPlace `json:"places"`
}

// A ChatPlace is what a word names.
type ChatPlace struct {
	Name  string          `json:"name"` // the word
	URI   uri.URI         `json:"uri"`
	Range *protocol.Range `json:"range,omitzero"` // the name of the symbol, or the lines of the file; omitted for a whole file
	// Signature is that of a symbol, in its language. It is omitted for a file.
	Signature string `json:"signature,omitzero"`
	Label     string `json:"label"` // the path of the file, or the symbol's, relative to the workspace
}

// MethodNotebookCell returns the cell that a line of a notebook's file is in, as citations and places have it, for a
// client that shows notebooks as cells. It fails if the file is no notebook whose cells can be told apart.
const MethodNotebookCell = "ploke/notebook/cell"

// NotebookCellParams names a line of a file, counted from 0.
type NotebookCellParams struct {
	URI  uri.URI `json:"uri"`
	Line int     `json:"line"`
}

// NotebookCellResult is a cell, and a line of its source. Both count from 0.
type NotebookCellResult struct {
	Cell int `json:"cell"`
	Line int `json:"line"`
}
