package lsptest

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// answerEdit answers workspace/applyEdit. If the test handles the request, other
// messages are read meanwhile.
func (e *Editor) answerEdit(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	var p protocol.ApplyWorkspaceEditParams
	if err := protocol.Unmarshal(req.Params(), &p); err != nil {
		return nil, err
	}
	e.recordVersions(p.Edit)
	result := &protocol.ApplyWorkspaceEditResult{FailureReason: &e.options.RefuseEdits}
	answer := true
	if e.options.Lie != nil {
		answer = e.options.Lie(&p.Edit)
	}
	apply := func() {
		defer e.update()()
		if e.options.RefuseEdits != "" {
			return
		}
		err := e.apply(p.Edit)
		if errors.Is(err, errStale) { // as editors refuse it: the person has typed meanwhile
			reason := err.Error()
			result = &protocol.ApplyWorkspaceEditResult{FailureReason: &reason}
			return
		}
		if err != nil {
			e.t.Errorf("the edit can't be applied: %v", err)
			return
		}
		result = &protocol.ApplyWorkspaceEditResult{Applied: answer}
	}
	if e.options.OnApplyEdit == nil {
		apply()
		return result, nil
	}
	jsonrpc2.Async(pooled)
	e.options.OnApplyEdit(apply)
	return result, nil
}

// recordVersions notes whether an edit names the version of a document.
func (e *Editor) recordVersions(edit protocol.WorkspaceEdit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, change := range edit.DocumentChanges {
		if c, ok := change.(*protocol.TextDocumentEdit); ok && c.TextDocument.Version != nil {
			e.editedVersion = true
		}
	}
}

// EditedVersion reports whether the server sent an edit that names the version of a document.
func (e *Editor) EditedVersion() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.editedVersion
}
