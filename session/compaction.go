package session

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// A conversation is sent in full until it fills compactFrom percent of the window
// at the beginning of a turn, or no longer fits during a turn. Then a step shortens
// call results, the largest and oldest first, until compactTo percent are left.
// If the request still does not fit, the step drops the oldest messages but for a line of
// each, until dropTo percent are left of what the parts that always stay leave free. Results
// that the last response asked for are shortened last, and only if they alone don't fit; they
// have their share of the room already. Between two steps each request begins with the bytes of
// the previous request, so that providers' prompt caches hit.
const (
	compactFrom = 60
	compactTo   = 30
	dropTo      = 60
	maxHeads    = 10 // percent of the window that the beginnings of shortened results may take
	minGain     = 20 // percent of the window: a step that saves less waits until the window is full
)

// promptFrame holds the parts that a turn's requests are built from.
type promptFrame struct {
	rules      string        // the project's rules, before the first user's message
	past       window.Past   // the conversation before the turn
	input      []llm.Message // the user's message and the notices with it
	id         string        // of the user's message
	turnStart  int           // number of messages at the beginning of the turn
	compaction records.Compaction
	before     records.Compaction // that holds before the answer

	ownResults map[string]*window.Result // of the turn's calls, by the model's id
}

// buildMessages builds the messages of the first request.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.view.frame
	s.loadReported()
	if err := s.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input, f.ownResults, f.compaction = s.user.ID, s.e.kept.render.UserMessages(&s.user), map[string]*window.Result{}, f.past.LastCompaction()
	f.before = f.compaction
	s.chooseTools(f.compaction)
	s.view.tools = s.offered(f.compaction)
	s.view.scales = map[string]float64{}
	maps.Copy(s.view.scales, f.past.Scales)
	s.startMessages(system)
	if err := s.checkWindow(); err != nil {
		return err
	}
	return s.compact(ctx, s.window()*compactFrom/100)
}

// messageUnder is a message of a turn under a compaction.
type messageUnder struct {
	*llm.Message
	text      string         // that it has under the compaction
	whole     *window.Result // if it is a result, else nil
	shortened bool           // it is a result that the compaction shortens
}

// eachUnder visits the turn's messages under a compaction.
func (s *requestSession) eachUnder(c records.Compaction, visit func(m messageUnder)) {
	f := &s.view.frame
	first := s.firstText(c)
	shortened := window.SetOf(c.Shortened)
	each := func(m *llm.Message, whole *window.Result) {
		under := messageUnder{Message: m, text: m.Text, whole: whole}
		if whole != nil && shortened[m.CallID] {
			under.text, under.shortened = whole.TextUnder(c, m.Text), true
		}
		if first != "" {
			under.text, first = first+under.text, ""
		}
		visit(under)
	}
	visit(messageUnder{Message: &s.view.messages[0], text: s.view.messages[0].Text})
	for i := f.past.FirstSent(c); i < len(f.past.Messages); i++ {
		p := f.past.Messages[i].Prepared
		for j := range p.Sent {
			each(&p.Sent[j], p.Results.At(j))
		}
	}
	for i := range f.input {
		each(&f.input[i], nil)
	}
	for i := f.turnStart; i < len(s.view.messages); i++ {
		each(&s.view.messages[i], f.ownResults[s.view.messages[i].CallID])
	}
}

// messagesUnder returns the turn's messages under a compaction, and the number of
// messages at the beginning of the turn.
func (s *requestSession) messagesUnder(c records.Compaction) (messages []llm.Message, since int) {
	f := &s.view.frame
	from := f.past.FirstSent(c)
	since = 1 + f.past.Sent[len(f.past.Messages)] - f.past.Sent[from] + len(f.input)
	messages = make([]llm.Message, 0, since+len(s.view.messages)-f.turnStart+4)
	s.eachUnder(c, func(m messageUnder) {
		messages = append(messages, *m.Message)
		messages[len(messages)-1].Text = m.text
	})
	messages[1].Secrets = slices.Concat(messages[1].Secrets, records.SecretsOf(s.pinned(c)))
	return messages, since
}

// droppedMessages returns the number of messages of the conversation that are not
// sent.
func (s *requestSession) droppedMessages() int {
	return s.view.frame.past.Sent[s.view.frame.past.FirstSent(s.view.frame.compaction)]
}

// compact takes a step if the next request has more than limit tokens. It ends the
// turn if the request does not fit into the model's window even after that.
func (s *requestSession) compact(ctx context.Context, limit int) error {
	size := s.size()
	if size <= limit {
		return nil
	}
	c, after, err := s.nextCompaction(ctx)
	switch {
	case err != nil:
		return orElse(context.Cause(ctx), err)
	case after > s.contextTokens():
		return &limitError{bus.ErrorContext,
			fmt.Sprintf("the message and its context have about %d tokens, but %s takes %d: send or attach less, or choose a model with a larger window (providers.*.models.*.contextTokens, limits.contextTokens)",
				after, modelName(s.setup.model), s.contextTokens())}
	case size <= s.window() && size-after < s.window()*minGain/100:
		return nil
	case !c.Equal(s.view.frame.compaction):
		s.take(c)
	}
	return nil
}

// take continues the turn under a compaction.
func (s *requestSession) take(c records.Compaction) {
	f := &s.view.frame
	if c.From != f.compaction.From {
		s.notice("the conversation no longer fits the window of " + modelName(s.setup.model) +
			": its oldest messages are left out but for a line of each, and their attachments are kept as far as possible")
	} else {
		s.notice("the conversation fills the window of " + modelName(s.setup.model) +
			": large and old tool results are shortened")
	}
	c.Left = s.leftOutUnder(c)
	before := s.view.messages[:s.view.sent]
	s.view.messages, f.turnStart = s.messagesUnder(c)
	if !beginsWith(s.view.messages, before) {
		s.view.definitions.recall = true
	}
	if c.From != f.compaction.From {
		c.Shortened = sentCalls(s.view.messages, c.Shortened)
	}
	if f.compaction = c; s.view.sent == 0 || s.view.definitions.recall {
		s.view.tools = s.offered(c)
	}
	s.keepRebuilt()
	s.forgetDroppedRules()
	stored := c.Stored(f.before)
	s.answer.Compaction = &stored
	s.ledger.listed = ledgerListed{}
}

// beginsWith reports whether messages begin with those of another request, which were sent.
func beginsWith(messages, before []llm.Message) bool {
	for i := range before {
		if i >= len(messages) || before[i].Text != messages[i].Text || before[i].CallID != messages[i].CallID {
			return false
		}
	}
	return true
}

// sentCalls returns those of the calls whose results are sent.
func sentCalls(messages []llm.Message, calls []string) []string {
	sent := map[string]bool{}
	for i := range messages {
		sent[messages[i].CallID] = true
	}
	return slices.DeleteFunc(slices.Clone(calls), func(id string) bool { return !sent[id] })
}
