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

// published is what a process tells its peers.
type published struct {
	mu        sync.Mutex
	count     int  // of changes
	leaving   bool // there will be no more changes
	documents map[string]*publishedDocument
	waiting   []string // proposals that a new listener is told of
	listeners map[*listener]struct{}
}

// publishedDocument is a document that is open.
type publishedDocument struct {
	change  int // the number of its last change
	version int32
	text    Content // nil if hidden
	hidden  string
}

// listener is what one of the peers has not been told yet. Its fields are guarded by the mu of published.
type listener struct {
	wake      chan struct{}       // holds a token if there is something to tell
	documents map[string]struct{} // paths
	proposals map[string]struct{}
	turns     map[string]struct{}
}

func newPublished() *published {
	return &published{documents: map[string]*publishedDocument{}, listeners: map[*listener]struct{}{}}
}

func (p *published) set(path string, doc publishedDocument) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	doc.change = p.count
	p.documents[path] = &doc
	p.changed(path)
}

func (p *published) remove(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.documents, path)
	p.changed(path)
}

// changed notes for all listeners that a document has changed. The lock is held.
func (p *published) changed(path string) {
	for l := range p.listeners {
		l.documents[path] = struct{}{}
	}
	p.wakeAll()
}

func (p *published) announce(proposals, turns, waiting []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = waiting
	for l := range p.listeners {
		for _, id := range proposals {
			l.proposals[id] = struct{}{}
		}
		for _, id := range turns {
			l.turns[id] = struct{}{}
		}
	}
	p.wakeAll()
}

// leave notes that there will be no more changes.
func (p *published) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaving = true
	p.wakeAll()
}

// wakeAll wakes all listeners. The lock is held.
func (p *published) wakeAll() {
	for l := range p.listeners {
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
func (p *published) listen() *listener {
	l := &listener{wake: make(chan struct{}, 1), documents: map[string]struct{}{}, proposals: map[string]struct{}{},
		turns: map[string]struct{}{}}
	signal(l.wake)
	p.mu.Lock()
	defer p.mu.Unlock()
	for path := range p.documents {
		l.documents[path] = struct{}{}
	}
	for _, id := range p.waiting {
		l.proposals[id] = struct{}{}
	}
	p.listeners[l] = struct{}{}
	return l
}

func (p *published) forget(l *listener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.listeners, l)
}

// message is a message without its form.
type message struct {
	header
	content Content // nil if the message has none
}

// news returns what to tell the listener. sent holds the last change of each document that it was
// told of, and is brought up to date. last reports whether there will be no more.
func (p *published) news(l *listener, sent map[string]int, texts bool) (all []message, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(l.documents)) {
		doc, before := p.documents[path], sent[path]
		switch {
		case doc == nil && before > 0:
			delete(sent, path)
			all = append(all, message{header: header{Type: typeClosed, Path: []byte(path)}})
		case doc == nil || before == doc.change || before > 0 && !texts:
		default:
			sent[path] = doc.change
			all = append(all, doc.message(path, texts))
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.proposals)), idsInMessage) {
		all = append(all, message{header: header{Type: typeProposals, Proposals: ids}})
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.turns)), idsInMessage) {
		all = append(all, message{header: header{Type: typeProposals, Turns: ids}})
	}
	clear(l.documents)
	clear(l.proposals)
	clear(l.turns)
	return all, p.leaving
}

// idsInMessage is how many ids one message has at most.
const idsInMessage = 1000

// message returns the message about a document.
func (d *publishedDocument) message(path string, text bool) message {
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
