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

// loadReported collects the decisions that the messages before the turn reported.
func (s *requestSession) loadReported() {
	past := &s.view.frame.past
	s.decided.reported, s.decided.seen = records.Decisions{}, map[string]int64{}
	s.decided.proposed = past.Proposed
	for _, i := range past.Reporting {
		maps.Copy(s.decided.reported, past.Messages[i].Reported)
	}
}

// onBranch reports whether a turn is one of the branch.
func (s *requestSession) onBranch(requestID string) bool {
	return requestID == s.turn.RequestID || s.view.frame.past.HasTurn(requestID)
}

// reportDecisionsWithMessage adds to the user's message a notice of the decisions
// since the last turn, and of the files that have changed otherwise.
func (s *requestSession) reportDecisionsWithMessage(ctx context.Context) (err error) {
	told := map[string]bool{}
	if s.user.Notice, s.user.Reported, err = s.unreportedDecisions(ctx, told); err != nil {
		return err
	}
	s.giveFileChangesWithMessage(ctx, told)
	if s.user.Notice == "" && len(s.user.Files) == 0 {
		return nil
	}
	return s.e.opts.DB.Record(ctx,
		s.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &s.user, s.user.Extra()) }))
}

// reportDecisionsWithNextRequest adds to the next request a notice of the decisions
// since the last request. It is called right after a response was stored as a step.
func (s *requestSession) reportDecisionsWithNextRequest(ctx context.Context) error {
	n := len(s.answer.Responses)
	if n == 0 || s.answer.Responses[n-1].Notice != "" { // an empty response has no step of its own
		return nil
	}
	notice, unreported, err := s.unreportedDecisions(ctx, map[string]bool{})
	if err != nil || notice == "" {
		return err
	}
	if s.answer.Reported == nil {
		s.answer.Reported = records.Decisions{}
	}
	for id, status := range unreported {
		s.answer.Reported[id] = status
	}
	s.answer.Responses[n-1].Notice = notice
	s.view.messages = append(s.view.messages, llm.Message{Role: llm.System, Text: notice})
	return nil
}

// unreportedDecisions returns a notice of the decisions on this branch's proposals
// that were not reported yet, and marks them as reported. It adds to told the files of
// proposals of which the notice says that they must be read again.
func (s *requestSession) unreportedDecisions(ctx context.Context,
	told map[string]bool) (notice string, unreported records.Decisions, err error) {
	states, err := records.ProposalStates(ctx, s.e.opts.DB.Read(), s.turn.ConversationID, s.decided.earlier,
		s.decided.proposed)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	unreported = records.Decisions{}
	for _, p := range states {
		p.Elsewhere = !s.onBranch(p.RequestID)
		if p.Elsewhere && p.ID != s.decided.proposed || s.decided.seen[p.ID] == p.UpdatedAt ||
			p.IsTold(s.decided.reported[p.ID]) {
			continue
		}
		if err := p.Read(ctx, s.e.opts.DB.Read()); err != nil {
			return "", nil, err
		}
		s.decided.seen[p.ID] = p.UpdatedAt
		if key := p.Key(); key != "" && !records.SameKey(s.decided.reported[p.ID], key) {
			lines = append(lines, p.Describe(s.e.roots()))
			p.AddUncertain(told)
			unreported[p.ID], s.decided.reported[p.ID] = key, key
		}
	}
	return strings.Join(lines, "\n"), unreported, nil
}
