package document

import (
	"errors"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// NotebookOpenParams are the parameters of notebookDocument/didOpen.
type NotebookOpenParams struct {
	uri   uri.URI
	cells notebookCells
	fault error // why the cells are not known
}

// NotebookChangeParams are the parameters of notebookDocument/didChange.
type NotebookChangeParams struct {
	uri    uri.URI
	change notebookChange
	fault  error // why the change is not known
}

// A notebookChange changes the list of cells, then the kinds of cells, then their texts. Each part may be empty.
type notebookChange struct {
	array  *cellArrayChange
	opened []cellText
	kinds  []wireCell
	texts  []cellTextChange
}

// A wireCell is a cell without its text.
type wireCell struct {
	Kind     uinteger `json:"kind"`
	Document uri.URI  `json:"document"`
}

// A cellText is the text of a cell that the client has opened.
type cellText struct {
	URI     uri.URI `json:"uri"`
	Version integer `json:"version"`
	Text    *string `json:"text"`
}

// A cellArrayChange replaces cells of the list.
type cellArrayChange struct {
	Start       *uinteger  `json:"start"`
	DeleteCount *uinteger  `json:"deleteCount"`
	Cells       []wireCell `json:"cells"`
}

// A cellTextChange changes the text of a cell.
type cellTextChange struct {
	Document struct {
		URI     uri.URI  `json:"uri"`
		Version *integer `json:"version"`
	} `json:"document"`
	Changes *[]Change `json:"changes"`
}

// UnmarshalJSON implements json.Unmarshaler. It fails only if the notebook is not known.
func (p *NotebookOpenParams) UnmarshalJSON(raw []byte) (err error) {
	var wire struct {
		NotebookDocument struct {
			Cells *[]wireCell `json:"cells"`
		} `json:"notebookDocument"`
		CellTextDocuments []cellText   `json:"cellTextDocuments"`
		Unread            *unreadError `json:"unread"`
	}
	err = protocol.Unmarshal(raw, &wire)
	if p.fault = faultOf(err, wire.Unread, wire.NotebookDocument.Cells == nil, "cells"); p.fault == nil {
		p.cells, p.fault = cellsOf(*wire.NotebookDocument.Cells, nil, wire.CellTextDocuments)
	}
	p.uri, err = notebookURI(raw)
	return err
}

// UnmarshalJSON implements json.Unmarshaler. It fails only if the notebook is not known.
func (p *NotebookChangeParams) UnmarshalJSON(raw []byte) (err error) {
	var wire struct {
		Change *struct {
			Cells struct {
				Structure *struct {
					Array   *cellArrayChange `json:"array"`
					DidOpen []cellText       `json:"didOpen"`
				} `json:"structure"`
				Data        []wireCell       `json:"data"`
				TextContent []cellTextChange `json:"textContent"`
			} `json:"cells"`
		} `json:"change"`
		Unread *unreadError `json:"unread"`
	}
	err = protocol.Unmarshal(raw, &wire)
	if p.fault = faultOf(err, wire.Unread, wire.Change == nil, "change"); p.fault == nil {
		p.change.kinds, p.change.texts = wire.Change.Cells.Data, wire.Change.Cells.TextContent
		if s := wire.Change.Cells.Structure; s != nil {
			p.change.array, p.change.opened = s.Array, s.DidOpen
			if s.Array == nil || s.Array.Start == nil || s.Array.DeleteCount == nil {
				p.fault = errors.New("the structure of the cells has no complete array")
			}
		}
	}
	p.uri, err = notebookURI(raw)
	return err
}

// notebookURI reads the notebook's URI even if the rest does not have the expected form.
func notebookURI(raw []byte) (uri.URI, error) {
	var wire struct {
		NotebookDocument struct {
			URI uri.URI `json:"uri"`
		} `json:"notebookDocument"`
	}
	if err := protocol.Unmarshal(raw, &wire); err != nil {
		return "", err
	}
	if wire.NotebookDocument.URI == "" {
		return "", errors.New("the notebook has no URI")
	}
	return wire.NotebookDocument.URI, nil
}

// prose reports whether a cell is prose.
func (c wireCell) prose() (bool, error) {
	switch protocol.NotebookCellKind(c.Kind) {
	case protocol.NotebookCellKindMarkup:
		return true, nil
	case protocol.NotebookCellKindCode:
		return false, nil
	}
	return false, fmt.Errorf("a cell has the unknown kind %d", c.Kind)
}
