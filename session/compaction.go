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
	leaveOutTo  = 60
	worthwhile  = 20 // percent of the window: a step that gains less waits until it must be
)

// compaction says what of a conversation is sent in short, or no more. It is
// stored with the answer of the turn that made it, and holds until the next one.
type compaction struct {
	Results string `json:"results,omitempty"` // of calls up to this one (the model's id) are one line each
	From    string `json:"from,omitempty"`    // the user's message (our id) before which all is left out
	Pinned  int    `json:"pinned,omitempty"`  // so many attachments of what is left out, the newest, are sent all the same
}

// compacted returns the compaction that holds at the end of a path.
func compacted(path []Message) compaction {
	for _, m := range slices.Backward(path) {
		if m.compaction != nil {
			return *m.compaction
		}
	}
	return compaction{}
}

// frame is what the messages of a turn's requests are made from.
type frame struct {
	past       []Message         // the conversation before the turn
	question   []llm.Message     // the user's, and what the model is told with it
	id         string            // of the user's message
	since      int               // how many messages there were at the turn's beginning
	lines      map[string]string // in place of results, by the model's id of the call
	compaction compaction
}

// frameMessages makes the first request's messages.
func (s *requestSession) frameMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.frame
	if s.user.ParentID != "" {
		if f.past, err = s.e.pasts.read(ctx, s.turn.ConversationID, s.user.ParentID); err != nil {
			return err
		}
	}
	s.remember(f.past)
	if err := s.beginWithDecisions(ctx); err != nil {
		return err
	}
	f.id, f.question, f.lines, f.compaction = s.user.ID, spoken(&s.user), map[string]string{}, compacted(f.past)
	for _, m := range f.past {
		f.addLines(m.Calls)
	}
	s.scales = calibrated(f.past)
	s.messages, f.since = []llm.Message{system}, 1
	s.messages, f.since = s.view(f.compaction)
	return s.compact(ctx, s.window()*compactFrom/100)
}

// view returns the turn's messages as they are under a compaction, and how many
// of them there were at the turn's beginning.
func (s *requestSession) view(c compaction) (messages []llm.Message, since int) {
	f := &s.frame
	from := f.begin(c)
	messages = append([]llm.Message{s.messages[0]}, replay(f.past[from:])...)
	messages = append(messages, f.question...)
	messages[1].Text = pinned(f.past[:from], c.Pinned) + messages[1].Text
	since = len(messages)
	messages = append(messages, s.messages[f.since:]...)
	last := slices.IndexFunc(messages, func(m llm.Message) bool { return m.Role == llm.Tool && m.CallID == c.Results })
	for i := range messages[:last+1] {
		if line, ok := f.shorter(messages[i]); ok {
			messages[i].Text = line
		}
	}
	return messages, since
}

// begin is the place in the past of the first message that is sent.
func (f *frame) begin(c compaction) int {
	if c.From == "" {
		return 0
	}
	if i := slices.IndexFunc(f.past, func(m Message) bool { return m.ID == c.From }); i >= 0 {
		return i
	}
	return len(f.past) // it is the turn's own
}

// shorter returns the line that may stand in place of a call's result.
func (f *frame) shorter(m llm.Message) (line string, ok bool) {
	if m.Role != llm.Tool {
		return "", false
	}
	line, ok = f.lines[m.CallID]
	return line, ok && len(line) < len(m.Text)
}

func (f *frame) addLines(calls []ToolCall) {
	for _, c := range calls {
		f.lines[c.CallID] = resultLine(c)
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

// pinned is the text of the last n attachments of messages.
func pinned(left []Message, n int) string {
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

// leftOut is how many messages of the conversation are not sent.
func (s *requestSession) leftOut() int {
	return len(replay(s.frame.past[:s.frame.begin(s.frame.compaction)]))
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
	case size <= s.window() && size-after < s.window()*worthwhile/100:
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
	s.messages, f.since = s.view(c)
	f.compaction = c
	s.answer.compaction = &c
	s.listed = listed{}
}

func (s *requestSession) sizeUnder(c compaction) int {
	messages, _ := s.view(c)
	return s.counter().request(messages, s.tools)
}

// nextCompaction is the one that a step leads to. Results that the model has not
// seen yet are made shorter only as far as they must be.
func (s *requestSession) nextCompaction() compaction {
	room := s.window()
	seen, unseen := s.shortenings()
	c := s.least(s.frame.compaction, seen, room*compactTo/100)
	c = s.least(c, unseen, room)
	if s.sizeUnder(c) > room {
		c = s.least(c, s.frame.beginnings(c), room*leaveOutTo/100)
		c = s.least(c, unpinnings(c), room)
	}
	return c
}

// least returns the first of options, each of which makes the request smaller
// than the one before, under which it has at most limit tokens; or the last one;
// or c, if it does or there is none.
func (s *requestSession) least(c compaction, options []compaction, limit int) compaction {
	if len(options) == 0 || s.sizeUnder(c) <= limit {
		return c
	}
	i := sort.Search(len(options), func(i int) bool { return s.sizeUnder(options[i]) <= limit })
	return options[min(i, len(options)-1)]
}

// shortenings are the compactions that make ever more results shorter, those
// that the model has seen and then those that it hasn't.
func (s *requestSession) shortenings() (seen, unseen []compaction) {
	last := len(s.messages) - 1
	for last > 0 && s.messages[last].Role != llm.Assistant {
		last--
	}
	for i, m := range s.messages {
		if _, ok := s.frame.shorter(m); !ok {
			continue
		}
		c := s.frame.compaction
		c.Results = m.CallID
		if i < last || last < s.frame.since {
			seen = append(seen, c)
		} else {
			unseen = append(unseen, c)
		}
	}
	return seen, unseen
}

// beginnings are the compactions that leave out ever more turns of the past.
func (f *frame) beginnings(c compaction) []compaction {
	var options []compaction
	now := f.begin(c)
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

// unpinnings are the compactions that let go of ever more attachments.
func unpinnings(c compaction) []compaction {
	var options []compaction
	for c.Pinned > 0 {
		c.Pinned--
		options = append(options, c)
	}
	return options
}
