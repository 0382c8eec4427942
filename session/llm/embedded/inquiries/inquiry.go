// Package inquiries answers questions about a project from the lines of its files: what has changed in a version, how a
// thing beside the program is started, what the project supports. Each kind of question is an [Inquiry]: searches, the
// lines to read around what they have found, and what is said of both.
//
// Its promises:
//
//   - It calls no tool: what it returns depends on its arguments only.
//   - It says what lines say, quoted with their places, or that they do not say it.
package inquiries

import (
	"ploke-lsp/session/llm/embedded/results"
)

// Inquiry is a question that the lines of files answer.
type Inquiry interface {
	// Searches returns the arguments of the searches to make, for search_text.
	Searches() []Search
	// Reads returns the lines to read when the searches are made, nil for none.
	Reads(l Look) []Lines
	// Say returns the answer, "" if the lines say nothing of it.
	Say(l Look) string
}

// Search are the arguments of a search_text.
type Search struct {
	Pattern string   `json:"pattern,omitempty"`
	Include []string `json:"include,omitempty"`
	Context int      `json:"context,omitempty"`
	Before  int      `json:"before,omitempty"`
	After   int      `json:"after,omitempty"`
	Limit   int      `json:"limit,omitempty"`
}

// Lines are lines of a file.
type Lines struct {
	File  string `json:"file"`
	First int    `json:"start_line,omitempty"`
	Last  int    `json:"end_line,omitempty"`
}

// Look is what an inquiry sees: the message, and the results of its searches and reads so far.
type Look struct {
	results.Folders
	Message string
	Found   []Found // for each search
	Read    []results.ReadResult
}

// Found is what a search has found: lines, or files if it had no pattern.
type Found struct {
	Matches []Match
	Files   []struct{ File string }
}

// Match is a line, with those around it.
type Match struct {
	results.Edge
	Before, After []string
}
