package lsp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// client is the editor at the other end: what it declared, and what we ask of
// it. Requests must only be made by a handler that has released.
type client struct {
	conn jsonrpc2.Conn
	room func() // waits until the client reads on
	profile
}

// notify sends a notification. An error means that the connection is ending,
// which its owner notices by itself.
func (c *client) notify(method string, params any) {
	_ = c.conn.Notify(context.Background(), method, params)
}

// stream sends a notification that is one of many: it waits while the client
// does not keep up. Handlers that have not released must not use it.
func (c *client) stream(method string, params any) {
	c.room()
	c.notify(method, params)
}

// showMessage tells the person at the editor.
func (c *client) showMessage(kind protocol.MessageType, format string, args ...any) {
	c.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: fmt.Sprintf(format, args...)})
}

// applyEdit asks the client to apply an edit. A reply that is an error counts
// as a refusal, as Eglot means it.
func (c *client) applyEdit(ctx context.Context, label string, edit protocol.WorkspaceEdit) (applied bool, reason string, err error) {
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

// progressPatience is how long work waits for the client to make room for its
// progress; after that it goes on unseen.
const progressPatience = 5 * time.Second

// progress is one work-done progress in the client; without a token it is
// silent, so that callers need not ask.
type progress struct {
	client *client
	token  ploke.Token
}

// beginProgress starts a progress under a token that the client gave, or, where
// it gave none, under one of ours if the client declared that it may be made.
func (c *client) beginProgress(ctx context.Context, given ploke.Token, id, title string, percentage bool) *progress {
	p := &progress{client: c, token: given}
	if p.token == nil && c.workDoneProgress {
		token := protocol.String("ploke/" + id)
		ctx, cancel := context.WithTimeout(ctx, progressPatience)
		defer cancel()
		err := protocol.Call(ctx, c.conn, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: token}, nil)
		if err == nil {
			p.token = mustMarshal(string(token))
		}
	}
	begin := &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title}
	if percentage {
		begin.Percentage = new(uint32)
	}
	p.send(begin)
	return p
}

// report updates the message and, where percent is not negative, the percentage.
func (p *progress) report(message string, percent int) {
	r := &protocol.WorkDoneProgressReport{Kind: "report", Message: &message}
	if percent >= 0 {
		u := uint32(percent)
		r.Percentage = &u
	}
	p.send(r)
}

// end ends the progress.
func (p *progress) end(message string) {
	p.send(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (p *progress) send(value any) {
	if p.token == nil {
		return
	}
	p.client.stream(protocol.MethodProgress, &ploke.Progress{Token: p.token, Value: value})
}

// mustMarshal encodes a value of ours, which can't fail.
func mustMarshal(v any) protocol.LSPAny {
	data, err := protocol.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
