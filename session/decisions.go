package session

import (
	"context"
	"database/sql"
	"maps"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// The model gets a notice of each decision on its proposals: before the next
// request of a running turn, else with the next message of the conversation. The
// notice is stored with the message or the step before it, so that later turns
// send the same bytes. Each branch of a conversation gets its own notices.

// decidedProposals is what a turn knows of the proposals of its branch.
type decidedProposals struct {
	reported records.Decisions // that the model was told
	proposed string            // the proposal that was staged or amended last before the turn, by id
	seen     map[string]int64  // versions of proposals that were looked at, by id
	earlier  string            // the proposal that waited when the turn began, by id
}

// loadReported collects the decisions that the messages before the turn reported.
func (b *contextBuilder) loadReported() {
	past := &b.view.frame.past
	b.decided.reported, b.decided.seen = records.Decisions{}, map[string]int64{}
	b.decided.proposed = past.Proposed
	for _, i := range past.Reporting {
		maps.Copy(b.decided.reported, past.Messages[i].Reported)
	}
}

// onBranch reports whether a turn is one of the branch.
func (b *contextBuilder) onBranch(requestID string) bool {
	return requestID == b.turn.RequestID || b.view.frame.past.HasTurn(requestID)
}

// reportDecisionsWithMessage adds to the user's message a notice of the decisions
// since the last turn, and of the files that have changed otherwise.
func (b *contextBuilder) reportDecisionsWithMessage(ctx context.Context) (err error) {
	told := map[string]bool{}
	if b.user.Notice, b.user.Reported, err = b.unreportedDecisions(ctx, told); err != nil {
		return err
	}
	b.giveFileChangesWithMessage(ctx, told)
	if b.user.Notice == "" && len(b.user.Files) == 0 {
		return nil
	}
	return b.e.opts.DB.Record(ctx,
		b.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &b.user, b.user.Extra()) }))
}

// reportDecisionsWithNextRequest adds to the next request a notice of the decisions
// since the last request. It is called right after a response was stored as a step.
func (b *contextBuilder) reportDecisionsWithNextRequest(ctx context.Context) error {
	n := len(b.answer.Responses)
	if n == 0 || b.answer.Responses[n-1].Notice != "" { // an empty response has no step of its own
		return nil
	}
	notice, unreported, err := b.unreportedDecisions(ctx, map[string]bool{})
	if err != nil || notice == "" {
		return err
	}
	if b.answer.Reported == nil {
		b.answer.Reported = records.Decisions{}
	}
	for id, status := range unreported {
		b.answer.Reported[id] = status
	}
	b.answer.Responses[n-1].Notice = notice
	b.view.messages = append(b.view.messages, llm.Message{Role: llm.System, Text: notice})
	return nil
}

// unreportedDecisions returns a notice of the decisions on this branch's proposals
// that were not reported yet, and marks them as reported. It adds to told the files of
// proposals of which the notice says that they must be read again.
func (b *contextBuilder) unreportedDecisions(ctx context.Context,
	told map[string]bool) (notice string, unreported records.Decisions, err error) {
	states, err := records.ProposalStates(ctx, b.e.opts.DB.Read(), b.turn.ConversationID, b.decided.earlier,
		b.decided.proposed)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	unreported = records.Decisions{}
	for _, p := range states {
		p.Elsewhere = !b.onBranch(p.RequestID)
		if p.Elsewhere && p.ID != b.decided.proposed || b.decided.seen[p.ID] == p.UpdatedAt ||
			p.IsTold(b.decided.reported[p.ID]) {
			continue
		}
		if err := p.Read(ctx, b.e.opts.DB.Read()); err != nil {
			return "", nil, err
		}
		b.decided.seen[p.ID] = p.UpdatedAt
		if key := p.Key(); key != "" && !records.SameKey(b.decided.reported[p.ID], key) {
			lines = append(lines, p.Describe(b.e.roots()))
			p.AddUncertain(told)
			unreported[p.ID], b.decided.reported[p.ID] = key, key
		}
	}
	return strings.Join(lines, "\n"), unreported, nil
}
