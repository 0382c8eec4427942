package session

import (
	"context"
	"database/sql"
	"maps"
	"strings"

	"ploke-lsp/session/llm"
)

// The model gets a notice of each decision on its proposals: before the next
// request of a running turn, else with the next message of the conversation. The
// notice is stored with the message or the step before it, so that later turns
// send the same bytes. Each branch of a conversation gets its own notices.

// decisions holds what was reported to the model of proposals, by their ids; see [proposalState.key].
type decisions map[string]string

// loadReported collects the decisions that the messages before the turn reported.
func (s *requestSession) loadReported() {
	past := &s.view.frame.past
	s.decided.reported, s.decided.seen = decisions{}, map[string]int64{}
	s.decided.proposed = past.proposed
	for _, i := range past.reporting {
		maps.Copy(s.decided.reported, past.messages[i].reported)
	}
}

// onBranch reports whether a turn is one of the branch.
func (s *requestSession) onBranch(requestID string) bool {
	return requestID == s.turn.RequestID || s.view.frame.past.hasTurn(requestID)
}

// reportDecisionsWithMessage adds to the user's message a notice of the decisions
// since the last turn, and of the files that have changed otherwise.
func (s *requestSession) reportDecisionsWithMessage(ctx context.Context) (err error) {
	told := map[string]bool{}
	if s.user.notice, s.user.reported, err = s.unreportedDecisions(ctx, told); err != nil {
		return err
	}
	s.giveFileChangesWithMessage(ctx, told)
	if s.user.notice == "" && len(s.user.files) == 0 {
		return nil
	}
	return s.e.opts.DB.Record(ctx, s.fenced(ctx, func(tx *sql.Tx) error { return updateMessage(ctx, tx, &s.user, s.user.extra()) }))
}

// reportDecisionsWithNextRequest adds to the next request a notice of the decisions
// since the last request. It is called right after a response was stored as a step.
func (s *requestSession) reportDecisionsWithNextRequest(ctx context.Context) error {
	n := len(s.answer.steps)
	if n == 0 || s.answer.steps[n-1].Notice != "" { // an empty response has no step of its own
		return nil
	}
	notice, unreported, err := s.unreportedDecisions(ctx, map[string]bool{})
	if err != nil || notice == "" {
		return err
	}
	if s.answer.reported == nil {
		s.answer.reported = decisions{}
	}
	for id, status := range unreported {
		s.answer.reported[id] = status
	}
	s.answer.steps[n-1].Notice = notice
	s.view.messages = append(s.view.messages, llm.Message{Role: llm.System, Text: notice})
	return nil
}

// unreportedDecisions returns a notice of the decisions on this branch's proposals
// that were not reported yet, and marks them as reported. It adds to told the files of
// proposals of which the notice says that they must be read again.
func (s *requestSession) unreportedDecisions(ctx context.Context, told map[string]bool) (notice string, unreported decisions, err error) {
	states, err := proposalStates(ctx, s.e.opts.DB.Read(), s.turn.ConversationID, s.decided.earlier, s.decided.proposed)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	unreported = decisions{}
	for _, p := range states {
		p.elsewhere = !s.onBranch(p.requestID)
		if p.elsewhere && p.id != s.decided.proposed || s.decided.seen[p.id] == p.updatedAt || p.isTold(s.decided.reported[p.id]) {
			continue
		}
		if err := p.read(ctx, s.e.opts.DB.Read()); err != nil {
			return "", nil, err
		}
		s.decided.seen[p.id] = p.updatedAt
		if key := p.key(); key != "" && !sameKey(s.decided.reported[p.id], key) {
			lines = append(lines, p.describe(s.e.roots()))
			p.addUncertain(told)
			unreported[p.id], s.decided.reported[p.id] = key, key
		}
	}
	return strings.Join(lines, "\n"), unreported, nil
}
