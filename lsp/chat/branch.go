package chat

import (
	"cmp"
	"context"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/project"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// A branch is one branch of a stored conversation, as a chat document shows it.
type branch struct {
	chatdoc.Conversation
	messages []records.Message // two for each turn: the question and its answer
}

// readBranch reads the branch of a conversation that ends in a message; "" is the newest one.
func readBranch(ctx context.Context, p *project.Project, conversationID, leafID string) (*branch, error) {
	messages, err := p.Engine.History(ctx, conversationID, leafID)
	if err != nil {
		return nil, err
	}
	v := &branch{Conversation: chatdoc.Conversation{ID: conversationID, Leaf: leafID}, messages: messages}
	if n := len(messages); n > 0 {
		v.Leaf = messages[n-1].ID
	}
	for i := range messages {
		m := &messages[i]
		if m.Role == llm.User {
			v.Turns = append(v.Turns, chatdoc.Turn{Question: m.Text, Model: chatdoc.Answering})
			continue
		}
		turn := &v.Turns[len(v.Turns)-1]
		if m.Status != records.Pending {
			turn.Model, turn.Answer = answerModel(m), layOutAnswer(ctx, p, m)
		}
	}
	v.Title, err = titleOf(ctx, p, conversationID)
	return v, err
}

// answerModel returns what the heading of an answer says.
func answerModel(m *records.Message) string {
	if m.Model == "" {
		return string(m.Status)
	}
	return display.Name(m.Model)
}

// layOutAnswer returns a stored answer as it stands in a document.
func layOutAnswer(ctx context.Context, p *project.Project, m *records.Message) string {
	var l chatdoc.Layout
	var out strings.Builder
	for _, step := range m.Steps() {
		out.WriteString(l.Text(p.Transcripts.Markdown(ctx, m.ConversationID, step.Text)))
		for _, c := range step.Calls {
			failed := c.Error != "" || client.SaysFailed(c.Content)
			out.WriteString(layOutCall(&l, c.Tool, cmp.Or(c.Error, c.Summary), failed))
		}
	}
	out.WriteString(l.Flush())
	for _, id := range m.Proposals {
		if proposal, err := p.Edits.Proposals.Get(ctx, id); err == nil {
			out.WriteString(l.Proposal(display.ProseName(proposal.Title), len(proposal.Changes)))
			known, _ := p.Evidence.Of(ctx, proposal) // an answer is shown without it, too
			for _, e := range known {
				out.WriteString(l.Evidence(display.ProseName(e.Source), display.ProseName(e.Line())))
			}
		}
	}
	if m.Status != records.Completed || m.Error != "" {
		out.WriteString(l.Ended(strings.TrimSuffix(string(m.Status)+": "+display.Prose(m.Error), ": ")))
	}
	return out.String()
}

func layOutCall(l *chatdoc.Layout, tool, outcome string, failed bool) string {
	return l.Call(display.ProseName(tool), display.ProseName(outcome), failed)
}

// titleOf returns the title of a conversation.
func titleOf(ctx context.Context, p *project.Project, conversationID string) (string, error) {
	all, err := p.Engine.Conversations(ctx)
	for _, c := range all {
		if c.ID == conversationID {
			return display.ProseName(c.Title), err
		}
	}
	return "", err
}

// question returns the message with the question of a turn, which counts from 1.
func (v *branch) question(turn int) (m *records.Message, ok bool) { return v.message(turn, llm.User) }

// answer returns the message with the answer of a turn, which counts from 1.
func (v *branch) answer(turn int) (m *records.Message, ok bool) {
	return v.message(turn, llm.Assistant)
}

func (v *branch) message(turn int, role llm.Role) (*records.Message, bool) {
	n := 0
	for i := range v.messages {
		m := &v.messages[i]
		if m.Role == llm.User {
			n++
		}
		if n == turn && m.Role == role {
			return m, true
		}
	}
	return nil, false
}
