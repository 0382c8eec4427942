package peer

import (
	"maps"
	"slices"
	"sync"
)

// Content is an immutable text that is put together when it is read.
type Content interface {
	Len() int      // in bytes
	Bytes() []byte // the caller may keep, but not modify it
}

// offer is what a process tells its peers.
type offer struct {
	mu        sync.Mutex
	count     int  // of changes
	leaving   bool // there will be no more changes
	documents map[string]*offered
	waiting   []string // proposals that a new listener is told of
	listeners map[*listener]struct{}
}

// offered is a document that is open.
type offered struct {
	change  int // the number of its last change
	version int32
	text    Content // nil if hidden
	hidden  string
}

// listener is what one of the peers has not been told yet. Its fields are guarded by the offer's mu.
type listener struct {
	wake      chan struct{} // holds a token if there is something to tell
	proposals map[string]struct{}
	turns     map[string]struct{}
}

func newOffer() *offer {
	return &offer{documents: map[string]*offered{}, listeners: map[*listener]struct{}{}}
}

func (o *offer) set(path string, doc offered) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count++
	doc.change = o.count
	o.documents[path] = &doc
	o.wakeAll()
}

func (o *offer) remove(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.documents, path)
	o.wakeAll()
}

func (o *offer) announce(proposals, turns, waiting []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = waiting
	for l := range o.listeners {
		for _, id := range proposals {
			l.proposals[id] = struct{}{}
		}
		for _, id := range turns {
			l.turns[id] = struct{}{}
		}
	}
	o.wakeAll()
}

// leave notes that there will be no more changes.
func (o *offer) leave() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leaving = true
	o.wakeAll()
}

// wakeAll wakes all listeners. The lock is held.
func (o *offer) wakeAll() {
	for l := range o.listeners {
		signal(l.wake)
	}
}

// signal wakes the reader of a channel with capacity 1.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// listen adds a listener, which has something to be told at once.
func (o *offer) listen() *listener {
	l := &listener{wake: make(chan struct{}, 1), proposals: map[string]struct{}{}, turns: map[string]struct{}{}}
	signal(l.wake)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range o.waiting {
		l.proposals[id] = struct{}{}
	}
	o.listeners[l] = struct{}{}
	return l
}

func (o *offer) forget(l *listener) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.listeners, l)
}

// message is a message without its form.
type message struct {
	header
	content Content // nil if the message has none
}

// news returns what to tell the listener. told holds the last change of each document that it was
// told of, and is brought up to date. last reports whether there will be no more.
func (o *offer) news(l *listener, told map[string]int, texts bool) (all []message, last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(told)) {
		if o.documents[path] == nil {
			delete(told, path)
			all = append(all, message{header: header{Type: typeClosed, Path: []byte(path)}})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(o.documents)) {
		doc, before := o.documents[path], told[path]
		if before == doc.change || before > 0 && !texts {
			continue
		}
		told[path] = doc.change
		all = append(all, doc.message(path, texts))
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.proposals)), idsInMessage) {
		all = append(all, message{header: header{Type: typeProposals, Proposals: ids}})
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.turns)), idsInMessage) {
		all = append(all, message{header: header{Type: typeProposals, Turns: ids}})
	}
	clear(l.proposals)
	clear(l.turns)
	return all, o.leaving
}

// idsInMessage is how many ids one message has at most.
const idsInMessage = 1000

// message returns the message about a document.
func (d *offered) message(path string, text bool) message {
	m := message{header: header{Type: typeOpen, Path: []byte(path), Version: d.version, Hidden: d.hidden}}
	switch {
	case !text || d.text == nil:
	case d.text.Len() > maxText:
		m.Hidden = "it is too large"
	default:
		m.content = d.text
	}
	return m
}
