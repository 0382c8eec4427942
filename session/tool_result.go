package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"ploke-lsp/session/redact"
)

// Call returns the record of a call by the id that the model knows. Secrets in its
// arguments and its content are placeholders. They are those that the rules find; the
// arguments of a remote model's call are stored with placeholders anyway.
func (e *Engine) Call(ctx context.Context, conversationID, callID string) (ToolCall, error) {
	db := e.opts.DB.Read()
	if err := conversationExists(ctx, db, conversationID); err != nil {
		return ToolCall{}, err
	}
	row := db.QueryRowContext(ctx, `SELECT `+callColumns+` FROM tool_calls WHERE conversation_id = ? AND call_id = ?`, conversationID, callID)
	c, err := scanCall(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return ToolCall{}, &NotFoundError{"tool call", callID}
	}
	vault := redact.New(conversationID)
	for _, text := range []*json.RawMessage{&c.Arguments, &c.Content} {
		hidden, _ := vault.HideJSON(string(*text))
		*text = json.RawMessage(hidden)
	}
	return c, err
}
