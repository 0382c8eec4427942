package acp

import (
	"context"
	"sync"

	"ploke-lsp/acp/protocol"
)

// An openSession is a conversation that the client has open. Its id is the conversation's.
type openSession struct {
	id          string
	folder      *folder
	client      *client
	directories []string // in addition to the folder; absolute

	mu      sync.Mutex
	fresh   bool                // there was no message, so the conversation is not stored
	model   string              // "" is the one of the settings
	models  []string            // that the client can choose
	efforts map[string][]string // of these models, as far as they are known
	spent   float64             // US dollars
	latest  *prompt             // nil if there was none
	prompts map[*prompt]bool    // that are not answered
	shown   map[string]chan struct{}

	checks shownChecks
}

// A prompt is a request session/prompt that is not answered. Its context ends when the client
// cancels it.
type prompt struct {
	ctx     context.Context
	cancel  context.CancelFunc
	before  *prompt // of the session; nil if there was none
	started chan struct{}
	ended   chan struct{}
	start   func() // closes started
}

// isFresh reports whether a session had no message yet.
func (s *openSession) isFresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fresh
}

// stored notes that the session has a message.
func (s *openSession) stored() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = false
}

// begin notes a prompt, in the order of the requests, so that a cancellation right behind it
// finds it.
func (s *openSession) begin(ctx context.Context) *prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &prompt{before: s.latest, started: make(chan struct{}), ended: make(chan struct{})}
	p.start = sync.OnceFunc(func() { close(p.started) })
	p.ctx, p.cancel = context.WithCancel(ctx)
	s.latest = p
	s.prompts[p] = true
	return p
}

// awaitStart waits until the turn of the prompt before this one has started.
func (p *prompt) awaitStart() {
	if p.before != nil {
		<-p.before.started
	}
}

// awaitTurn waits until the prompt before this one has ended, so that the updates of one turn come after those
// of another.
func (p *prompt) awaitTurn() {
	if p.before != nil {
		<-p.before.ended
		p.before = nil
	}
}

// end forgets a prompt that is answered.
func (s *openSession) end(p *prompt) {
	p.start()
	p.cancel()
	close(p.ended)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.prompts, p)
}

// cancelPrompts ends all prompts.
func (s *openSession) cancelPrompts() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.prompts {
		p.cancel()
	}
}

// update sends an update.
func (s *openSession) update(update protocol.Update) { s.client.update(s.id, update) }

// awaitShown waits until the part with a key was sent to the client, or ctx ends.
func (s *openSession) awaitShown(ctx context.Context, key string) {
	select {
	case <-s.shownPart(key):
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.shown, key)
}

// shownPart returns the channel that is closed when the part with a key was sent.
func (s *openSession) shownPart(key string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown[key] == nil {
		s.shown[key] = make(chan struct{})
	}
	return s.shown[key]
}

// sessions are the open sessions by id. The zero value is empty.
type sessions struct {
	mu   sync.Mutex
	byID map[string]*openSession
}

// add opens a session. It replaces one with the same id.
func (l *sessions) add(s *openSession) {
	l.mu.Lock()
	if l.byID == nil {
		l.byID = map[string]*openSession{}
	}
	before := l.byID[s.id]
	l.byID[s.id] = s
	l.mu.Unlock()
	s.folder.enter(s)
	if before != nil {
		before.close()
	}
}

// get returns an open session.
func (l *sessions) get(id string) (*openSession, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.byID[id]; s != nil {
		return s, nil
	}
	return nil, invalidParams("the session %q is not open: create, load or resume it first", id)
}

// remove closes a session, and returns it. It returns nil if the session is not open.
func (l *sessions) remove(id string) *openSession {
	l.mu.Lock()
	s := l.byID[id]
	delete(l.byID, id)
	l.mu.Unlock()
	if s != nil {
		s.close()
	}
	return s
}

// close cancels what the session does.
func (s *openSession) close() {
	s.cancelPrompts()
	s.folder.leave(s)
}

// of returns the open sessions of a folder.
func (l *sessions) of(f *folder) (list []*openSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.byID {
		if s.folder == f {
			list = append(list, s)
		}
	}
	return list
}
