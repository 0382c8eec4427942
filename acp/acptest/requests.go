package acptest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
)

// Call sends a request and fails the test if the agent answers with an error.
func (c *Client) Call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// Error sends a request and returns the error that the agent answers. It fails the test if there is none.
func (c *Client) Error(method string, params any) *jsonrpc2.Error {
	c.t.Helper()
	var wire *jsonrpc2.Error
	if err := c.try(method, params, nil); !errors.As(err, &wire) {
		c.t.Fatalf("%s: got %v, want an error", method, err)
	}
	return wire
}

func (c *Client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := c.conn.Call(ctx, method, params, result)
	return err
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// Initialize begins the connection.
func (c *Client) Initialize() (r protocol.InitializeResponse) {
	c.t.Helper()
	c.Call(protocol.MethodInitialize, map[string]any{
		"protocolVersion": protocol.Version, "clientCapabilities": encodeCapabilities(c.options.Capabilities),
		"clientInfo": map[string]string{"name": "test", "version": "1"},
	}, &r)
	return r
}

// encodeCapabilities leaves out what the client does not have, as clients do.
func encodeCapabilities(p protocol.ClientCapabilities) map[string]any {
	out := map[string]any{"fs": p.FS, "auth": p.Auth}
	session := map[string]any{}
	if p.Session.ConfigOptions != nil {
		session["configOptions"] = map[string]any{"boolean": map[string]any{}}
	}
	if p.Session.Notices != nil {
		session["notices"] = map[string]any{}
	}
	if len(session) > 0 {
		out["session"] = session
	}
	if p.Elicitation != nil {
		out["elicitation"] = map[string]any{"form": map[string]any{}}
	}
	return out
}

// New creates a session in a folder and returns its id.
func (c *Client) New(cwd string) string {
	c.t.Helper()
	var r protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, Params("", cwd), &r)
	return r.SessionID
}

// Params returns the parameters of the methods that open a session.
func Params(id, cwd string) protocol.SessionParams {
	return protocol.SessionParams{SessionID: id, CWD: cwd, MCPServers: []protocol.MCPServer{}}
}

// Text returns a prompt that is a text.
func Text(session, text string) protocol.PromptRequest {
	return protocol.PromptRequest{SessionID: session, Prompt: []protocol.ContentBlock{{Type: "text", Text: text}}}
}

// Prompt sends a message and returns why its turn ended.
func (c *Client) Prompt(session, text string) (stopReason string) {
	c.t.Helper()
	var r protocol.PromptResponse
	c.Call(protocol.MethodSessionPrompt, Text(session, text), &r)
	return r.StopReason
}

// PromptAsync sends a message and returns a channel for the reason why its turn ended, or the error.
func (c *Client) PromptAsync(session, text string) <-chan string {
	ended := make(chan string, 1)
	go func() {
		var r protocol.PromptResponse
		if err := c.try(protocol.MethodSessionPrompt, Text(session, text), &r); err != nil {
			r.StopReason = "error: " + err.Error()
		}
		ended <- r.StopReason
	}()
	return ended
}

// Updates returns the updates of a session so far.
func (c *Client) Updates(session string) (list []Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range c.updates {
		if u.SessionID == session {
			list = append(list, u)
		}
	}
	return list
}

// Forget drops the updates so far.
func (c *Client) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updates = nil
}

// Said returns the text of the chunks of one kind.
func (c *Client) Said(session, kind string) string {
	var out strings.Builder
	for _, u := range c.Updates(session) {
		if u.Kind == kind {
			out.WriteString(u.Text)
		}
	}
	return out.String()
}

// ToolCalls returns the calls of a session with what is last known of each, in their order.
func (c *Client) ToolCalls(session string) (calls []protocol.ToolCall) {
	for _, u := range c.Updates(session) {
		i := slices.IndexFunc(calls, func(known protocol.ToolCall) bool { return known.ID == u.ID })
		switch {
		case u.Kind == protocol.NewToolCall && i < 0:
			calls = append(calls, u.ToolCall)
		case u.Kind == protocol.NewToolCall || u.Kind == protocol.ToolCallUpdate:
			if i < 0 {
				c.t.Errorf("an update of a call that was not announced: %s", u.Raw)
				continue
			}
			if err := json.Unmarshal(u.Raw, &calls[i]); err != nil {
				c.t.Error(err)
			}
		}
	}
	return calls
}

// Asked returns the questions so far.
func (c *Client) Asked() []protocol.RequestPermissionRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// Revoked returns how many questions the agent has taken back.
func (c *Client) Revoked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revoked
}

// Wire returns the lines that passed, each behind the name of its sender.
func (c *Client) Wire() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.wire)
}

// SetText makes a text the unsaved one of a file.
func (c *Client) SetText(path, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts[path] = text
}

// Await waits until a condition is true, which it checks after each message of the agent.
func (c *Client) Await(what string, condition func() bool) {
	c.t.Helper()
	limit := time.After(timeout)
	for {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		if condition() {
			return
		}
		select {
		case <-changed:
		case <-limit:
			c.t.Fatalf("waited a minute for %s", what)
		}
	}
}
