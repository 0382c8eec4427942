package mcpclient

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"ploke-lsp/tools"
)

// Options is what the servers of a project need.
type Options struct {
	Version    string             // of this program
	HTTPClient *http.Client       // nil is a default one
	Bytes      func(most int) int // bytes that a result may have, at most most; nil: most

	// For tests; 0 is the default.
	patience, dialTimeout, pingTimeout time.Duration
	floodBytes                         int64
}

// Servers are the MCP servers of a project: those of the user's settings, which each conversation
// has, and those that a client has passed for a conversation. It is safe for concurrent use.
type Servers struct {
	options Options

	mu          sync.Mutex
	closed      bool
	user        []Server
	clients     map[string][]Server    // by conversation
	connections map[string]*connection // by the server's key
	ending      sync.WaitGroup         // servers that no client uses any more
}

// New returns servers of which none is known yet.
func New(o Options) *Servers {
	if o.Bytes == nil {
		o.Bytes = func(most int) int { return most }
	}
	for _, d := range []struct {
		set *time.Duration
		def time.Duration
	}{{&o.patience, turnPatience}, {&o.dialTimeout, dialTimeout}, {&o.pingTimeout, pingTimeout}} {
		if *d.set == 0 {
			*d.set = d.def
		}
	}
	if o.floodBytes == 0 {
		o.floodBytes = maxFloodBytes
	}
	return &Servers{options: o, clients: map[string][]Server{}, connections: map[string]*connection{}}
}

// Configure replaces the servers of the user's settings. It ends those that no client uses any more, in the
// background.
func (s *Servers) Configure(servers []Server) {
	s.mu.Lock()
	s.user = withToolNames(servers)
	s.mu.Unlock()
	s.endUnused()
}

// Use replaces the servers that a client has passed for a conversation. It starts none: each is
// started when a turn first needs it. It ends those that no client uses any more, in the background.
func (s *Servers) Use(conversationID string, servers []Server) {
	s.mu.Lock()
	if len(servers) == 0 {
		delete(s.clients, conversationID)
	} else {
		s.clients[conversationID] = withToolNames(servers)
	}
	s.mu.Unlock()
	s.endUnused()
}

// of returns the servers of a conversation. A client's server hides one of the user's with the same
// name. The lock is held.
func (s *Servers) of(conversationID string) []Server {
	all := slices.Clone(s.clients[conversationID])
	for _, server := range s.user {
		if !slices.ContainsFunc(all, func(other Server) bool { return other.Name == server.Name }) {
			all = append(all, server)
		}
	}
	return all
}

// connectionsOf returns the connections to the servers of a conversation, in their order.
func (s *Servers) connectionsOf(conversationID string) (all []*connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	for _, server := range s.of(conversationID) {
		c := s.connections[server.key()]
		if c == nil {
			c = &connection{options: s.options, server: server}
			c.ctx, c.cancel = context.WithCancel(context.Background())
			s.connections[server.key()] = c
		}
		all = append(all, c)
	}
	return all
}

// endUnused ends the servers that no conversation has any more.
func (s *Servers) endUnused() {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := map[string]bool{}
	for _, server := range s.user {
		used[server.key()] = true
	}
	for _, servers := range s.clients {
		for _, server := range servers {
			used[server.key()] = true
		}
	}
	for key, c := range s.connections {
		if !used[key] {
			delete(s.connections, key)
			s.ending.Go(c.stop)
		}
	}
}

// Close ends all servers, and waits until they have ended.
func (s *Servers) Close() {
	s.mu.Lock()
	s.closed, s.user, s.clients = true, nil, nil
	s.mu.Unlock()
	s.endUnused()
	s.ending.Wait()
}

// Tools returns the tools of a conversation's servers, and what the person should know of these. It
// starts servers that have not started, and waits for them for a short time. If the descriptions of all tools together
// have more than so many tokens, or than maxListedTokens, requests don't describe them.
func (s *Servers) Tools(ctx context.Context, conversationID string, tokens int) (more []*tools.Tool, notices []string) {
	connections := s.connectionsOf(conversationID)
	lists := make([]*toolList, len(connections))
	messages := make([][]string, len(connections))
	var reading sync.WaitGroup
	for i, c := range connections {
		reading.Go(func() { lists[i], messages[i] = c.list(ctx) })
	}
	reading.Wait()
	var usable []candidate
	for i, l := range lists {
		notices = append(notices, messages[i]...)
		if l == nil {
			continue
		}
		for _, d := range l.tools {
			usable = append(usable, candidate{connections[i], d})
		}
	}
	return toolsOf(usable, s.options, min(tokens, maxListedTokens)), notices
}

// list returns the tools of a server as it describes them now; nil if it can't be used. The messages are
// for the person.
func (c *connection) list(ctx context.Context) (*toolList, []string) {
	l, fresh, err := c.get(ctx)
	if err == nil && !fresh {
		if err = c.refresh(ctx,
			l); err != nil { // it has died since its last call, so this turn waits for it as the first one did
			l, _, err = c.get(ctx)
		}
	}
	if err != nil && ctx.Err() != nil {
		return nil, nil
	}
	if err != nil {
		return nil, c.tell(aboutServer, fmt.Sprintf("the MCP server %s can't be used now: %v", c.server.Name, err))
	}
	c.tell(aboutServer, "")
	listed := c.tools(l)
	return listed, c.tell(aboutTools, listed.misfitsText(c.server.Name))
}
