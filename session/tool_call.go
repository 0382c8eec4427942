package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
)

// ToolCall is the stored record of a call. Content is empty until the call has ended.
// Error and Code are set if the call failed.
type ToolCall struct {
	ID, CallID, Tool string
	Arguments        json.RawMessage // as the model wrote them; may be invalid JSON
	Content          json.RawMessage // the result in JSON; the model reads its text
	Summary          string          // one line for people
	Answer           string          // ends the turn; see [tools.Result]. It is not stored.
	Secrets          []string        // used by the call or in its content; the rules may not find them there
	Error            string
	Code             bus.Code
	StartedAt        time.Time
	Duration         time.Duration
}

// storeCall inserts or updates the record of a call. The first result of a call stays, such as
// the failure that another process has stored for a turn that it took over.
func storeCall(ctx context.Context, tx *sql.Tx, r bus.ToolCallRequested, c ToolCall) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO tool_calls (id, request_id, parent_id, conversation_id, call_id, seq, tool, arguments,
			content, secrets, summary, error, code, started_at, duration_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET content = excluded.content, secrets = excluded.secrets, summary = excluded.summary, error = excluded.error,
			code = excluded.code, started_at = excluded.started_at, duration_ms = excluded.duration_ms
		WHERE tool_calls.content = ''`,
		r.ID, r.RequestID, r.ParentID, r.ConversationID, r.CallID, r.Seq, r.Name, store.Text(r.Arguments),
		store.Text(c.Content), marshal(c.Secrets), c.Summary, c.Error, c.Code, c.StartedAt.UnixMilli(), c.Duration.Milliseconds())
	return err
}

const callColumns = `id, call_id, tool, arguments, content, secrets, summary, error, code, started_at, duration_ms`

func scanCall(scan func(...any) error) (c ToolCall, err error) {
	var arguments, content store.Text
	var secrets string
	var started, duration int64
	err = scan(&c.ID, &c.CallID, &c.Tool, &arguments, &content, &secrets, &c.Summary, &c.Error, &c.Code, &started, &duration)
	c.Arguments, c.Content = json.RawMessage(arguments), json.RawMessage(content)
	c.StartedAt, c.Duration = time.UnixMilli(started), time.Duration(duration)*time.Millisecond
	if err == nil {
		err = json.Unmarshal([]byte(secrets), &c.Secrets)
	}
	return c, err
}

// callsOf returns the calls of turns by request id, in the order in which the model
// made them.
func callsOf(ctx context.Context, q queryer, requestIDs ...string) (map[string][]ToolCall, error) {
	rows, err := q.QueryContext(ctx, `SELECT request_id, `+callColumns+` FROM tool_calls
		WHERE request_id IN (SELECT value FROM json_each(?)) ORDER BY request_id, seq`, marshal(requestIDs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	calls := map[string][]ToolCall{}
	for rows.Next() {
		var requestID string
		c, err := scanCall(func(dest ...any) error { return rows.Scan(append([]any{&requestID}, dest...)...) })
		if err != nil {
			return nil, err
		}
		calls[requestID] = append(calls[requestID], c)
	}
	return calls, rows.Err()
}

// callIDs returns those of the given call ids that models know in a conversation.
func callIDs(ctx context.Context, q queryer, conversationID string, among []string) (map[string]bool, error) {
	rows, err := q.QueryContext(ctx, `SELECT call_id FROM tool_calls WHERE conversation_id = ?
		AND call_id IN (SELECT value FROM json_each(?))`, conversationID, marshal(among))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, rows.Err()
}
