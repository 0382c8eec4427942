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

// A conversation is sent in full until it fills compactFrom percent of the window
// at the beginning of a turn, or no longer fits during a turn. Then a step shortens
// the oldest call results to one line each, until compactTo percent are left.
// If that is not enough, the step drops the oldest messages, until dropTo
// percent are left. Between two steps each request begins with the bytes of the
// previous request, so that providers' prompt caches hit.
const (
	compactFrom = 60
	compactTo   = 30
	dropTo      = 60
	minGain     = 20 // percent of the window: a step that saves less waits until the window is full
)

// compaction says which parts of a conversation are shortened or dropped. It is
// stored with the answer of the turn that made it, and holds until the next
// compaction.
type compaction struct {
	Results string `json:"results,omitempty"` // results up to this call (the model's id) are one line each
	From    string `json:"from,omitempty"`    // id of the first user's message that is sent
	Pinned  int    `json:"pinned,omitempty"`  // number of attachments, the newest of the dropped messages, that are still sent
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

// promptFrame holds the parts that a turn's requests are built from.
type promptFrame struct {
	rules      string              // the project's rules, before the first user's message
	past       []Message           // the conversation before the turn
	input      []llm.Message       // the user's message and the notices with it
	id         string              // of the user's message
	turnStart  int                 // number of messages at the beginning of the turn
	records    map[string]ToolCall // of the calls, by the model's id
	compaction compaction
}

// buildMessages builds the messages of the first request.
func (s *requestSession) buildMessages(ctx context.Context, system llm.Message) (err error) {
	f := &s.frame
	s.loadReported(f.past)
	if err := s.reportDecisionsWithMessage(ctx); err != nil {
		return err
	}
	f.id, f.input, f.records, f.compaction = s.user.ID, userMessages(&s.user), map[string]ToolCall{}, lastCompaction(f.past)
	for i := range f.past {
		f.addRecords(f.past[i].Calls)
	}
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
	messages = append([]llm.Message{s.messages[0]}, replay(f.past[from:])...)
	messages = append(messages, f.input...)
	messages[1].Text = f.rules + pinnedText(f.past[:from], c.Pinned) + messages[1].Text
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

// firstSent returns the index in the past of the first message that is sent.
func (f *promptFrame) firstSent(c compaction) int {
	if c.From == "" {
		return 0
	}
	if i := slices.IndexFunc(f.past, func(m Message) bool { return m.ID == c.From }); i >= 0 {
		return i
	}
	return len(f.past) // c.From is the turn's own message
}

// resultLineFor returns the line that replaces a call's result, if the line is
// shorter.
func (f *promptFrame) resultLineFor(m llm.Message) (line string, ok bool) {
	if m.Role != llm.Tool {
		return "", false
	}
	c, ok := f.records[m.CallID]
	if !ok {
		return "", false
	}
	line = resultLine(c)
	return line, len(line) < len(m.Text)
}

func (f *promptFrame) addRecords(calls []ToolCall) {
	for _, c := range calls {
		f.records[c.CallID] = c
	}
}

// resultLine returns the text that replaces a dropped result for the model.
func resultLine(c ToolCall) string {
	type line struct {
		OK      bool   `json:"ok"`
		Summary string `json:"summary,omitempty"`
		Error   string `json:"error,omitempty"`
		CallID  string `json:"call_id"`
		Note    string `json:"note"`
	}
	return marshal(line{OK: c.Code == "", Summary: c.Summary, Error: c.Error, CallID: c.CallID,
		Note: "dropped to save space; recall_tool_result returns it all"})
}

// pinnedText returns the text of the last n attachments of the dropped messages.
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

// droppedMessages returns the number of messages of the conversation that are not
// sent.
func (s *requestSession) droppedMessages() int {
	return len(replay(s.frame.past[:s.frame.firstSent(s.frame.compaction)]))
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
	s.frame.addRecords(calls[s.turn.RequestID])
	c := s.nextCompaction()
	after := s.sizeUnder(c)
	switch {
	case after > s.contextTokens():
		return &limitError{fmt.Sprintf("the message and its context have about %d tokens, but %s takes %d: send or attach less, or choose a model with a larger window (providers.*.models.*.contextTokens, limits.contextTokens)",
			after, modelName(s.model), s.contextTokens())}
	case size <= s.window() && size-after < s.window()*minGain/100:
		return nil
	case c != s.frame.compaction:
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
		s.notice("the conversation fills the window of " + modelName(s.model) + ": the oldest tool results are shortened to one line each")
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

// nextCompaction returns the compaction of the next step. It shortens results that
// the model has not read yet only as far as necessary.
func (s *requestSession) nextCompaction() compaction {
	window := s.window()
	seen, unseen := s.resultCompactions()
	c := s.firstFitting(s.frame.compaction, seen, window*compactTo/100)
	c = s.firstFitting(c, unseen, window)
	if s.sizeUnder(c) > window {
		c = s.firstFitting(c, s.frame.pastCompactions(c), window*dropTo/100)
		c = s.firstFitting(c, unpinCompactions(c), window)
	}
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

// resultCompactions returns compactions that shorten more and more results: first
// results that the model has read, then results that it has not.
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
