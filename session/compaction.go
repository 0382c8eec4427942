package session

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// A conversation is sent in full until it fills compactFrom percent of the window
// at the beginning of a turn, or no longer fits during a turn. Then a step shortens
// call results, the largest and oldest first, until compactTo percent are left.
// If the request still does not fit, the step drops the oldest messages, until dropTo
// percent are left. Results that the last response asked for are shortened last, and
// only if they alone don't fit. Between two steps each request begins with the bytes of
// the previous request, so that providers' prompt caches hit.
const (
	compactFrom = 60
	compactTo   = 30
	dropTo      = 60
	maxHeads    = 10 // percent of the window that the beginnings of shortened results may take
	minGain     = 20 // percent of the window: a step that saves less waits until the window is full
)

// compaction says which parts of a conversation are shortened or dropped. It is
// stored with the answer of the turn that made it, and holds until the next
// compaction.
type compaction struct {
	Shortened []string `json:"shortened,omitempty"` // calls (the model's ids) whose results are shortened
	Continues bool     `json:"continues,omitempty"` // as stored: the calls that the compaction before shortens are shortened, too
	NoHeads   bool     `json:"no_heads,omitempty"`  // shortened results are without their beginning
	From      string   `json:"from,omitempty"`      // id of the first user's message that is sent
	Pinned    int      `json:"pinned,omitempty"`    // number of attachments, the newest of the dropped messages, that are still sent
}

func (c compaction) equal(d compaction) bool {
	return c.NoHeads == d.NoHeads && c.From == d.From && c.Pinned == d.Pinned && slices.Equal(c.Shortened, d.Shortened)
}

// stored returns what is stored of a compaction that follows another one: only the calls that are new, unless
// older messages were dropped. To store all of them again would make a conversation grow with the square of its length.
func (c compaction) stored(before compaction) compaction {
	if c.From == before.From { // else the calls that were dropped are gone from the list
		c.Shortened, c.Continues = c.Shortened[len(before.Shortened):], true
	}
	return c
}

// lastCompaction returns the compaction that holds at the end of a path.
func lastCompaction(path []Message) (last compaction) {
	var lists [][]string
	for i := len(path) - 1; i >= 0; i-- { // not by value: messages are large, and there may be thousands
		c := path[i].compaction
		if c == nil {
			continue
		}
		if lists == nil {
			last = *c
		}
		if lists = append(lists, c.Shortened); !c.Continues {
			break
		}
	}
	slices.Reverse(lists)
	last.Shortened, last.Continues = slices.Concat(lists...), false
	return last
}

// promptFrame holds the parts that a turn's requests are built from.
type promptFrame struct {
	rules      string                 // the project's rules, before the first user's message
	past       []Message              // the conversation before the turn
	input      []llm.Message          // the user's message and the notices with it
	id         string                 // of the user's message
	turnStart  int                    // number of messages at the beginning of the turn
	results    map[string]wholeResult // of the calls that are sent, by the model's id
	short      map[shortResult]string // texts of results that were shortened in the turn
	compaction compaction
	before     compaction // that holds before the answer
}

// buildMessages builds the messages of the first request.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.frame
	s.loadReported(f.past)
	if err := s.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input, f.results, f.compaction = s.user.ID, s.e.render.userMessages(&s.user), map[string]wholeResult{}, lastCompaction(f.past)
	f.before, f.short = f.compaction, map[shortResult]string{}
	for i := f.firstSent(f.compaction); i < len(f.past); i++ {
		f.addResults(&f.past[i])
	}
	s.tools = s.offered(f.compaction)
	s.scales = scalesOf(f.past)
	s.messages, f.turnStart = []llm.Message{system}, 1
	s.messages, f.turnStart = s.messagesUnder(f.compaction)
	return s.compact(ctx, s.window()*compactFrom/100)
}

// messagesUnder returns the turn's messages under a compaction, and the number of
// messages at the beginning of the turn.
func (s *requestSession) messagesUnder(c compaction) (messages []llm.Message, since int) {
	f := &s.frame
	from := f.firstSent(c)
	messages = append([]llm.Message{s.messages[0]}, s.e.render.replay(f.past[from:])...)
	messages = append(messages, f.input...)
	pinned := pinnedAttachments(f.past[:from], c.Pinned)
	messages[1].Text = f.rules + s.e.render.pinnedText(pinned) + messages[1].Text
	messages[1].Secrets = append(messages[1].Secrets, secretsOf(pinned)...)
	since = len(messages)
	messages = append(messages, s.messages[f.turnStart:]...)
	shortened := setOf(c.Shortened)
	for i := range messages {
		if !shortened[messages[i].CallID] {
			continue
		}
		if text, ok := s.shortenedResult(messages[i], c); ok {
			messages[i].Text = text
		}
	}
	return messages, since
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// firstSent returns the index in the past of the first message that is sent.
func (f *promptFrame) firstSent(c compaction) int {
	if c.From == "" {
		return 0
	}
	if i := indexOf(f.past, c.From); i >= 0 {
		return i
	}
	return len(f.past) // c.From is the turn's own message
}

// addResults adds the results of a message of the past.
func (f *promptFrame) addResults(m *Message) {
	summaries := map[string]string{}
	for _, c := range m.Calls {
		summaries[c.CallID] = c.Summary
	}
	for _, sent := range m.prepared.sent {
		if sent.Role == llm.Tool {
			f.results[sent.CallID] = wholeResult{summaries[sent.CallID], sent.Text}
		}
	}
}

// pinnedAttachments returns the last n attachments of the dropped messages.
func pinnedAttachments(left []Message, n int) (all []Attachment) {
	for i := len(left) - 1; i >= 0 && len(all) < n; i-- {
		all = slices.Concat(left[i].Attachments, all)
	}
	return all[max(0, len(all)-n):]
}

// pinnedText returns the text of pinned attachments.
func (r rendering) pinnedText(all []Attachment) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Attached earlier in this conversation:\n\n")
	for _, a := range all {
		b.WriteString(r.snippet(a))
	}
	return b.String()
}

// droppedMessages returns the number of messages of the conversation that are not
// sent.
func (s *requestSession) droppedMessages() int {
	return countSent(s.frame.past[:s.frame.firstSent(s.frame.compaction)])
}

// compact takes a step if the next request has more than limit tokens. It ends the
// turn if the request does not fit into the model's window even after that.
func (s *requestSession) compact(ctx context.Context, limit int) error {
	size := s.size()
	if size <= limit {
		return nil
	}
	calls, err := callsOf(ctx, s.e.opts.DB.Read(), s.turn.RequestID)
	if err != nil {
		return orElse(context.Cause(ctx), err)
	}
	for _, c := range calls[s.turn.RequestID] {
		if _, known := s.frame.results[c.CallID]; !known {
			s.frame.results[c.CallID] = s.e.render.wholeResult(withResult(c))
		}
	}
	c := s.nextCompaction()
	after := s.sizeUnder(c)
	switch {
	case after > s.contextTokens():
		return &limitError{bus.ErrorContext, fmt.Sprintf("the message and its context have about %d tokens, but %s takes %d: send or attach less, or choose a model with a larger window (providers.*.models.*.contextTokens, limits.contextTokens)",
			after, modelName(s.model), s.contextTokens())}
	case size <= s.window() && size-after < s.window()*minGain/100:
		return nil
	case !c.equal(s.frame.compaction):
		s.take(c)
	}
	return nil
}

// take continues the turn under a compaction.
func (s *requestSession) take(c compaction) {
	f := &s.frame
	if c.From != f.compaction.From {
		s.notice("the conversation no longer fits the window of " + modelName(s.model) + ": its oldest messages are dropped, but their attachments are kept as far as possible")
	} else {
		s.notice("the conversation fills the window of " + modelName(s.model) + ": large and old tool results are shortened")
	}
	s.messages, f.turnStart = s.messagesUnder(c)
	if c.From != f.compaction.From {
		c.Shortened = sentCalls(s.messages, c.Shortened)
	}
	s.tools, f.compaction = s.offered(c), c
	s.forgetDroppedRules()
	stored := c.stored(f.before)
	s.answer.compaction = &stored
	s.listed = ledgerListed{}
}

// sentCalls returns those of the calls whose results are sent.
func sentCalls(messages []llm.Message, calls []string) []string {
	sent := map[string]bool{}
	for i := range messages {
		sent[messages[i].CallID] = true
	}
	return slices.DeleteFunc(slices.Clone(calls), func(id string) bool { return !sent[id] })
}

func (s *requestSession) sizeUnder(c compaction) int {
	messages, _ := s.messagesUnder(c)
	return s.counter().request(messages, s.offered(c))
}

// nextCompaction returns the compaction of the next step.
func (s *requestSession) nextCompaction() compaction {
	window := s.window()
	read, asked := s.shortenable()
	c := s.frame.compaction
	c.NoHeads = false // the step changes the request anyway
	c = s.shorten(c, read, window*compactTo/100)
	if s.sizeUnder(c) > window {
		c = s.firstFitting(c, s.frame.pastCompactions(c), window*dropTo/100)
		c = s.firstFitting(c, unpinCompactions(c), window)
		c = s.shorten(c, asked, window)
	}
	return c
}

// shorten shortens more and more of the results until the request has at most limit
// tokens. It drops their beginnings if these take too much of the window, or if the
// request does not fit.
func (s *requestSession) shorten(c compaction, calls []string, limit int) compaction {
	c = s.shortenUntil(c, calls, limit)
	bare := c
	bare.NoHeads = true
	if size := s.sizeUnder(c); len(c.Shortened) > 0 && (size > s.window() || size-s.sizeUnder(bare) > s.window()*maxHeads/100) {
		return bare
	}
	return c
}

// shortenUntil shortens as many of the results, in their order, as the request needs to have at most limit tokens.
// It adds up what each saves, since to build the request for each of them would take long.
func (s *requestSession) shortenUntil(c compaction, calls []string, limit int) compaction {
	if len(calls) == 0 || s.sizeUnder(c) <= limit {
		return c
	}
	messages, _ := s.messagesUnder(c)
	kept := len(c.Shortened)
	c.Shortened = slices.Concat(c.Shortened, calls)
	counter, among, saved := s.counter(), setOf(calls), map[string]int{}
	for _, m := range messages {
		if !among[m.CallID] {
			continue
		}
		if short, ok := s.shortenedResult(m, c); ok {
			saved[m.CallID] += counter.text(m.Text) - counter.text(short)
		}
	}
	size := counter.raw(messages, s.offered(c))
	for _, id := range calls {
		kept++
		if size -= saved[id]; counter.scaled(size) <= limit {
			break
		}
	}
	c.Shortened = c.Shortened[:kept]
	return c
}

// firstFitting returns the first option under which the request has at most limit
// tokens, or the last option if there is none. Each option makes the request smaller
// than the option before it. If c already fits or there are no options, it returns c.
func (s *requestSession) firstFitting(c compaction, options []compaction, limit int) compaction {
	if len(options) == 0 || s.sizeUnder(c) <= limit {
		return c
	}
	i := sort.Search(len(options), func(i int) bool { return s.sizeUnder(options[i]) <= limit })
	return options[min(i, len(options)-1)]
}

// shortenable returns the calls whose results can be shortened and are not yet, those that save the most
// first: those that the model has read, and those that its last response asked for.
// Results that save about the same are in the order of the calls.
func (s *requestSession) shortenable() (read, asked []string) {
	last := len(s.messages) - 1
	for last > 0 && s.messages[last].Role != llm.Assistant {
		last--
	}
	saving := map[string]int{}
	bare := s.frame.compaction
	bare.NoHeads = true // a small result is shorter only without its beginning
	shortened := setOf(bare.Shortened)
	for i, m := range s.messages {
		if shortened[m.CallID] {
			continue
		}
		short, ok := s.shortenedResult(m, bare)
		if !ok {
			continue
		}
		saving[m.CallID] = bits.Len(uint(len(m.Text) - len(short)))
		if i < last {
			read = append(read, m.CallID)
		} else {
			asked = append(asked, m.CallID)
		}
	}
	for _, calls := range [][]string{read, asked} {
		slices.SortStableFunc(calls, func(a, b string) int { return saving[b] - saving[a] })
	}
	return read, asked
}

// pastCompactions returns compactions that drop more and more turns of the past.
func (f *promptFrame) pastCompactions(c compaction) []compaction {
	var options []compaction
	now := f.firstSent(c)
	for i := now; i < len(f.past); i++ {
		c.Pinned += len(f.past[i].Attachments)
		if next := i + 1; next == len(f.past) {
			c.From = f.id
		} else if f.past[next].Role != llm.User {
			continue
		} else {
			c.From = f.past[next].ID
		}
		options = append(options, c)
	}
	return options
}

// unpinCompactions returns compactions that drop more and more pinned attachments.
func unpinCompactions(c compaction) []compaction {
	var options []compaction
	for c.Pinned > 0 {
		c.Pinned--
		options = append(options, c)
	}
	return options
}
