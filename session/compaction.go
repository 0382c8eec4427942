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

// buildMessages builds the messages of the first request.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.view.frame
	s.context.loadReported()
	if err := s.context.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input = s.user.ID, s.e.kept.render.UserMessages(&s.user)
	f.ownResults, f.compaction = map[string]*window.Result{}, f.past.LastCompaction()
	f.before = f.compaction
	s.view.chooseTools(f.compaction)
	s.view.tools = s.view.definitionsUnder(f.compaction)
	s.view.scales = map[string]float64{}
	maps.Copy(s.view.scales, f.past.Scales)
	s.view.startMessages(system)
	if err := s.requests.checkWindow(); err != nil {
		return err
	}
	return s.requests.compact(ctx, s.setup.window()*compactFrom/100)
}

// compact takes a step if the next request has more than limit tokens. It ends the
// turn if the request does not fit into the model's window even after that.
func (q *requester) compact(ctx context.Context, limit int) error {
	size := q.view.size()
	if size <= limit {
		return nil
	}
	c, after, err := q.view.nextCompaction(ctx)
	switch {
	case err != nil:
		return orElse(context.Cause(ctx), err)
	case after > q.setup.contextTokens():
		return &limitError{bus.ErrorContext,
			fmt.Sprintf("the message and its context have about %d tokens, but %s takes %d: send or attach less, or choose a "+
				"model with a larger window (providers.*.models.*.contextTokens, limits.contextTokens)",
				after, modelName(q.setup.model), q.setup.contextTokens())}
	case size <= q.setup.window() && size-after < q.setup.window()*minGain/100:
		return nil
	case !c.Equal(q.view.frame.compaction):
		q.take(c)
	}
	return nil
}

// compactionNotice tells the person what a compaction does.
func compactionNotice(model string, leavesOut bool) string {
	if leavesOut {
		return "the conversation no longer fits the window of " + model +
			": its oldest messages are left out but for a line of each, and their attachments are kept as far as possible"
	}
	return "the conversation fills the window of " + model + ": large and old tool results are shortened"
}

// take continues the turn under a compaction.
func (q *requester) take(c records.Compaction) {
	f := &q.view.frame
	q.notice(compactionNotice(modelName(q.setup.model), c.From != f.compaction.From))
	c.Left = q.view.leftOutUnder(c)
	before := q.view.messages[:q.view.sent]
	q.view.messages, f.turnStart = q.view.messagesUnder(c)
	if !beginsWith(q.view.messages, before) {
		q.view.definitions.recall = true
	}
	if c.From != f.compaction.From {
		c.Shortened = sentCalls(q.view.messages, c.Shortened)
	}
	if f.compaction = c; q.view.sent == 0 || q.view.definitions.recall {
		q.view.tools = q.view.definitionsUnder(c)
	}
	q.view.keepRebuilt()
	q.view.loadRules(c)
	stored := c.Stored(f.before)
	q.answer.Compaction = &stored
	q.ledger.listed = ledgerListed{}
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
