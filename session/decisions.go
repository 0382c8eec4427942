package session

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
)

// The model is told what became of its proposals: before the next request of a
// turn that runs, else with the next message of the conversation. What it was
// told is stored with the message or the step that it came after, so that later
// turns send the same, and each branch of a conversation is told by itself.

// decisions are the states of proposals, by id, as the model was told of them.
type decisions map[string]string

// loadReported takes in what the messages of a branch told, and which turns made
// its proposals.
func (s *requestSession) loadReported(path []Message) {
	s.reported, s.turns = decisions{}, map[string]bool{s.turn.RequestID: true}
	for _, m := range path {
		s.turns[m.RequestID] = true
		for id, status := range m.reported {
			s.reported[id] = status
		}
	}
}

// reportDecisionsWithMessage has the message tell what was decided since the last turn.
func (s *requestSession) reportDecisionsWithMessage(ctx context.Context) (err error) {
	if s.user.notice, s.user.reported, err = s.unreportedDecisions(ctx); err != nil || s.user.notice == "" {
		return err
	}
	return s.e.opts.DB.Record(ctx, func(tx *sql.Tx) error { return updateMessage(ctx, tx, &s.user, s.user.extra()) })
}

// reportDecisionsWithNextRequest has the next request tell what was decided since the last
// one. It is called right after a response was taken in.
func (s *requestSession) reportDecisionsWithNextRequest(ctx context.Context) error {
	n := len(s.answer.steps)
	if n == 0 || s.answer.steps[n-1].Notice != "" { // the response was empty: it has no step of its own
		return nil
	}
	notice, told, err := s.unreportedDecisions(ctx)
	if err != nil || notice == "" {
		return err
	}
	if s.answer.reported == nil {
		s.answer.reported = decisions{}
	}
	for id, status := range told {
		s.answer.reported[id] = status
	}
	s.answer.steps[n-1].Notice = notice
	s.messages = append(s.messages, llm.Message{Role: llm.System, Text: notice})
	return nil
}

// unreportedDecisions returns what the model has not been told yet of the proposals of this
// branch, which counts as told from then on.
func (s *requestSession) unreportedDecisions(ctx context.Context) (notice string, told decisions, err error) {
	states, err := proposalStates(ctx, s.e.opts.DB.Read(), s.turn.ConversationID)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	told = decisions{}
	for _, p := range states {
		if !s.turns[p.requestID] || s.reported[p.id] == p.status {
			continue
		}
		line, err := p.describe(ctx, s.e.opts.DB.Read())
		if err != nil {
			return "", nil, err
		}
		lines = append(lines, line)
		told[p.id], s.reported[p.id] = p.status, p.status
	}
	return strings.Join(lines, "\n"), told, nil
}

// proposalState is how far a proposal has come. The rows belong to package
// edits; their states and reasons are all that is known of them here.
type proposalState struct{ id, requestID, status string }

// proposalStates lists the proposals of a conversation on which something was
// decided and done.
func proposalStates(ctx context.Context, q queryer, conversationID string) ([]proposalState, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, request_id, status FROM proposals
		WHERE conversation_id = ? AND status NOT IN ('staged', 'accepted', 'withdrawn') ORDER BY rowid`, conversationID)
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

// outcomes says what each state of a proposal means to the model.
var outcomes = map[string]string{
	"applied":  "The user accepted it; its changes are in the files.",
	"verified": "The user accepted it; its changes are in the files.",
	"rejected": "The user rejected it; its changes are not in the files. Don't propose the same again.",
	"stale":    "It no longer fits its files, which have changed since; nothing of it was applied. Read them again before you propose anew.",
	"failed":   "The user accepted it, but it could not be applied. Read its files again before you propose anew.",
	"undone":   "The user took it back after it was applied; its changes are not in the files any more.",
	"partial":  "The user decided on parts of it. Read its files to see which are in them.",
}

// describe is the line that tells the model.
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
