package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed read_file.md
var readFileDescription string

const (
	readFileBytes    = 32 << 10 // default of max_bytes
	maxReadFileBytes = 64 << 10
)

type readFileArgs struct {
	File      string `json:"file" secrets:"named"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"from 1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"inclusive"`
	MaxBytes  int    `json:"max_bytes,omitempty" jsonschema:"default 32768"`
	windowArgs
}

type readFileResult struct {
	OK        bool   `json:"ok"`
	File      string `json:"file"`
	FileHash  string `json:"file_hash"`
	LineCount int    `json:"line_count"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Snippet   string `json:"snippet"`
	Proposed  string `json:"proposed,omitempty"` // id of the proposal that the text comes from
	Cut       string `json:"cut,omitempty"`      // what is missing, and how to get it
	ShownAs   string `json:"shown_as,omitempty"` // how a notebook is shown
}

func (d Deps) readFile(ctx context.Context, env Env, args readFileArgs) (Result, error) {
	src, named, err := d.sources(env).NamedLines(ctx, "file", args.File)
	if err != nil {
		return Result{}, err
	}
	shownAs, note, err := src.AsShown(ctx)
	if err != nil {
		return Result{}, err
	}
	count := shownAs.LineCount()
	start, end := args.lines(current.Lines{First: args.StartLine, Last: args.EndLine}, named)
	first, last, err := lineRange("the file", start, end, count)
	if err != nil {
		return Result{}, err
	}
	limit, err := amount("max_bytes", args.MaxBytes, readFileBytes, maxReadFileBytes)
	if err != nil {
		return Result{}, err
	}
	shown, missing, short := d.budget(env).readable(shownAs, first, last, limit)
	result := readFileResult{OK: true, File: src.Path, FileHash: src.Hash, LineCount: count,
		StartLine: first, EndLine: first + strings.Count(wording.EndLine(shown), "\n") - 1,
		Snippet: shownAs.Snippet(first, shown), Proposed: src.Proposed, ShownAs: note}
	switch {
	case missing > 0 && shown == "":
		result.Cut = fmt.Sprintf("line %d alone is longer than %d bytes: send a larger max_bytes", first, limit)
	case missing > 0:
		result.Cut = fmt.Sprintf("%d more bytes up to line %d: read on with start_line %d", missing, last, result.EndLine+1)
	}
	if short {
		result.Cut = wording.JoinNotes(result.Cut,
			"long lines are cut: read one alone to see more of it, or find a place in it with search_text; "+
				"an edit of them needs only the part in old")
	}
	return OK(result, fmt.Sprintf("read %s, %s of %d", src.Rel, wording.LinesInWords(first, result.EndLine), count))
}

// longestShown is how many bytes of a line are shown among others. Paragraphs are shorter.
const longestShown = 4000

// readable returns as many of the lines as a result of limit bytes may have, and how many bytes of further lines
// are missing. short says that lines are cut.
func (b resultBudget) readable(src *current.File, first, last, limit int) (shown string, missing int, short bool) {
	text, longest := string(src.Lines(first, last)), longestShown
	if first == last {
		const mark = 40 // bytes
		longest = limit - mark
	}
	for {
		cut := src.ShortLines(text, longest)
		shown, missing = wording.LeadingLines(cut, limit)
		shown, more := b.lines(first, shown)
		if shown != "" || cut == "" || longest < 100 {
			return shown, missing + more, cut != text
		}
		longest /= 2 // the first line alone is too long
	}
}

// Text writes the lines, then the size and the hash of the file.
func (r readFileResult) Text(w *wording.Writer) {
	w.Note(wording.Marked("", r.Proposed))
	w.Shown(r.Snippet)
	w.Linef("%s in the file, hash %s", wording.Plural(r.LineCount, "line"), w.Hash(r.FileHash))
	w.Note(r.Cut)
	w.Note(r.ShownAs)
}
