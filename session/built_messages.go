package session

import (
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// builtMessages has the messages of a conversation before a turn as [requestSession.messagesUnder]
// returns them, so that the next turn adds only those of this one. Only the running turn uses it.
// The zero value has none.
type builtMessages struct {
	messages []llm.Message // the first one is the system message; the turn's own messages may be behind them in the array
	past     int           // how many messages of the past they are
	last     *window.Prepared
	first    string // what is in front of the first of them
	under    records.Compaction
	normal   bool // they have the form that providers require
	counted  countedMessages
}

// countedMessages sums up the first of a turn's messages.
type countedMessages struct {
	known  bool // the tokens are those of a known vocabulary
	n      int  // how many messages
	tokens int  // without the scale
	bytes  int  // of the texts
}

// continues reports whether a past begins with the messages, as they are sent under a compaction. A message is prepared
// once, unless something has changed that its text depends on, and only the branch of the past leads to it.
func (b *builtMessages) continues(p *window.Past, c records.Compaction, system, first string) bool {
	return b.past > 0 && b.past <= len(p.Messages) && p.Messages[b.past-1].Prepared == b.last &&
		len(b.messages) > 1 && b.messages[0].Text == system && b.first == first && b.under.Equal(c)
}

// startMessages sets the messages of the first request.
func (s *requestSession) startMessages(system llm.Message) {
	f, b := &s.view.frame, &s.secrets.hidden.built
	if !b.continues(&f.past, f.compaction, system.Text, s.firstText(f.compaction)) {
		s.view.messages, f.turnStart = []llm.Message{system}, 1
		s.view.messages, f.turnStart = s.messagesUnder(f.compaction)
		s.keepRebuilt()
		return
	}
	n := len(b.messages)
	s.view.messages, s.view.counted = b.messages, b.counted
	shortened := window.SetOf(f.compaction.Shortened) // also calls of the last turn
	for i := b.past; i < len(f.past.Messages); i++ {
		p := f.past.Messages[i].Prepared
		for j, m := range p.Sent {
			if whole := p.Results.At(j); whole != nil && shortened[m.CallID] {
				m.Text = whole.TextUnder(f.compaction, m.Text)
			}
			s.view.messages = append(s.view.messages, m)
		}
	}
	s.keepBuilt(s.view.messages, b.normal && window.Normal(s.view.messages[n:]))
	s.view.messages = append(s.view.messages, f.input...)
	f.turnStart = len(s.view.messages)
}

// keepRebuilt keeps messages that were all made anew.
func (s *requestSession) keepRebuilt() {
	before := s.view.messages[:s.view.frame.turnStart-len(s.view.frame.input)]
	s.view.counted, s.secrets.hidden.same = countedMessages{}, 0
	s.keepBuilt(before, window.Normal(before))
}

// keepBuilt keeps the messages before the turn for the next one.
func (s *requestSession) keepBuilt(messages []llm.Message, normal bool) {
	f := &s.view.frame
	s.count(len(messages))
	b := builtMessages{messages: messages, past: len(f.past.Messages), first: s.firstText(f.compaction),
		under:  f.compaction,
		normal: normal, counted: s.view.counted}
	if b.past > 0 {
		b.last = f.past.Messages[b.past-1].Prepared
	}
	s.secrets.hidden.built = b
}

// count makes s.counted the sum of at least the first n messages.
func (s *requestSession) count(n int) {
	counter, c := s.counter(), &s.view.counted
	if c.known != counter.Known {
		*c = countedMessages{known: counter.Known}
	}
	for ; c.n < n; c.n++ {
		m := &s.view.messages[c.n]
		c.tokens += counter.Message(m, m.Text)
		c.bytes += len(m.Text)
	}
}

// rawSize returns the number of tokens of the next request, without the scale.
func (s *requestSession) rawSize() int {
	s.count(len(s.view.messages))
	return s.view.counted.tokens + s.counter().Tools(s.view.tools)
}

// normalMessages returns the turn's messages in the form that providers require, and whether they
// are s.messages itself, which must not be modified.
func (s *requestSession) normalMessages() (messages []llm.Message, same bool) {
	b := &s.secrets.hidden.built
	if n := len(b.messages); b.normal && window.Normal(s.view.messages[n:]) {
		return s.view.messages, true
	}
	return window.NormalizeMessages(s.view.messages), false
}

// firstText returns what is in front of the first message behind the system text under a compaction.
func (s *requestSession) firstText(c records.Compaction) string {
	return s.view.frame.rules + s.leftOutUnder(c).Text() + s.e.kept.render.PinnedText(s.pinned(c))
}

// pinned returns the attachments of dropped messages that are sent under a compaction.
func (s *requestSession) pinned(c records.Compaction) []records.Attachment {
	past := &s.view.frame.past
	return window.PinnedAttachments(past.Messages[:past.FirstSent(c)], c.Pinned)
}
