package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
)

// client is the LSP client: its declared capabilities, and the requests and
// notifications to it. A handler must call release before it sends a request.
type client struct {
	conn            jsonrpc2.Conn
	waitForCapacity func() // waits until the write queue is below its limit
	stopCalls       func() // drops all further requests and notifications
	profile
	cancels cancels
	shown   shownProgress
	asked   askedPermissions
	seen    seenProposals
}

// notify sends a notification. It ignores errors, because they mean that the
// connection is ending, which Serve notices.
func (c *client) notify(method string, params any) {
	_ = c.conn.Notify(context.Background(), method, params)
}

// stream sends one notification of a series. It waits while the write queue is
// full. A handler must call release before it calls stream.
func (c *client) stream(method string, params any) {
	c.waitForCapacity()
	c.notify(method, params)
}

// showMessage shows a message to the person at the editor.
func (c *client) showMessage(kind protocol.MessageType, format string, args ...any) {
	c.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: display.Escape(fmt.Sprintf(format, args...))})
}

// applyEdit asks the client to apply an edit. An error reply counts as a refusal,
// because Eglot refuses that way.
func (c *client) applyEdit(ctx context.Context, label string, edit protocol.WorkspaceEdit) (applied bool, reason string, err error) {
	label = display.Name(label)
	var result protocol.ApplyWorkspaceEditResult
	params := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: edit}
	err = protocol.Call(ctx, c.conn, protocol.MethodWorkspaceApplyEdit, params, &result)
	var refusal *jsonrpc2.Error
	switch {
	case errors.As(err, &refusal):
		return false, refusal.Message, nil
	case err != nil:
		return false, "", err
	case result.FailureReason != nil:
		reason = *result.FailureReason
	}
	return result.Applied, reason, nil
}

// showDocument asks the client to open a document.
func (c *client) showDocument(ctx context.Context, params *protocol.ShowDocumentParams) error {
	var result protocol.ShowDocumentResult
	if err := protocol.Call(ctx, c.conn, protocol.MethodWindowShowDocument, params, &result); err != nil {
		return err
	}
	if !result.Success {
		return fmt.Errorf("the editor did not open %s", params.URI)
	}
	return nil
}

// mustMarshal encodes a value of this package; it panics if that fails.
func mustMarshal(v any) protocol.LSPAny {
	data, err := protocol.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
