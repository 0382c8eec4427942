package records

import (
	"context"

	"ploke-lsp/session/llm"
)

// ConversationExists returns a [*NotFoundError] unless there is the conversation.
func ConversationExists(ctx context.Context, q Queryer, id string) error {
	var exists bool
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM conversations WHERE id = ?`, id).Scan(&exists)
	if err == nil && !exists {
		err = &NotFoundError{"conversation", id}
	}
	return err
}

// Branch returns the messages from the root to the leaf, with their calls.
func Branch(ctx context.Context, q Queryer, conversationID, leafID string) ([]Message, error) {
	return BranchFrom(ctx, q, conversationID, "", leafID)
}

// BranchFrom returns the messages of the branch that come after the message last, or
// all messages if last is not on the branch. It returns at least one message or an
// error.
func BranchFrom(ctx context.Context, q Queryer, conversationID, last, leafID string) ([]Message, error) {
	rows, err := q.QueryContext(ctx, `
		WITH RECURSIVE branch (id, parent_id, depth) AS (
			SELECT id, parent_id, 0 FROM messages WHERE id = ? AND conversation_id = ?
			UNION ALL
			SELECT m.id, m.parent_id, depth + 1 FROM messages m JOIN branch ON m.id = branch.parent_id AND m.id != ?
		)
		SELECT `+MessageColumns+` FROM messages m JOIN branch ON m.id = branch.id ORDER BY depth DESC`, leafID, conversationID, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var path []Message
	for rows.Next() {
		m, err := ScanMessage(rows)
		if err != nil {
			return nil, err
		}
		path = append(path, *m)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(path) == 0 {
		return nil, &NotFoundError{"message", leafID}
	}
	rows.Close() // a transaction has only one connection for the next query
	return path, addCalls(ctx, q, path)
}

// addCalls adds the calls to the answers of a path.
func addCalls(ctx context.Context, q Queryer, path []Message) error {
	var turns []string
	for _, m := range path {
		if m.Role == llm.Assistant {
			turns = append(turns, m.RequestID)
		}
	}
	calls, err := callsOf(ctx, q, turns...)
	if err != nil {
		return err
	}
	for i := range path {
		if m := &path[i]; m.Role == llm.Assistant {
			m.takeCalls(calls)
		}
	}
	return nil
}

// ProposalsOf returns the ids of the proposals that a turn staged. The rows belong to
// package edits; this package relies only on their request_id.
func ProposalsOf(ctx context.Context, q Queryer, requestID string) ([]string, error) {
	rows, err := q.QueryContext(ctx, `SELECT id FROM proposals WHERE request_id = ? ORDER BY rowid`, requestID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
