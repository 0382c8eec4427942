package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// A ToolClient runs tools for a program that brings its own model, such as another agent. Its calls
// belong to no conversation and are not stored. It never asks for a permission: a tool that needs
// one fails.
//
// The program gets placeholders for secrets, as a remote model does, and may send them back in the
// arguments that declare it. It is safe for concurrent use.
type ToolClient struct {
	engine *Engine
	vault  *redact.Vault
	known  knownSecrets // that the client's calls have shown or used
}

// NewToolClient returns a client that has seen no secret yet.
func (e *Engine) NewToolClient() *ToolClient {
	return &ToolClient{engine: e, vault: redact.New(newID())}
}

// ToolRequest is one call of a tool.
type ToolRequest struct {
	Tool      string
	Arguments json.RawMessage
	Earlier   string // id of the proposal that the call sees and amends; "" for none
}

// ToolAnswer is the outcome of a call. If Failed, it says what went wrong and what to try.
type ToolAnswer struct {
	Content json.RawMessage // a JSON object
	Text    string          // the same for a model
	Failed  bool
}

// Call runs a tool and waits for its result, for as long as the tool may take. words replaces words
// in what the result advises, such as names of tools that the program knows by other names; it may
// be nil.
func (c *ToolClient) Call(ctx context.Context, r ToolRequest,
	words func(content json.RawMessage) json.RawMessage) (ToolAnswer, error) {
	d := c.engine.dispatcher
	tool, known := d.tools.Get(r.Tool)
	if !known {
		return ToolAnswer{}, fmt.Errorf("there is no tool %q", r.Tool)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(d.life.ctx, func() { stop(errClosed) })()
	id := newID()
	request := bus.ToolCallRequested{CallRef: bus.CallRef{TurnRef: bus.TurnRef{RequestID: id}, ID: id, CallID: id,
		Name: r.Tool}, Arguments: r.Arguments}
	began := time.Now()
	call := d.work(callBatch{ctx: ctx, vault: c.vault, earlier: r.Earlier}, tool, request, &began)
	if err := ctx.Err(); err != nil {
		return ToolAnswer{}, context.Cause(ctx)
	}
	c.known.addLong(call.Secrets)
	if words != nil {
		call.Content = words(call.Content)
	}
	return c.answer(r.Tool, call), nil
}

// answer returns what the program gets of a call.
func (c *ToolClient) answer(tool string, call records.ToolCall) (a ToolAnswer) {
	content := string(call.Content)
	a.Text = c.engine.dispatcher.tools.Text(tool, call.Content)
	a.Failed = saysFailed(call.Content)
	own := append(c.known.list(), call.Secrets...)
	hidden, _ := c.vault.HideJSON(content, redact.InJSON(content, own)...)
	a.Content = json.RawMessage(hidden)
	// The rules may not find in a rendering what they find in the content.
	for _, placeholder := range redact.Placeholders(hidden) {
		if secret, ok := c.vault.Secret(placeholder); ok && !slices.Contains(own, secret) {
			own = append(own, secret)
		}
	}
	a.Text, _ = c.vault.Hide(a.Text, secretscan.In(a.Text, own)...)
	return a
}

// saysFailed reports whether a result is that of a failed call.
func saysFailed(content json.RawMessage) bool {
	var c struct{ OK bool }
	return json.Unmarshal(content, &c) != nil || !c.OK
}

// Text returns the text of a content that an answer of this client had, and that the caller has
// changed.
func (c *ToolClient) Text(tool string, content json.RawMessage) string {
	return c.Hide(c.engine.dispatcher.tools.Text(tool, content), nil)
}

// Hide returns a text with placeholders for secrets: those that the rules find, those that the client's calls
// have shown or used, and more.
func (c *ToolClient) Hide(text string, more []string) string {
	hidden, _ := c.vault.Hide(text, secretscan.In(text, append(c.known.list(), more...))...)
	return hidden
}
