package session

import (
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// builtMessages has the messages of a conversation before a turn as [modelView.messagesUnder]
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
//
// If the last turn's messages before it are still what the past begins with, only the messages of that turn are added
// to them, in the same array: a turn then costs as much as what is new. A turn that runs appends its own messages
// behind them in this array, too, and the next turn overwrites these by what the past then has of them. Otherwise, as
// after a compaction, a change of the rules or on another branch, all messages are built again.
func (v *modelView) startMessages(system llm.Message) {
	f, b := &v.frame, &v.hidden.built
	if !b.continues(&f.past, f.compaction, system.Text, v.firstText(f.compaction)) {
		v.messages, f.turnStart = []llm.Message{system}, 1
		v.messages, f.turnStart = v.messagesUnder(f.compaction)
		v.keepRebuilt()
		return
	}
	n := len(b.messages)
	v.messages, v.counted = b.messages, b.counted
	shortened := window.SetOf(f.compaction.Shortened) // also calls of the last turn
	for i := b.past; i < len(f.past.Messages); i++ {
		p := f.past.Messages[i].Prepared
		for j, m := range p.Sent {
			if whole := p.Results.At(j); whole != nil && shortened[m.CallID] {
				m.Text = whole.TextUnder(f.compaction, m.Text)
			}
			v.messages = append(v.messages, m)
		}
	}
	v.keepBuilt(v.messages, b.normal && window.Normal(v.messages[n:]))
	v.messages = append(v.messages, f.input...)
	f.turnStart = len(v.messages)
}

// keepRebuilt keeps messages that were all made again.
func (v *modelView) keepRebuilt() {
	before := v.messages[:v.frame.turnStart-len(v.frame.input)]
	v.counted, v.hidden.same = countedMessages{}, 0
	v.keepBuilt(before, window.Normal(before))
}

// keepBuilt keeps the messages before the turn for the next one.
func (v *modelView) keepBuilt(messages []llm.Message, normal bool) {
	f := &v.frame
	v.count(len(messages))
	b := builtMessages{messages: messages, past: len(f.past.Messages), first: v.firstText(f.compaction),
		under:  f.compaction,
		normal: normal, counted: v.counted}
	if b.past > 0 {
		b.last = f.past.Messages[b.past-1].Prepared
	}
	v.hidden.built = b
}

// count makes v.counted the sum of at least the first n messages.
func (v *modelView) count(n int) {
	counter, c := v.counter(), &v.counted
	if c.known != counter.Known {
		*c = countedMessages{known: counter.Known}
	}
	for ; c.n < n; c.n++ {
		m := &v.messages[c.n]
		c.tokens += counter.Message(m, m.Text)
		c.bytes += len(m.Text)
	}
}

// rawSize returns the number of tokens of the next request, without the scale.
func (v *modelView) rawSize() int {
	v.count(len(v.messages))
	return v.counted.tokens + v.counter().Tools(v.tools)
}

// normalMessages returns the turn's messages in the form that providers require, and whether they
// are v.messages itself, which must not be modified.
func (v *modelView) normalMessages() (messages []llm.Message, same bool) {
	b := &v.hidden.built
	if n := len(b.messages); b.normal && window.Normal(v.messages[n:]) {
		return v.messages, true
	}
	return window.NormalizeMessages(v.messages), false
}

// firstText returns what is in front of the first message behind the system text under a compaction.
func (v *modelView) firstText(c records.Compaction) string {
	return v.frame.rules + v.leftOutUnder(c).Text() + v.e.kept.render.PinnedText(v.pinned(c))
}

// pinned returns the attachments of dropped messages that are sent under a compaction.
func (v *modelView) pinned(c records.Compaction) []records.Attachment {
	past := &v.frame.past
	return window.PinnedAttachments(past.Messages[:past.FirstSent(c)], c.Pinned)
}
