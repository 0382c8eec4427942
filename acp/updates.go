package acp

import (
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// turnUpdates sends the parts of a turn to the client.
type turnUpdates struct {
	session *openSession
	message string          // id of the answer
	text    strings.Builder // of the answer so far, to find what a repeated answer adds
	plan    plan
	printed map[string]string // the end of what running calls have printed, by call
}

func newTurnUpdates(s *openSession) *turnUpdates {
	return &turnUpdates{session: s, printed: map[string]string{}}
}

func messageChunk(kind, id, text string) protocol.MessageChunk {
	return protocol.MessageChunk{Kind: kind, MessageID: id, Content: protocol.Text(text)}
}

// send sends one part. Citations are links in the text, and proposals are shown when the person is
// asked about them.
func (u *turnUpdates) send(part project.Part) {
	s := u.session
	switch e := part.Event.(type) {
	case bus.TurnStarted:
		u.message = e.MessageID
		s.folder.frontEnd.showMessages(s)
		if e.Title != "" {
			s.showTitle()
		}
	case bus.MessageDelta:
		u.delta(e)
	case bus.MessageUpdated:
		u.replace(e.Text)
	case bus.ToolCallRequested:
		s.update(s.newCall(e.CallID, e.Name, e.Arguments))
	case bus.ToolCallOutput:
		u.print(e)
	case bus.ToolCallCompleted:
		s.update(completedCall(e))
	case bus.ToolCallFailed:
		s.update(failedCall(e))
	case bus.PermissionAsked:
		close(s.shownPart(e.ID))
	case bus.ProposalChecked:
		s.checks.show(s, e.ProposalID, part.Evidence)
	case bus.Usage:
		s.sendUsage(e.Context, s.spentBefore()+e.Cost)
	case bus.Retry:
		s.notice(warning("trying again: " + e.Error))
	case bus.Notice:
		s.notice(warning(e.Text))
	}
}

// printedBytes is how much of what a running call prints is shown.
const printedBytes = 4 << 10

// print shows the end of what a running call has printed.
func (u *turnUpdates) print(e bus.ToolCallOutput) {
	text := u.printed[e.CallID] + e.Text
	if cut := len(text) - printedBytes; cut > 0 {
		cut += strings.IndexByte(text[cut:], '\n') + 1
		text = strings.ToValidUTF8(text[cut:], "")
	}
	u.printed[e.CallID] = text
	u.session.update(protocol.ToolCall{Kind: protocol.ToolCallUpdate, ID: e.CallID, Status: protocol.StatusInProgress,
		Content: []protocol.ToolCallContent{protocol.TextContent(fenced(display.Escape(text)))}})
}

func (u *turnUpdates) delta(e bus.MessageDelta) {
	if e.Thought != "" {
		u.session.update(messageChunk(protocol.AgentThoughtChunk, "", e.Thought))
		return
	}
	u.write(e.Text)
}

func (u *turnUpdates) write(text string) {
	if text == "" {
		return
	}
	u.text.WriteString(text)
	u.session.update(messageChunk(protocol.AgentMessageChunk, u.message, text))
	if entries, changed := u.plan.read(u.text.String()); changed {
		u.session.update(protocol.Plan{Kind: "plan", Entries: entries})
	}
}

// replace shows a text that stands in place of the answer so far. The protocol can't take text
// back, so only what is new is sent, or the whole answer again below a line.
func (u *turnUpdates) replace(text string) {
	sent := u.text.String()
	if rest, ok := strings.CutPrefix(text, sent); ok {
		u.write(rest)
		return
	}
	u.text.Reset()
	u.session.update(messageChunk(protocol.AgentMessageChunk, u.message, "\n\n---\n\n"))
	u.write(text)
}

// end shows what is left of the plan of a turn that has ended.
func (u *turnUpdates) end() {
	if entries, changed := u.plan.end(); changed {
		u.session.update(protocol.Plan{Kind: "plan", Entries: entries})
	}
}

// warning returns a notice that warns.
func warning(text string) protocol.Notice {
	return protocol.Notice{Kind: "notice", Severity: "warning", Title: display.Prose(text)}
}

// notice shows a sentence that is no part of the answer; without notices, as a thought.
func (s *openSession) notice(n protocol.Notice) {
	if s.client.hasNotices() {
		s.update(n)
		return
	}
	s.update(messageChunk(protocol.AgentThoughtChunk, "", n.Title+"\n"))
}
