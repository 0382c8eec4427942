package project

import (
	"context"
	"fmt"
	"math"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/workspace"
)

const (
	shownTextsBytes = 4 << 20
	shownTextBytes  = 1 << 20 // longer texts are not compared
)

// shownTexts are the texts that models were shown last, by their hashes, so that a later turn can say in which
// lines a file has changed. The oldest go first. It is safe for concurrent use.
type shownTexts struct {
	mu    sync.Mutex
	texts map[string][]byte // not modified
	order []string          // the oldest first
	size  int
}

func (t *shownTexts) put(hash string, text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.texts[hash]; known || len(text) > shownTextBytes {
		return
	}
	if t.texts == nil {
		t.texts = map[string][]byte{}
	}
	t.texts[hash] = text
	t.order = append(t.order, hash)
	for t.size += len(text); t.size > shownTextsBytes; t.order = t.order[1:] {
		t.size -= len(t.texts[t.order[0]])
		delete(t.texts, t.order[0])
	}
}

func (t *shownTexts) get(hash string) (text []byte, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, known = t.texts[hash]
	return text, known
}

// Preview returns what a person is shown of a proposal: a unified diff, or the new code if the
// settings say so.
func (p *Project) Preview(ctx context.Context, proposal *edits.Proposal) (string, error) {
	if p.settings.Now().Edits.Preview == "code" {
		return p.Edits.Preview.NewCode(ctx, proposal)
	}
	return p.Edits.Preview.Diff(ctx, proposal)
}

// A model reads a notebook as its cells, and names the lines of that text; an editor names those of the file.

// shownAs returns a file as a model reads it, with the view of its cells if it is a notebook whose cells can be told
// apart.
func shownAs(file *workspace.File) (*workspace.File, *notebook.View) {
	if !notebook.Is(file.Path) {
		return file, nil
	}
	nb, err := notebook.Parse(file.Text)
	if err != nil {
		return file, nil
	}
	shown, view := *file, nb.View()
	// by which its secrets are known; in JSON they may be written otherwise
	shown.Text, shown.Hash = view.Text, workspace.Hash(view.Text)
	return &shown, view
}

// fileLines returns the lines of a file that have lines as a model reads them. view is nil if it reads those of the
// file.
func fileLines(view *notebook.View, l Lines) Lines {
	if view == nil {
		return l
	}
	return Lines{First: view.FileLine(l.First), Last: view.FileLine(max(l.First, l.Last))}
}

// shownLines returns the lines that a model reads of lines of a file, or of a cell.
func shownLines(view *notebook.View, l Lines) Lines {
	if view == nil {
		return l
	}
	if first, last, ok := view.SourceLines(l.Cell); ok {
		return Lines{First: min(first+l.First-1, last), Last: min(first+l.Last-1, last)}
	}
	first := view.ShownLine(l.First)
	return Lines{First: first, Last: max(first, view.ShownLine(l.Last))}
}

// AllLines as the last line stands for all lines.
const AllLines = math.MaxInt32

// LinesInFile returns the lines of a file that have lines as a model names them. They differ in notebooks.
func (a *Attachments) LinesInFile(ctx context.Context, path string, l Lines) Lines {
	if !notebook.Is(path) {
		return l
	}
	file, err := a.ws.Read(ctx, path)
	if err != nil {
		return l
	}
	_, view := shownAs(file)
	return fileLines(view, l)
}

// CellAt returns the cell of a notebook that a line of its file is in, and the line of the cell's source, 0 for none.
// All count from 1. The name is a path or a file URI.
func (a *Attachments) CellAt(ctx context.Context, name string, line int) (cell, inCell int, err error) {
	path, err := a.ws.Resolve(name)
	if err != nil {
		return 0, 0, err
	}
	file, err := a.ws.Read(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	_, view := shownAs(file)
	if view == nil {
		return 0, 0, fmt.Errorf("%s is no notebook whose cells can be told apart", a.ws.Rel(path))
	}
	cell, inCell = view.CellLine(view.ShownLine(line))
	return cell, inCell, nil
}
