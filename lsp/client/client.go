package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/wire"
)

// A Client is the LSP client: its declared capabilities, and the requests and
// notifications to it. A handler must call release before it sends a request.
type Client struct {
	conn  jsonrpc2.Conn
	queue *wire.Stream // of what is written to the connection
	Profile
	cancels  cancels
	progress shownProgress
	asked    askedPermissions
	Shown    ShownVersions
}

// New returns the client at the other end of a connection, which writes to a queue. Its profile is that of
// a client that declares nothing.
func New(conn jsonrpc2.Conn, queue *wire.Stream) *Client {
	return &Client{conn: conn, queue: queue, Profile: Profile{Encoding: protocol.PositionEncodingKindUTF16}}
}

// responsesApart is the time in which a client that stops at responses has read one. It waits for it, so that is soon.
const responsesApart = 30 * time.Millisecond

// Introduce sets the profile, which the client has sent.
func (c *Client) Introduce(p Profile) {
	c.Profile = p
	if p.StopsAtResponses {
		c.queue.SetResponsesApart(responsesApart)
	}
}

// ResponsesApart is for how long what follows a response is kept back from the client that sends these parameters of
// initialize.
func ResponsesApart(p *protocol.InitializeParams) time.Duration {
	if quirksOf(p).StopsAtResponses {
		return responsesApart
	}
	return 0
}

// Call sends a request and waits for its result.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, c.conn, method, params, result)
}

// WaitForCapacity waits until the queue of what is written is below its limit.
func (c *Client) WaitForCapacity() { c.queue.WaitForCapacity() }

// StopCalls drops all further requests and notifications.
func (c *Client) StopCalls() { c.queue.OnlyRespond() }

// Notify sends a notification. It ignores errors, because they mean that the
// connection is ending, which Serve notices.
func (c *Client) Notify(method string, params any) {
	_ = c.conn.Notify(context.Background(), method, params)
}

// Stream sends one notification of a series. It waits while the write queue is
// full. A handler must call release before it calls stream.
func (c *Client) Stream(method string, params any) {
	c.WaitForCapacity()
	c.Notify(method, params)
}

// ShowMessage shows a message to the person at the editor.
func (c *Client) ShowMessage(kind protocol.MessageType, format string, args ...any) {
	c.Notify(protocol.MethodWindowShowMessage,
		&protocol.ShowMessageParams{Type: kind, Message: display.Message(fmt.Sprintf(format, args...))})
}

// ApplyEdit asks the client to apply an edit. An error reply counts as a refusal,
// because Eglot refuses that way.
func (c *Client) ApplyEdit(ctx context.Context, label string,
	edit protocol.WorkspaceEdit) (applied bool, reason string, err error) {
	return c.applyEdit(ctx, label, &protocol.ApplyWorkspaceEditParams{Edit: edit})
}

// ApplyAccepted is ApplyEdit for an edit of the workspace that the person has accepted. Where the client can be told,
// it saves the files as after a refactoring, if its settings say so.
func (c *Client) ApplyAccepted(ctx context.Context, label string,
	edit protocol.WorkspaceEdit) (applied bool, reason string, err error) {
	params := &protocol.ApplyWorkspaceEditParams{Edit: edit}
	if yes := true; c.EditMetadata {
		params.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: &yes}
	}
	return c.applyEdit(ctx, label, params)
}

func (c *Client) applyEdit(ctx context.Context, label string,
	params *protocol.ApplyWorkspaceEditParams) (applied bool, reason string, err error) {
	if label = display.Name(label); !c.PrintsLabels {
		params.Label = &label
	}
	var result protocol.ApplyWorkspaceEditResult
	err = c.Call(ctx, protocol.MethodWorkspaceApplyEdit, params, &result)
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

// ShowDocument asks the client to open a document.
func (c *Client) ShowDocument(ctx context.Context, params *protocol.ShowDocumentParams) error {
	var result protocol.ShowDocumentResult
	if err := c.Call(ctx, protocol.MethodWindowShowDocument, params, &result); err != nil {
		return err
	}
	if !result.Success {
		return fmt.Errorf("the editor did not open %s", params.URI)
	}
	return nil
}

// MustMarshal encodes a value of this package; it panics if that fails.
func MustMarshal(v any) protocol.LSPAny {
	data, err := protocol.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
