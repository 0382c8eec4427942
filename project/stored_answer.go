package project

import (
	"context"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// A StoredAnswer is an assistant's message as a person saw it.
type StoredAnswer struct {
	Text string // Markdown
	// Parts are those that followers of its turn got for it, in order and without numbers. Adjacent texts are
	// joined, and a call or a proposal is one part with its last state. Citations come behind the text that cites.
	Parts []Part
}

// Answers returns the answers of a branch, which [session.Engine.History] has returned, by the ids of their
// messages. A quotation is cited where it stands now.
func (t *Transcripts) Answers(ctx context.Context, conversationID string,
	branch []records.Message) (map[string]StoredAnswer, error) {
	proposals, err := t.project.Edits.Proposals.InConversation(ctx, conversationID)
	if err != nil {
		return nil, err
	}
	byCall := map[string][]*edits.Proposal{}
	for _, proposal := range proposals {
		for _, origin := range proposal.AllOrigins() {
			byCall[origin.CallID] = append(byCall[origin.CallID], proposal)
		}
	}
	answers := map[string]StoredAnswer{}
	for i := range branch {
		if m := &branch[i]; m.Role == llm.Assistant {
			r := replay{ws: t.project.Workspace, byCall: byCall,
				renderer: renderer{quotations: t.quotations, conversation: conversationID}}
			answers[m.ID] = r.answer(ctx, m)
		}
	}
	return answers, nil
}

// A replay makes the parts of one stored answer.
type replay struct {
	ws       *workspace.Workspace
	byCall   map[string][]*edits.Proposal // by the call with which a turn began its part of them; "" is none
	renderer renderer
	text     string
	parts    []Part
	cited    []Part // the citations of the text at the end of parts
}

func (r *replay) answer(ctx context.Context, m *records.Message) StoredAnswer {
	for _, step := range m.Steps() {
		for _, piece := range step.Pieces {
			if piece.Aside != nil {
				r.add(Part{Event: asideEvent(*piece.Aside)})
			} else {
				r.write(r.renderer.write(ctx, piece.Text))
			}
		}
		for _, c := range step.Calls {
			r.add(Part{Event: callEvent(c)})
		}
		for _, c := range step.Calls {
			r.propose(r.byCall[c.ID])
		}
	}
	r.write(r.renderer.flush(ctx))
	r.propose(slices.DeleteFunc(slices.Clone(r.byCall[""]),
		func(p *edits.Proposal) bool { return !slices.Contains(m.Proposals, p.ID) }))
	if used := m.Usage; used != (llm.Usage{}) {
		r.add(Part{Event: bus.Usage{Tokens: bus.Tokens{In: used.In, Out: used.Out, Cached: used.Cached, Cost: used.Cost}}})
	}
	return StoredAnswer{r.text, append(r.parts, r.cited...)}
}

// write adds Markdown and the places that it cites.
func (r *replay) write(text string, citations []Citation) {
	r.text += text
	if text != "" {
		r.parts = append(r.parts, Part{Event: bus.MessageDelta{Text: text}})
	}
	for _, c := range citations {
		r.cited = append(r.cited, Part{Citation: &c})
	}
}

// add adds a part that is not text.
func (r *replay) add(part Part) {
	r.parts = append(append(r.parts, r.cited...), part)
	r.cited = nil
}

func (r *replay) propose(proposals []*edits.Proposal) {
	for _, p := range proposals {
		part := Part{Proposal: p}
		for _, c := range p.Changes {
			part.Files = append(part.Files, r.ws.Rel(c.Path))
		}
		r.add(part)
	}
}

// asideEvent returns the event that an aside was stored of.
func asideEvent(a records.Aside) bus.Event {
	switch a.Kind {
	case records.Notice:
		return bus.Notice{Text: a.Text}
	case records.Retry:
		return bus.Retry{Error: a.Text}
	}
	return bus.MessageDelta{Thought: display.SafeMarkdown(a.Text)}
}

// callEvent returns the last event of a call.
func callEvent(c records.ToolCall) bus.Event {
	ref := bus.CallRef{ID: c.ID, CallID: c.CallID, Name: c.Tool}
	switch {
	case c.Code != "":
		return bus.ToolCallFailed{CallRef: ref, Error: c.Error, Code: c.Code, Content: c.Content, Duration: c.Duration}
	case len(c.Content) > 0:
		return bus.ToolCallCompleted{CallRef: ref, Content: c.Content, Summary: c.Summary, Secrets: c.Secrets,
			Duration: c.Duration}
	}
	return bus.ToolCallRequested{CallRef: ref, Arguments: c.Arguments}
}
