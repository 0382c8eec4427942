package client

import (
	"context"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// askedPermissions holds the open permission requests, the newest first. The zero value is empty.
// It is safe for concurrent use.
type askedPermissions struct {
	mu   sync.Mutex
	open []bus.PermissionAsked
}

func (a *askedPermissions) add(e bus.PermissionAsked) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = slices.Insert(a.open, 0, e)
}

func (a *askedPermissions) remove(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = slices.DeleteFunc(a.open, func(e bus.PermissionAsked) bool { return e.ID == id })
}

func (a *askedPermissions) all() []bus.PermissionAsked {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.open)
}

// IsAsked reports whether the person is asked for a permission in a conversation.
func (c *Client) IsAsked(conversationID string) bool {
	return slices.ContainsFunc(c.asked.all(),
		func(e bus.PermissionAsked) bool { return e.ConversationID == conversationID })
}

// PermitsByActions reports whether the client can't ask the person.
func (c *Client) PermitsByActions() bool {
	return !c.Ploke.Has(ploke.MethodPermissionAsk) && !c.ShowsMessageRequests
}

// askByActions tells the person of a permission request, which code actions answer until ctx
// ends. Ctx ends when the request is settled.
func (c *Client) askByActions(ctx context.Context, e bus.PermissionAsked) session.Answer {
	detail := strings.Join(strings.Fields(e.Detail), " ")
	c.ShowMessage(protocol.MessageTypeWarning, "ploke: %s? Code actions in any file allow or reject it. %s",
		e.Title, detail)
	<-ctx.Done()
	return session.RejectOnce
}

// OpenPermissions returns the permission requests without an answer, the newest first.
func (c *Client) OpenPermissions() []bus.PermissionAsked { return c.asked.all() }
