package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// A conversation is sent whole until it fills compactFrom percent of the window
// at the beginning of a turn, or no longer fits within one. Then one step makes
// the oldest results of calls one line each, until compactTo percent are left.
// If that is not enough, the oldest messages are left out, until leaveOutTo
// percent are left. Between two such steps each request begins with the bytes of
// the one before, which is what providers' prompt caches need.
const (
	compactFrom = 60
	compactTo   = 30
	dropTo      = 60
	minGain     = 20 // percent of the window: a step that gains less waits until it must be
)

// compaction says what of a conversation is sent in short, or no more. It is
// stored with the answer of the turn that made it, and holds until the next one.
type compaction struct {
	Results string `json:"results,omitempty"` // of calls up to this one (the model's id) are one line each
	From    string `json:"from,omitempty"`    // the user's message (our id) before which all is left out
	Pinned  int    `json:"pinned,omitempty"`  // so many attachments of what is left out, the newest, are sent all the same
}

// lastCompaction returns the compaction that holds at the end of a path.
func lastCompaction(path []Message) compaction {
	for _, m := range slices.Backward(path) {
		if m.compaction != nil {
			return *m.compaction
		}
	}
	return compaction{}
}

// promptFrame is what the messages of a turn's requests are made from.
type promptFrame struct {
	past        []Message         // the conversation before the turn
	input       []llm.Message     // the user's, and what the model is told with it
	id          string            // of the user's message
	turnStart   int               // how many messages there were at the turn's beginning
	resultLines map[string]string // in place of results, by the model's id of the call
	compaction  compaction
}

// buildMessages makes the first request's messages.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.frame
	if s.user.ParentID != "" {
		if f.past, err = s.e.messages.read(ctx, s.turn.ConversationID, s.user.ParentID); err != nil {
			return err
		}
	}
	s.loadReported(f.past)
	if err := s.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input, f.resultLines, f.compaction = s.user.ID, userMessages(&s.user), map[string]string{}, lastCompaction(f.past)
	for _, m := range f.past {
		f.addLines(m.Calls)
	}
	s.scales = scalesOf(f.past)
	s.messages, f.turnStart = []llm.Message{system}, 1
	s.messages, f.turnStart = s.messagesUnder(f.compaction)
	return s.compact(ctx, s.window()*compactFrom/100)
}

// messagesUnder returns the turn's messages as they are under a compaction, and how many
// of them there were at the turn's beginning.
func (s *requestSession) messagesUnder(c compaction) (messages []llm.Message, since int) {
	f := &s.frame
	from := f.firstSent(c)
	messages = append([]llm.Message{s.messages[0]}, replay(f.past[from:])...)
	messages = append(messages, f.input...)
	messages[1].Text = pinnedText(f.past[:from], c.Pinned) + messages[1].Text
	since = len(messages)
	messages = append(messages, s.messages[f.turnStart:]...)
	last := slices.IndexFunc(messages, func(m llm.Message) bool { return m.Role == llm.Tool && m.CallID == c.Results })
	for i := range messages[:last+1] {
		if line, ok := f.resultLineFor(messages[i]); ok {
			messages[i].Text = line
		}
	}
	return messages, since
}

// firstSent is the place in the past of the first message that is sent.
func (f *promptFrame) firstSent(c compaction) int {
	if c.From == "" {
		return 0
	}
	if i := slices.IndexFunc(f.past, func(m Message) bool { return m.ID == c.From }); i >= 0 {
		return i
	}
	return len(f.past) // it is the turn's own
}

// resultLineFor returns the line that may stand in place of a call's result.
func (f *promptFrame) resultLineFor(m llm.Message) (line string, ok bool) {
	if m.Role != llm.Tool {
		return "", false
	}
	line, ok = f.resultLines[m.CallID]
	return line, ok && len(line) < len(m.Text)
}

func (f *promptFrame) addLines(calls []ToolCall) {
	for _, c := range calls {
		f.resultLines[c.CallID] = resultLine(c)
	}
}

// resultLine is what a model reads in place of a result that was left out.
func resultLine(c ToolCall) string {
	type line struct {
		OK      bool   `json:"ok"`
		Summary string `json:"summary,omitempty"`
		Error   string `json:"error,omitempty"`
		CallID  string `json:"call_id"`
		Note    string `json:"note"`
	}
	return marshal(line{OK: c.Code == "", Summary: c.Summary, Error: c.Error, CallID: c.CallID,
		Note: "left out to save space; recall_tool_result returns the whole"})
}

// pinnedText is the text of the last n attachments of messages.
func pinnedText(left []Message, n int) string {
	var all []Attachment
	for _, m := range left {
		all = append(all, m.Attachments...)
	}
	all = all[max(0, len(all)-n):]
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Attached earlier in this conversation:\n\n")
	for _, a := range all {
		b.WriteString(tools.Snippet(a.Path, a.StartLine, a.Text) + "\n\n")
	}
	return b.String()
}

// droppedMessages is how many messages of the conversation are not sent.
func (s *requestSession) droppedMessages() int {
	return len(replay(s.frame.past[:s.frame.firstSent(s.frame.compaction)]))
}

// compact takes a step if the next request has more than limit tokens. It ends
// the turn if the request has no place in the model's window even so.
func (s *requestSession) compact(ctx context.Context, limit int) error {
	size := s.size()
	if size <= limit {
		return nil
	}
	calls, err := callsOf(ctx, s.e.opts.DB.Read(), s.turn.RequestID)
	if err != nil {
		return orElse(context.Cause(ctx), err)
	}
	s.frame.addLines(calls[s.turn.RequestID])
	c := s.nextCompaction()
	after := s.sizeUnder(c)
	switch {
	case after > s.contextTokens():
		return &limitError{fmt.Sprintf("the message and what belongs to it have about %d tokens, but %s takes %d: send or attach less, or choose a model with a larger window (providers.*.models.*.contextTokens, limits.contextTokens)",
			after, modelName(s.model), s.contextTokens())}
	case size <= s.window() && size-after < s.window()*minGain/100:
		return nil
	case c != s.frame.compaction:
		s.take(c)
	}
	return nil
}

// take has the turn go on under a compaction.
func (s *requestSession) take(c compaction) {
	f := &s.frame
	if c.From != f.compaction.From {
		s.notice("the conversation no longer fits the window of " + modelName(s.model) + ": its oldest messages are left out, their attachments as far as possible not")
	} else {
		s.notice("the conversation fills the window of " + modelName(s.model) + ": the oldest results of tools are sent in one line each")
	}
	s.messages, f.turnStart = s.messagesUnder(c)
	f.compaction = c
	s.answer.compaction = &c
	s.listed = ledgerListed{}
}

func (s *requestSession) sizeUnder(c compaction) int {
	messages, _ := s.messagesUnder(c)
	return s.counter().request(messages, s.tools)
}

// nextCompaction is the one that a step leads to. Results that the model has not
// seen yet are made shorter only as far as they must be.
func (s *requestSession) nextCompaction() compaction {
	room := s.window()
	seen, unseen := s.resultCompactions()
	c := s.firstFitting(s.frame.compaction, seen, room*compactTo/100)
	c = s.firstFitting(c, unseen, room)
	if s.sizeUnder(c) > room {
		c = s.firstFitting(c, s.frame.pastCompactions(c), room*dropTo/100)
		c = s.firstFitting(c, unpinCompactions(c), room)
	}
	return c
}

// firstFitting returns the first of options, each of which makes the request smaller
// than the one before, under which it has at most limit tokens; or the last one;
// or c, if it does or there is none.
func (s *requestSession) firstFitting(c compaction, options []compaction, limit int) compaction {
	if len(options) == 0 || s.sizeUnder(c) <= limit {
		return c
	}
	i := sort.Search(len(options), func(i int) bool { return s.sizeUnder(options[i]) <= limit })
	return options[min(i, len(options)-1)]
}

// resultCompactions are the compactions that make ever more results shorter, those
// that the model has seen and then those that it hasn't.
func (s *requestSession) resultCompactions() (seen, unseen []compaction) {
	last := len(s.messages) - 1
	for last > 0 && s.messages[last].Role != llm.Assistant {
		last--
	}
	for i, m := range s.messages {
		if _, ok := s.frame.resultLineFor(m); !ok {
			continue
		}
		c := s.frame.compaction
		c.Results = m.CallID
		if i < last || last < s.frame.turnStart {
			seen = append(seen, c)
		} else {
			unseen = append(unseen, c)
		}
	}
	return seen, unseen
}

// pastCompactions are the compactions that leave out ever more turns of the past.
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

// unpinCompactions are the compactions that let go of ever more attachments.
func unpinCompactions(c compaction) []compaction {
	var options []compaction
	for c.Pinned > 0 {
		c.Pinned--
		options = append(options, c)
	}
	return options
}
