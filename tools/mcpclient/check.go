package mcpclient

import (
	"context"
	"errors"
	"sync"
)

// Report says how a server of the user's settings is.
type Report struct {
	Name    string
	Tools   int    // that can be used
	Tokens  int    // of their descriptions, in o200k_base
	Misfits string // which tools can't be used, and why; "" if all can
	Err     error  // why the server can't be used
}

// TooMany reports whether requests describe two tools that find and call the tools of these servers,
// instead of the tools themselves.
func TooMany(reports []Report) bool {
	tokens := 0
	for _, r := range reports {
		tokens += r.Tokens
	}
	return tokens > maxListedTokens
}

// Check connects to the servers of the user's settings, and reports on each of them in order. It waits longer
// than a turn does.
func (s *Servers) Check(ctx context.Context) []Report {
	connections := s.connectionsOf("")
	reports := make([]Report, len(connections))
	var checking sync.WaitGroup
	for i, c := range connections {
		checking.Go(func() { reports[i] = c.check(ctx) })
	}
	checking.Wait()
	return reports
}

func (c *connection) check(ctx context.Context) Report {
	r := Report{Name: c.server.Name}
	l, _, err := c.get(ctx)
	for errors.Is(err, errStarting) && c.awaitAttempt(ctx) {
		l, _, err = c.get(ctx)
	}
	if err == nil {
		err = c.refresh(ctx, l)
	}
	if err != nil {
		r.Err = err
		return r
	}
	listed := c.tools(l)
	r.Tools, r.Misfits = len(listed.tools), listed.misfitsText(c.server.Name)
	for _, d := range listed.tools {
		r.Tokens += d.tokens()
	}
	return r
}

// awaitAttempt waits for the end of an attempt to connect, if one is running. It reports whether ctx
// still lasts.
func (c *connection) awaitAttempt(ctx context.Context) bool {
	c.mu.Lock()
	a := c.attempt
	c.mu.Unlock()
	if a == nil {
		return ctx.Err() == nil
	}
	select {
	case <-a.done:
		return true
	case <-ctx.Done():
		return false
	}
}
