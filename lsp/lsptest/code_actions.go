package lsptest

import (
	"go.lsp.dev/protocol"
)

// WithChangeAnnotations adds to c the support of change annotations.
func WithChangeAnnotations(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	c.Workspace.WorkspaceEdit.ChangeAnnotationSupport = &protocol.ChangeAnnotationsSupportOptions{}
	return c
}

// ApplyAction applies the edit of a code action, as the person chose it.
func (e *Editor) ApplyAction(a *protocol.CodeAction) {
	e.t.Helper()
	if a.Edit == nil || a.Command.Command != "" {
		e.t.Fatalf("the action %q has not exactly an edit", a.Title)
	}
	defer e.update()()
	if err := e.apply(*a.Edit); err != nil {
		e.t.Fatal(err)
	}
}

// plainEdit returns an edit without its annotation, which the editor must have declared. The lock
// is held.
func (e *Editor) plainEdit(element protocol.TextDocumentEditElement) protocol.TextEdit {
	if annotated, ok := element.(*protocol.AnnotatedTextEdit); ok {
		return annotated.TextEdit
	}
	return *element.(*protocol.TextEdit)
}
