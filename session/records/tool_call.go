package records

import (
	"bytes"
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
	Arguments        json.RawMessage // of an [llm.Call]; may be invalid JSON
	Content          json.RawMessage // the result in JSON; the model reads its text
	Summary          string          // one line for people
	Answer           string          // ends the turn; see [tools.Result]. It is not stored.
	Secrets          []string        // used by the call or in its content; the rules may not find them there
	Error            string
	Code             bus.Code
	StartedAt        time.Time
	Duration         time.Duration
}

// CallRow is a row of a call, as it is stored and as it is read.
type CallRow struct {
	id, callID, tool   string
	arguments, content store.Text
	secrets            string // JSON
	summary, err       string
	code               bus.Code
	started, duration  int64 // in milliseconds
}

// StoreCall inserts or updates the record of a call, and returns its row. The first result of a call stays, such as
// the failure that another process has stored for a turn that it took over.
func StoreCall(ctx context.Context, tx *sql.Tx, r bus.ToolCallRequested, c ToolCall) (CallRow, error) {
	row := CallRow{r.ID, r.CallID, r.Name, store.Text(r.Arguments), store.Text(c.Content), Marshal(c.Secrets), c.Summary,
		c.Error, c.Code,
		c.StartedAt.UnixMilli(), c.Duration.Milliseconds()}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO tool_calls (id, request_id, parent_id, conversation_id, call_id, seq, tool, arguments,
			content, secrets, summary, error, code, started_at, duration_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET content = excluded.content, secrets = excluded.secrets, summary = excluded.summary, error = excluded.error,
			code = excluded.code, started_at = excluded.started_at, duration_ms = excluded.duration_ms
		WHERE tool_calls.content = ''`,
		row.id, r.RequestID, r.ParentID, r.ConversationID, row.callID, r.Seq, row.tool, row.arguments,
		row.content, row.secrets, row.summary, row.err, row.code, row.started, row.duration)
	return row, err
}

// CallColumns are the columns that [ScanCall] reads, of the table tool_calls.
const CallColumns = `id, call_id, tool, arguments, content, secrets, summary, error, code, started_at, duration_ms`

// ScanCall reads the record of a call from the columns [CallColumns].
func ScanCall(scan func(...any) error) (ToolCall, error) {
	var r CallRow
	err := scan(&r.id, &r.callID, &r.tool, &r.arguments, &r.content, &r.secrets, &r.summary, &r.err, &r.code, &r.started,
		&r.duration)
	if err != nil {
		return ToolCall{}, err
	}
	return r.call()
}

func (r *CallRow) call() (ToolCall, error) {
	c := ToolCall{ID: r.id, CallID: r.callID, Tool: r.tool, Arguments: json.RawMessage(r.arguments),
		Content: json.RawMessage(r.content),
		Summary: r.summary, Error: r.err, Code: r.code, StartedAt: time.UnixMilli(r.started),
		Duration: time.Duration(r.duration) * time.Millisecond}
	err := json.Unmarshal([]byte(r.secrets), &c.Secrets)
	return c, err
}

// callsOf returns the calls of turns by their ids.
func callsOf(ctx context.Context, q Queryer, requestIDs ...string) (map[string]ToolCall, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+CallColumns+` FROM tool_calls
		WHERE request_id IN (SELECT value FROM json_each(?))`, Marshal(requestIDs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	calls := map[string]ToolCall{}
	for rows.Next() {
		c, err := ScanCall(rows.Scan)
		if err != nil {
			return nil, err
		}
		calls[c.ID] = c
	}
	return calls, rows.Err()
}

// CallIDs returns those of the given call ids that models know in a conversation.
func CallIDs(ctx context.Context, q Queryer, conversationID string, among []string) (map[string]bool, error) {
	rows, err := q.QueryContext(ctx, `SELECT call_id FROM tool_calls WHERE conversation_id = ?
		AND call_id IN (SELECT value FROM json_each(?))`, conversationID, Marshal(among))
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

// ProposedLast returns the id of the proposal that the last staging call of m has staged or amended, or "".
func (m *Message) ProposedLast() string {
	for i := len(m.Calls) - 1; i >= 0; i-- {
		var result struct {
			ProposalID string `json:"proposal_id"`
		}
		content := m.Calls[i].Content
		if bytes.Contains(content, []byte(`"proposal_id":"`)) && json.Unmarshal(content, &result) == nil &&
			result.ProposalID != "" {
			return result.ProposalID
		}
	}
	return ""
}

// Failed reports whether the call failed, or its result says ok:false.
func (c *ToolCall) Failed() bool {
	var content struct{ OK *bool }
	return c.Code != "" || json.Unmarshal(c.Content, &content) == nil && content.OK != nil && !*content.OK
}
