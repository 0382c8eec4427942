package document

import (
	"fmt"
	"slices"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/pieces"
	ploke "ploke-lsp/lsp/protocol"
)

// notebookCells are the cells of a notebook as the editor has them. They are immutable.
type notebookCells []notebookCell

// A notebookCell has its text as a document, which no [Table] has: a cell is not a file.
type notebookCell struct {
	prose bool
	*Document
}

// sources returns the cells for a comparison with those of a file.
func (c notebookCells) sources() (sources []notebook.Source) {
	for _, cell := range c {
		sources = append(sources, notebook.Source{Prose: cell.prose, Text: string(cell.Text.Bytes())})
	}
	return sources
}

// changed returns the cells after a didChange notification. If it returns an error, they are not known any more.
func (c notebookCells) changed(change *notebookChange, encoding ploke.Encoding) (notebookCells, error) {
	next := slices.Clone(c)
	if a := change.array; a != nil {
		start, count := int(*a.Start), int(*a.DeleteCount)
		if count > len(c)-start {
			return nil, fmt.Errorf("cells %d to %d are replaced, of %d", start, start+count, len(c))
		}
		added, err := cellsOf(a.Cells, c, change.opened)
		if err != nil {
			return nil, err
		}
		next = slices.Replace(next, start, start+count, added...)
	}
	for _, k := range change.kinds {
		i, err := next.index(k.Document)
		if err != nil {
			return nil, err
		}
		if next[i].prose, err = k.prose(); err != nil {
			return nil, err
		}
	}
	for _, t := range change.texts {
		if err := next.changeText(&t, encoding); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// changeText changes the text of one of the cells, which no other goroutine has yet.
func (c notebookCells) changeText(t *cellTextChange, encoding ploke.Encoding) error {
	i, err := c.index(t.Document.URI)
	if err != nil {
		return err
	}
	if t.Changes == nil {
		return fmt.Errorf("the cell %s has no changes", t.Document.URI)
	}
	c[i].Document, err = c[i].changed(&ChangeParams{version: (*int32)(t.Document.Version), changes: *t.Changes}, encoding)
	return err
}

func (c notebookCells) index(u uri.URI) (int, error) {
	i := slices.IndexFunc(c, func(cell notebookCell) bool { return cell.URI == u })
	if i < 0 {
		return i, fmt.Errorf("there is no cell %s", u)
	}
	return i, nil
}

// cellsOf returns cells with their texts: those that are opened with them, else those that they have already, since a
// cell that is moved stays open.
func cellsOf(wire []wireCell, before notebookCells, opened []cellText) (cells notebookCells, err error) {
	documents := map[uri.URI]*Document{}
	for _, cell := range before {
		documents[cell.URI] = cell.Document
	}
	for _, o := range opened {
		if o.Text == nil {
			return nil, fmt.Errorf("the cell %s has no text", o.URI)
		}
		documents[o.URI] = &Document{URI: o.URI, Version: int32(o.Version), Text: pieces.New(*o.Text)}
	}
	for _, w := range wire {
		cell := notebookCell{Document: documents[w.Document]}
		if cell.Document == nil {
			return nil, fmt.Errorf("the cell %s was not opened", w.Document)
		}
		if cell.prose, err = w.prose(); err != nil {
			return nil, err
		}
		cells = append(cells, cell)
	}
	return cells, nil
}
