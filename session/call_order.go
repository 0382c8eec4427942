package session

import (
	"context"
	"sync"
	"sync/atomic"

	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// callOrder has the places of a response's calls, by the calls' ids. The calls form stretches, of
// which each begins when the one before is over: successive calls that only read and run side by
// side, successive calls that stage one after another, or one other call.
//
// So a call that reads sees everything that the calls before it have changed, and nothing that is
// not stored, and a call that changes something disturbs no other one.
type callOrder map[string]*callPlace

// callPlace is the place of one call. A nil place is outside of every order.
type callPlace struct {
	stretch  *stretch
	previous *callPlace // the call of the stretch that has to be visible first; may be nil
	visible  chan struct{}
	show     func() // closes visible, once
}

// stretch is a part of a response's calls.
type stretch struct {
	kind    callKind
	before  *stretch     // may be nil
	running atomic.Int64 // calls that are not over
	over    chan struct{}
}

// callKind says which successive calls are a stretch.
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
	var last *stretch
	var previous *callPlace
	for _, c := range calls {
		tool, _, known := set.Meant(c.Name, c.Arguments)
		if !known {
			continue
		}
		kind := kindOf(tool)
		if last == nil || last.kind != kind || kind == alone {
			last, previous = &stretch{kind: kind, before: last, over: make(chan struct{})}, nil
		}
		p := newCallPlace(last, previous)
		if order[c.ID] = p; kind == stages {
			previous = p
		}
	}
	return order
}

func newCallPlace(s *stretch, previous *callPlace) *callPlace {
	s.running.Add(1)
	visible := make(chan struct{})
	return &callPlace{stretch: s, previous: previous, visible: visible, show: sync.OnceFunc(func() { close(visible) })}
}

// wait waits until the call may begin. It reports whether it may: not if ctx has ended.
func (p *callPlace) wait(ctx context.Context) bool {
	var until []<-chan struct{}
	if p != nil && p.stretch.before != nil {
		until = append(until, p.stretch.before.over)
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
	if p.stretch.running.Add(-1) == 0 {
		close(p.stretch.over)
	}
}
