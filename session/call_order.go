package session

import (
	"context"
	"sync"
	"sync/atomic"

	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// callOrder has the places of a response's calls, by the calls' ids. The calls form groups, of
// which each begins when the one before is over: successive calls that only read and run side by
// side, successive calls that stage one after another, or one other call.
//
// So a call that reads sees everything that the calls before it have changed, and nothing that is
// not stored, and a call that changes something disturbs no other one.
type callOrder map[string]*callPlace

// callPlace is the place of one call. A nil place is outside of every order.
type callPlace struct {
	group    *callGroup
	previous *callPlace // the call of the group that has to be visible first; may be nil
	visible  chan struct{}
	show     func() // closes visible, once
}

// callGroup is a part of a response's calls.
type callGroup struct {
	kind    callKind
	before  *callGroup   // may be nil
	running atomic.Int64 // calls that are not over
	over    chan struct{}
}

// callKind says which successive calls are a group.
type callKind int

const (
	reads  callKind = iota
	stages          // the next call begins when what this one has staged is visible; it need not be stored
	alone
)

func kindOf(t *tools.Tool) callKind {
	switch {
	case t.ReadOnly:
		return reads
	case t.Class == tools.Staging:
		return stages
	}
	return alone
}

// newCallOrder returns the order of a response's calls. Calls of unknown tools have no place: they
// fail at once.
func newCallOrder(set *tools.Set, calls []bus.ToolCallRequested) callOrder {
	order := callOrder{}
	var last *callGroup
	var previous *callPlace
	for _, c := range calls {
		tool, _, known := set.Meant(c.Name, c.Arguments)
		if !known {
			continue
		}
		kind := kindOf(tool)
		if last == nil || last.kind != kind || kind == alone {
			last, previous = &callGroup{kind: kind, before: last, over: make(chan struct{})}, nil
		}
		p := newCallPlace(last, previous)
		if order[c.ID] = p; kind == stages {
			previous = p
		}
	}
	return order
}

func newCallPlace(g *callGroup, previous *callPlace) *callPlace {
	g.running.Add(1)
	visible := make(chan struct{})
	return &callPlace{group: g, previous: previous, visible: visible, show: sync.OnceFunc(func() { close(visible) })}
}

// wait waits until the call may begin. It reports whether it may: not if ctx has ended.
func (p *callPlace) wait(ctx context.Context) bool {
	var until []<-chan struct{}
	if p != nil && p.group.before != nil {
		until = append(until, p.group.before.over)
	}
	if p != nil && p.previous != nil {
		until = append(until, p.previous.visible)
	}
	for _, begins := range until {
		select {
		case <-begins:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil // the calls before may have ended only because ctx has
}

// seen lets the next call begin that stages, too.
func (p *callPlace) seen() {
	if p != nil {
		p.show()
	}
}

// end says that the call is over. It is called once.
func (p *callPlace) end() {
	if p == nil {
		return
	}
	p.show()
	if p.group.running.Add(-1) == 0 {
		close(p.group.over)
	}
}
