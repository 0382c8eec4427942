package client

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"
)

// A Background runs work that no request waits for. It ends with the server.
type Background struct {
	ctx    context.Context // ends when the server stops
	client *Client
	work   sync.WaitGroup
}

// NewBackground returns the work that ends with ctx, about which a client is told.
func NewBackground(ctx context.Context, c *Client) *Background {
	return &Background{ctx: ctx, client: c}
}

// Context returns the context of the work, which ends when the server stops.
func (b *Background) Context() context.Context { return b.ctx }

// Go starts work, which must end soon after its context.
func (b *Background) Go(work func()) { b.work.Go(work) }

// Wait returns when all work has ended.
func (b *Background) Wait() { b.work.Wait() }

// Afterwards runs what a command does after its answer, until the server stops. A failure is
// shown to the person.
func (b *Background) Afterwards(work func(ctx context.Context) error) {
	b.Go(func() {
		if err := work(b.ctx); err != nil && b.ctx.Err() == nil {
			b.client.ShowMessage(protocol.MessageTypeError, "ploke: %v", err)
		}
	})
}
