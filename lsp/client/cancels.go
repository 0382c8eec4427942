package client

import (
	"sync"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/wire"
	ploke "ploke-lsp/lsp/protocol"
)

// cancels holds the functions that cancel running work, by progress token. The zero
// value is ready.
type cancels struct {
	mu  sync.Mutex
	all map[jsonrpc2.ID]*func()
}

// add lets the client cancel work until the returned function is called, which does
// nothing if the token has got other work since.
func (c *cancels) add(token ploke.Token, cancel func()) (remove func()) {
	id, err := wire.ParseID(token)
	if err != nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[jsonrpc2.ID]*func(){}
	}
	c.all[id] = &cancel
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.all[id] == &cancel {
			delete(c.all, id)
		}
	}
}

// cancel cancels the work with a token, if there is any.
func (c *cancels) cancel(token ploke.Token) error {
	id, err := wire.ParseID(token)
	if err != nil {
		return err
	}
	c.mu.Lock()
	cancel := c.all[id]
	c.mu.Unlock()
	if cancel != nil {
		(*cancel)()
	}
	return nil
}
