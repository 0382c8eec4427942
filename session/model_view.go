package session

import (
	"context"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// modelView is what the conversation looks like to the model: the messages of the next request, what they are made
// from, and what is kept of them from request to request and from turn to turn. The comment of package window has a
// picture of it.
type modelView struct {
	e       *Engine
	turn    *Turn
	setup   *turnSetup
	secrets *turnSecrets

	frame       promptFrame // the parts of the messages
	messages    []llm.Message
	counted     countedMessages    // of the messages
	sent        int                // how many of the messages the turn's last request had
	hidden      *hiddenMessages    // as they were sent last
	rules       givenRules         // of folders, in the messages that are sent
	proposals   proposalLines      // of the past, once messages are to be dropped
	tools       []llm.ToolSpec     // of the next request
	definitions definitions        // of tools, from which those of a request are taken
	scales      map[string]float64 // of token counts, by the model's name
	repeats     repeats            // results that the model has, since the last message of the user
}

// takeKept takes what is kept of the conversation's last request, for this turn alone.
func (v *modelView) takeKept() { v.hidden = v.e.kept.hidden.take(v.turn.ConversationID) }

// giveBack keeps what the next turn of the conversation can use of this one.
func (v *modelView) giveBack() { v.e.kept.hidden.put(v.hidden) }

// readPast reads the messages up to the leaf, which is "" if there are none. It returns those that were not cached.
func (v *modelView) readPast(ctx context.Context, leafID string) (fresh []window.Message, err error) {
	v.frame.past = window.NewPast(nil)
	if leafID != "" {
		v.frame.past, fresh, err = v.e.kept.messages.Read(ctx, v.turn.ConversationID, leafID)
	}
	return fresh, err
}

// sentWhole reports whether the result of a call of the turn is sent as it was.
func (v *modelView) sentWhole(callID string) bool {
	return !slices.Contains(v.frame.compaction.Shortened, callID)
}

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

// messageUnder is a message of a turn under a compaction.
type messageUnder struct {
	*llm.Message
	text      string         // that it has under the compaction
	whole     *window.Result // if it is a result, else nil
	shortened bool           // it is a result that the compaction shortens
}

// eachUnder visits the turn's messages under a compaction.
func (v *modelView) eachUnder(c records.Compaction, visit func(m messageUnder)) {
	f := &v.frame
	first := v.firstText(c)
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
	visit(messageUnder{Message: &v.messages[0], text: v.messages[0].Text})
	for i := f.past.FirstSent(c); i < len(f.past.Messages); i++ {
		p := f.past.Messages[i].Prepared
		for j := range p.Sent {
			each(&p.Sent[j], p.Results.At(j))
		}
	}
	for i := range f.input {
		each(&f.input[i], nil)
	}
	for i := f.turnStart; i < len(v.messages); i++ {
		each(&v.messages[i], f.ownResults[v.messages[i].CallID])
	}
}

// messagesUnder returns the turn's messages under a compaction, and the number of
// messages at the beginning of the turn.
func (v *modelView) messagesUnder(c records.Compaction) (messages []llm.Message, since int) {
	f := &v.frame
	from := f.past.FirstSent(c)
	since = 1 + f.past.Sent[len(f.past.Messages)] - f.past.Sent[from] + len(f.input)
	messages = make([]llm.Message, 0, since+len(v.messages)-f.turnStart+4)
	v.eachUnder(c, func(m messageUnder) {
		messages = append(messages, *m.Message)
		messages[len(messages)-1].Text = m.text
	})
	messages[1].Secrets = slices.Concat(messages[1].Secrets, records.SecretsOf(v.pinned(c)))
	return messages, since
}

// droppedMessages returns the number of messages of the conversation that are not
// sent.
func (v *modelView) droppedMessages() int {
	return v.frame.past.Sent[v.frame.past.FirstSent(v.frame.compaction)]
}

func (v *modelView) counter() window.Counter {
	return window.NewCounter(v.setup.model, v.scales[modelName(v.setup.model)])
}

// size returns the number of tokens of the next request.
func (v *modelView) size() int { return v.counter().Scaled(v.rawSize()) }

// pastMessages returns the number of messages of the conversation before the turn among
// n messages that are sent; the first one is the system message.
func (v *modelView) pastMessages(n int) int {
	turn := len(v.messages) - v.frame.turnStart + len(v.frame.input)
	return max(0, n-1-turn)
}
