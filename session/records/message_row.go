package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/llm"
)

// longExtra is the length in bytes from which the JSON of a message is stored compressed.
const longExtra = 1 << 10

// MessageRow is a row of a message, as it is stored and as it is read.
type MessageRow struct {
	id, ConversationID, parentID string
	role                         llm.Role
	text                         string
	status                       Status
	RequestID, model             string
	created, updated             int64
	extra                        store.Text // JSON
}

// row returns what is stored of a message.
func (m *Message) row(x Extra) *MessageRow {
	return &MessageRow{m.ID, m.ConversationID, m.ParentID, m.Role, m.Text, m.Status, m.RequestID, m.Model,
		m.CreatedAt.UnixMilli(), m.UpdatedAt.UnixMilli(), store.Text(Marshal(x))}
}

// extraColumns returns what is stored in the columns extra and long_extra. Of a pending message, extra has
// everything, since its owner is looked for there.
func (r *MessageRow) extraColumns() (short string, long any) {
	if r.status == Pending || len(r.extra) < longExtra {
		return string(r.extra), nil
	}
	return "{}", r.extra
}

// InsertMessage stores a new message.
func InsertMessage(ctx context.Context, tx *sql.Tx, m *Message, x Extra) error {
	r := m.row(x)
	short, long := r.extraColumns()
	_, err := tx.ExecContext(ctx, `
		INSERT INTO messages (id, conversation_id, parent_id, role, text, status, request_id, model, created_at, updated_at, extra, long_extra)
		VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.id, r.ConversationID, r.parentID, r.role, r.text, r.status, r.RequestID, r.model, r.created, r.updated, short, long)
	m.Row = r
	return err
}

// UpdateMessage stores a message with all of its text.
func UpdateMessage(ctx context.Context, tx *sql.Tx, m *Message, x Extra) error {
	r := m.row(x)
	short, long := r.extraColumns()
	_, err := tx.ExecContext(ctx,
		`UPDATE messages SET text = ?, status = ?, model = ?, updated_at = ?, extra = ?, long_extra = ? WHERE id = ?`,
		r.text, r.status, r.model, r.updated, short, long, r.id)
	if err != nil {
		return err
	}
	m.Row = r
	_, err = tx.ExecContext(ctx, `DELETE FROM streamed_text WHERE message_id = ?`, m.ID)
	return err
}

// MessageText is the text of a message with what was streamed since.
const MessageText = `m.text || coalesce((SELECT group_concat(text, '' ORDER BY id)
	FROM streamed_text WHERE message_id = m.id), '')`

// MessageColumns are the columns that [ScanMessage] reads, of the table messages as m.
const MessageColumns = `m.id, m.conversation_id, coalesce(m.parent_id, ''), m.role, ` + MessageText + `, m.status, m.request_id, m.model,
	m.created_at, m.updated_at, coalesce(m.long_extra, m.extra)`

// ScanMessage reads a message from the columns [MessageColumns].
func ScanMessage(rows *sql.Rows) (*Message, error) {
	var r MessageRow
	err := rows.Scan(&r.id, &r.ConversationID, &r.parentID, &r.role, &r.text, &r.status, &r.RequestID, &r.model,
		&r.created, &r.updated, &r.extra)
	if err != nil {
		return nil, err
	}
	return r.message()
}

func (r *MessageRow) message() (*Message, error) {
	var x Extra
	if err := json.Unmarshal([]byte(r.extra), &x); err != nil {
		return nil, err
	}
	return &Message{ID: r.id, ConversationID: r.ConversationID, ParentID: r.parentID, RequestID: r.RequestID, Role: r.role,
		Text: r.text, Status: r.status, CreatedAt: time.UnixMilli(r.created), UpdatedAt: time.UnixMilli(r.updated),
		Owner: x.Owner,
		Given: Given{Attachments: x.Attachments, Expansion: x.Expansion, Found: FoundCode{x.Context, x.Secrets},
			Rules: x.Rules, Files: x.Files, Notice: x.Notice, Reported: x.Reported},
		Answered: Answered{Model: r.model, Responses: x.Steps, StopReason: x.StopReason, Error: x.Error,
			ErrorKind: x.ErrorKind,
			Usage:     x.Usage, Context: x.Window, Scale: x.Scale, Compaction: x.Compaction}}, nil
}
