package session

import (
	"context"
	"fmt"
	"maps"
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
	Left      leftOut  `json:"left,omitzero"`       // what is still said of the dropped messages
}

func (c compaction) equal(d compaction) bool {
	return c.NoHeads == d.NoHeads && c.From == d.From && c.Pinned == d.Pinned && slices.Equal(c.Shortened, d.Shortened)
}

// stored returns what is stored of a compaction that follows another one: only the calls that are new, unless
// older messages were dropped. To store all of them again would make a conversation grow with the square of its length.
func (c compaction) stored(before compaction) compaction {
	if c.From == before.From { // else the calls that were dropped are gone from the list
		c.Shortened, c.Continues, c.Left = c.Shortened[len(before.Shortened):], true, leftOut{}
	}
	return c
}

// lastCompaction returns the compaction that holds at the end of a past.
func (p *past) lastCompaction() (last compaction) {
	var lists [][]string
	for _, i := range slices.Backward(p.compacting) {
		c := p.messages[i].compaction
		if lists == nil {
			last = *c
		}
		if lists = append(lists, c.Shortened); !c.Continues {
			last.Left = c.Left
			break
		}
	}
	slices.Reverse(lists)
	last.Shortened, last.Continues = slices.Concat(lists...), false
	return last
}

// firstSent returns the index of the first message that is sent under a compaction.
func (p *past) firstSent(c compaction) int {
	if c.From == "" {
		return 0
	}
	if i := p.place(c.From); i >= 0 {
		return i
	}
	return len(p.messages) // c.From is the turn's own message
}

// promptFrame holds the parts that a turn's requests are built from.
type promptFrame struct {
	rules      string        // the project's rules, before the first user's message
	past       past          // the conversation before the turn
	input      []llm.Message // the user's message and the notices with it
	id         string        // of the user's message
	turnStart  int           // number of messages at the beginning of the turn
	compaction compaction
	before     compaction // that holds before the answer

	ownResults map[string]*wholeResult // of the turn's calls, by the model's id
}

// buildMessages builds the messages of the first request.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.frame
	s.loadReported()
	if err := s.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input, f.ownResults, f.compaction = s.user.ID, s.e.render.userMessages(&s.user), map[string]*wholeResult{}, f.past.lastCompaction()
	f.before = f.compaction
	s.chooseTools(f.compaction)
	s.tools = s.offered(f.compaction)
	s.scales = map[string]float64{}
	maps.Copy(s.scales, f.past.scales)
	s.startMessages(system)
	if err := s.checkWindow(); err != nil {
		return err
	}
	return s.compact(ctx, s.window()*compactFrom/100)
}

// messageUnder is a message of a turn under a compaction.
type messageUnder struct {
	*llm.Message
	text      string       // that it has under the compaction
	whole     *wholeResult // if it is a result, else nil
	shortened bool         // it is a result that the compaction shortens
}

// eachUnder visits the turn's messages under a compaction.
func (s *requestSession) eachUnder(c compaction, visit func(m messageUnder)) {
	f := &s.frame
	first := s.firstText(c)
	shortened := setOf(c.Shortened)
	each := func(m *llm.Message, whole *wholeResult) {
		under := messageUnder{Message: m, text: m.Text, whole: whole}
		if whole != nil && shortened[m.CallID] {
			under.text, under.shortened = whole.textUnder(c, m.Text), true
		}
		if first != "" {
			under.text, first = first+under.text, ""
		}
		visit(under)
	}
	visit(messageUnder{Message: &s.messages[0], text: s.messages[0].Text})
	for i := f.past.firstSent(c); i < len(f.past.messages); i++ {
		p := f.past.messages[i].prepared
		for j := range p.sent {
			each(&p.sent[j], p.results.at(j))
		}
	}
	for i := range f.input {
		each(&f.input[i], nil)
	}
	for i := f.turnStart; i < len(s.messages); i++ {
		each(&s.messages[i], f.ownResults[s.messages[i].CallID])
	}
}

// messagesUnder returns the turn's messages under a compaction, and the number of
// messages at the beginning of the turn.
func (s *requestSession) messagesUnder(c compaction) (messages []llm.Message, since int) {
	f := &s.frame
	from := f.past.firstSent(c)
	since = 1 + f.past.sent[len(f.past.messages)] - f.past.sent[from] + len(f.input)
	messages = make([]llm.Message, 0, since+len(s.messages)-f.turnStart+4)
	s.eachUnder(c, func(m messageUnder) {
		messages = append(messages, *m.Message)
		messages[len(messages)-1].Text = m.text
	})
	messages[1].Secrets = slices.Concat(messages[1].Secrets, secretsOf(s.pinned(c)))
	return messages, since
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
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
	return s.frame.past.sent[s.frame.past.firstSent(s.frame.compaction)]
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
		s.notice("the conversation no longer fits the window of " + modelName(s.model) + ": its oldest messages are left out but for a line of each, and their attachments are kept as far as possible")
	} else {
		s.notice("the conversation fills the window of " + modelName(s.model) + ": large and old tool results are shortened")
	}
	c.Left = s.leftOutUnder(c)
	before := s.messages[:s.sent]
	s.messages, f.turnStart = s.messagesUnder(c)
	if !beginsWith(s.messages, before) {
		s.definitions.recall = true
	}
	if c.From != f.compaction.From {
		c.Shortened = sentCalls(s.messages, c.Shortened)
	}
	if f.compaction = c; s.sent == 0 || s.definitions.recall {
		s.tools = s.offered(c)
	}
	s.keepRebuilt()
	s.forgetDroppedRules()
	stored := c.stored(f.before)
	s.answer.compaction = &stored
	s.listed = ledgerListed{}
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

func (s *requestSession) sizeUnder(c compaction) int {
	counter := s.counter()
	return counter.scaled(s.rawUnder(c, counter))
}

// rawUnder returns the count of the next request's tokens under a compaction, without the scale.
func (s *requestSession) rawUnder(c compaction, counter counter) int {
	n := counter.tools(s.offered(c))
	s.eachUnder(c, func(m messageUnder) { n += counter.message(m.Message, m.text) })
	return n
}

// nextCompaction returns the compaction of the next step, and how many tokens the request has under it.
func (s *requestSession) nextCompaction(ctx context.Context) (c compaction, size int, err error) {
	window := s.window()
	read, asked := s.shortenable()
	c = s.frame.compaction
	c.NoHeads = false // the step changes the request anyway
	if c, size = s.shorten(c, read, window*compactTo/100); size > window {
		if err := s.loadProposals(ctx); err != nil {
			return c, size, err
		}
		options := s.frame.pastCompactions(c)
		c = s.firstFitting(c, options, s.dropLimit(options))
		c = s.firstFitting(c, unpinCompactions(c), window)
		c, size = s.shorten(c, asked, window)
	}
	return c, size, nil
}

// dropLimit returns how many tokens a request may have after messages were dropped: dropTo percent of what the window has
// beside the parts that always stay, which are much of a small one.
func (s *requestSession) dropLimit(options []compaction) int {
	window, stays := s.window(), 0
	if n := len(options); n > 0 {
		stays = s.sizeUnder(options[n-1])
	}
	return min(stays+max(window-stays, 0)*dropTo/100, window)
}

// shorten shortens as many of the results, in their order, as the request needs to have at most limit tokens. It drops
// their beginnings if these take too much of the window, or if the request does not fit. size is the number of tokens that
// the request then has. It adds up what each result saves, since to build the request for each of them would take long.
func (s *requestSession) shorten(c compaction, calls []string, limit int) (_ compaction, size int) {
	counter := s.counter()
	bare := c
	bare.NoHeads = true
	raw, heads := 0, 0 // of the request, and of the beginnings of shortened results, in tokens, without the scale
	type saving struct{ text, head int }
	savings := map[string]saving{} // by the call's id
	s.eachUnder(c, func(m messageUnder) {
		raw += counter.message(m.Message, m.text)
		if m.shortened {
			heads += counter.text(m.text) - counter.text(m.whole.textUnder(bare, m.text))
		} else if m.whole != nil {
			short := counter.text(m.whole.textUnder(c, m.text))
			savings[m.CallID] = saving{counter.text(m.text) - short, short - counter.text(m.whole.textUnder(bare, m.text))}
		}
	})
	if counter.scaled(raw+counter.tools(s.offered(c))) > limit {
		kept := len(c.Shortened)
		c.Shortened = slices.Concat(c.Shortened, calls)
		tools := counter.tools(s.offered(c))
		for _, id := range calls {
			kept++
			raw -= savings[id].text
			heads += savings[id].head
			if counter.scaled(raw+tools) <= limit {
				break
			}
		}
		c.Shortened = c.Shortened[:kept]
	}
	raw += counter.tools(s.offered(c))
	size = counter.scaled(raw)
	if bareSize := counter.scaled(raw - heads); len(c.Shortened) > 0 && (size > s.window() || size-bareSize > s.window()*maxHeads/100) {
		bare.Shortened = c.Shortened
		return bare, bareSize
	}
	return c, size
}

// firstFitting returns the first option under which the request has at most limit
// tokens, or the last option if there is none. Each option makes the request smaller
// than the option before it. If c already fits or there are no options, it returns c.
func (s *requestSession) firstFitting(c compaction, options []compaction, limit int) compaction {
	if len(options) == 0 || s.sizeUnder(c) <= limit {
		return c
	}
	i := sort.Search(len(options), func(i int) bool { return s.sizeUnder(options[i]) <= limit })
	for ; i < len(options)-1 && s.sizeUnder(options[i]) > limit; i++ { // a line that is kept may be longer than its message
	}
	return options[min(i, len(options)-1)]
}

// shortenable returns the calls whose results can be shortened and are not yet, those that save the most
// first: those that the model has read, and those that its last response asked for, or that stand for one of these.
// Results that save about the same are in the order of the calls.
func (s *requestSession) shortenable() (read, asked []string) {
	saving := map[string]int{}
	bare := s.frame.compaction
	bare.NoHeads = true // a small result is shorter only without its beginning
	s.eachUnder(s.frame.compaction, func(m messageUnder) {
		if m.Role == llm.Assistant && !strings.HasPrefix(m.Text, emptyAnswerHead) {
			read, asked = append(read, asked...), nil
		}
		if m.whole == nil || m.shortened {
			return
		}
		if short := m.whole.textUnder(bare, m.text); len(short) < m.whole.size {
			saving[m.CallID] = bits.Len(uint(m.whole.size - len(short)))
			asked = append(asked, m.CallID)
		}
	})
	cited := func(id string) bool { return s.repeats.cited[id] }
	for _, id := range read {
		if cited(id) {
			asked = append(asked, id)
		}
	}
	read = slices.DeleteFunc(read, cited)
	for _, calls := range [][]string{read, asked} {
		slices.SortStableFunc(calls, func(a, b string) int { return saving[b] - saving[a] })
	}
	return read, asked
}

// pastCompactions returns compactions that drop more and more turns of the past.
func (f *promptFrame) pastCompactions(c compaction) []compaction {
	var options []compaction
	messages := f.past.messages
	for i := f.past.firstSent(c); i < len(messages); i++ {
		c.Pinned += len(messages[i].Attachments)
		if next := i + 1; next == len(messages) {
			c.From = f.id
		} else if messages[next].Role != llm.User {
			continue
		} else {
			c.From = messages[next].ID
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
