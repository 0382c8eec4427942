package inquiries

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// LinesOf asks for lines of a file: it quotes them.
type LinesOf struct{ lexicon.LinesAsked }

// mostLines is the maximum number of lines that are quoted.
const mostLines = 200

// Searches returns the search for the file.
func (x LinesOf) Searches() []Search { return []Search{fileNamed(x.File)} }

// fileNamed returns the search for a file by the end of its path.
func fileNamed(file string) Search {
	return Search{Include: []string{"/" + file, "**/" + file}, Limit: 20}
}

// nearestTo returns the file of some whose path is shortest, "" for none.
func nearestTo(l Look, found Found) string {
	if len(found.Files) == 0 {
		return ""
	}
	var files []string
	for _, f := range found.Files {
		files = append(files, f.File)
	}
	return slices.MinFunc(files, func(a, b string) int {
		return strings.Count(l.Rel(a), "/") - strings.Count(l.Rel(b), "/")
	})
}

// Reads returns the lines.
func (x LinesOf) Reads(l Look) []Lines {
	file := nearestTo(l, l.Found[0])
	if file == "" {
		return nil
	}
	return []Lines{{file, x.First, min(x.Last, x.First+mostLines-1)}}
}

// Say quotes the lines.
func (x LinesOf) Say(l Look) string {
	file := nearestTo(l, l.Found[0])
	switch {
	case file == "":
		return ""
	case len(l.Read) == 0 || len(l.Read[0].Text()) == 0:
		return fmt.Sprintf("%s has no lines %d to %d.\n", l.Rel(file), x.First, x.Last)
	}
	read := l.Read[0]
	text := fmt.Sprintf("%s:%d-%d, of %s:\n\n%s\n\n", l.Rel(read.File), read.StartLine, read.EndLine,
		results.Count(read.LineCount, "line"), read.Snippet)
	if n := len(l.Found[0].Files); n > 1 && l.Rel(file) != x.File {
		text += fmt.Sprintf("%s have that name: name the folder for another one.\n", results.Count(n, "file"))
	}
	return text
}
