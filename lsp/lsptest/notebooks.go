package lsptest

import (
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// WithNotebooks adds to capabilities that the editor syncs notebooks.
func WithNotebooks(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	c.NotebookDocument = &protocol.NotebookDocumentClientCapabilities{}
	return c
}

// OpenNotebook opens a notebook whose cells of code have these texts. It fails if the server has not asked for
// notebooks.
func (e *Editor) OpenNotebook(path string, texts ...string) {
	e.t.Helper()
	if e.Initialized.Capabilities.NotebookDocumentSync == nil {
		e.t.Fatal("the server has not asked for notebooks")
	}
	p := &protocol.DidOpenNotebookDocumentParams{
		NotebookDocument: protocol.NotebookDocument{URI: uri.File(path), NotebookType: "jupyter-notebook", Version: 1},
	}
	for i, text := range texts {
		u := cellURI(path, i+1)
		p.NotebookDocument.Cells = append(p.NotebookDocument.Cells,
			protocol.NotebookCell{Kind: protocol.NotebookCellKindCode, Document: u})
		p.CellTextDocuments = append(p.CellTextDocuments,
			protocol.TextDocumentItem{URI: u, LanguageID: "python", Version: 1, Text: text})
	}
	e.Notify(protocol.MethodNotebookDocumentDidOpen, p)
}

// ChangeCell gives a cell of an open notebook, counted from 1, another text.
func (e *Editor) ChangeCell(path string, number int, version int32, text string) {
	e.t.Helper()
	e.Notify(protocol.MethodNotebookDocumentDidChange, &protocol.DidChangeNotebookDocumentParams{
		NotebookDocument: protocol.VersionedNotebookDocumentIdentifier{URI: uri.File(path), Version: version},
		Change: protocol.NotebookDocumentChangeEvent{Cells: &protocol.NotebookDocumentCellChanges{
			TextContent: []protocol.NotebookDocumentCellContentChanges{{
				Document: protocol.VersionedTextDocumentIdentifier{
					TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: cellURI(path, number)}, Version: version},
				Changes: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: text}},
			}},
		}},
	})
}

// NotebookSaved tells the server that the editor has written an open notebook.
func (e *Editor) NotebookSaved(path string) {
	e.t.Helper()
	e.Notify(protocol.MethodNotebookDocumentDidSave, &protocol.DidSaveNotebookDocumentParams{
		NotebookDocument: protocol.NotebookDocumentIdentifier{URI: uri.File(path)},
	})
}

// cellURI returns the URI of a cell in the form that VS Code has.
func cellURI(path string, number int) uri.URI {
	return uri.URI(fmt.Sprintf("vscode-notebook-cell:%s#C%d", uri.File(path).Path(), number))
}
