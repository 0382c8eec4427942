package session

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
)

// The model gets a notice of each decision on its proposals: before the next
// request of a running turn, else with the next message of the conversation. The
// notice is stored with the message or the step before it, so that later turns
// send the same bytes. Each branch of a conversation gets its own notices.

// decisions holds the states of proposals, by id, that were reported to the model.
type decisions map[string]string

// loadReported collects the decisions that the messages of a branch reported, and the
// turns of the branch.
func (s *requestSession) loadReported(path []Message) {
	s.reported, s.turns = decisions{}, map[string]bool{s.turn.RequestID: true}
	for _, m := range path {
		s.turns[m.RequestID] = true
		for id, status := range m.reported {
			s.reported[id] = status
		}
	}
}

// reportDecisionsWithMessage adds to the user's message a notice of the decisions
// since the last turn.
func (s *requestSession) reportDecisionsWithMessage(ctx context.Context) (err error) {
	if s.user.notice, s.user.reported, err = s.unreportedDecisions(ctx); err != nil || s.user.notice == "" {
		return err
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
	notice, unreported, err := s.unreportedDecisions(ctx)
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
	s.messages = append(s.messages, llm.Message{Role: llm.System, Text: notice})
	return nil
}

// unreportedDecisions returns a notice of the decisions on this branch's proposals
// that were not reported yet, and marks them as reported.
func (s *requestSession) unreportedDecisions(ctx context.Context) (notice string, unreported decisions, err error) {
	states, err := proposalStates(ctx, s.e.opts.DB.Read(), s.turn.ConversationID)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	unreported = decisions{}
	for _, p := range states {
		if !s.turns[p.requestID] || s.reported[p.id] == p.status {
			continue
		}
		line, err := p.describe(ctx, s.e.opts.DB.Read())
		if err != nil {
			return "", nil, err
		}
		lines = append(lines, line)
		unreported[p.id], s.reported[p.id] = p.status, p.status
	}
	return strings.Join(lines, "\n"), unreported, nil
}

// proposalState is the state of a proposal. The rows belong to package edits; this
// package knows only their states and reasons.
type proposalState struct{ id, requestID, status string }

// proposalStates lists the proposals of a conversation whose decision has taken
// effect. It finds the undecided ones by the index of the states: in a row the state is
// behind all of the proposal's changes.
func proposalStates(ctx context.Context, q queryer, conversationID string) ([]proposalState, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, request_id, status FROM proposals
		WHERE conversation_id = ? AND rowid NOT IN (SELECT rowid FROM proposals WHERE status IN ('staged', 'accepted', 'withdrawn'))
		ORDER BY rowid`, conversationID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var states []proposalState
	for rows.Next() {
		var p proposalState
		if err := rows.Scan(&p.id, &p.requestID, &p.status); err != nil {
			return nil, err
		}
		states = append(states, p)
	}
	return states, rows.Err()
}

// outcomes explains each state of a proposal to the model.
var outcomes = map[string]string{
	"applied":  "The user accepted it; its changes are in the files.",
	"verified": "The user accepted it; its changes are in the files.",
	"rejected": "The user rejected it; its changes are not in the files. Don't propose the same again.",
	"stale":    "It no longer fits its files, which have changed since; nothing of it was applied. Read them again before proposing again.",
	"failed":   "The user accepted it, but it could not be applied. Read its files again before proposing again.",
	"undone":   "The user took it back after it was applied; its changes are no longer in the files.",
	"partial":  "The user decided on parts of it. Read its files to see which are in them.",
}

// describe returns the notice for the model.
func (p proposalState) describe(ctx context.Context, q queryer) (string, error) {
	var title, reason string
	err := q.QueryRowContext(ctx, `SELECT title, coalesce(body ->> '$.decision_reason', '') FROM proposals WHERE id = ?`, p.id).Scan(&title, &reason)
	if err != nil {
		return "", err
	}
	line := fmt.Sprintf("Proposal %s (%s) is %s. %s", p.id, title, p.status, outcomes[p.status])
	if reason != "" {
		line += " Reason: " + reason
	}
	return line, nil
}
