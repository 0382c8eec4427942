package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// Call returns the record of a call by the id that the model knows. Secrets in its
// arguments, its content, its summary and its error are placeholders: those that the rules
// find, and those that the conversation's calls are known to have used or shown.
func (e *Engine) Call(ctx context.Context, conversationID, callID string) (records.ToolCall, error) {
	db := e.opts.DB.Read()
	if err := records.ConversationExists(ctx, db, conversationID); err != nil {
		return records.ToolCall{}, err
	}
	row := db.QueryRowContext(ctx,
		`SELECT `+records.CallColumns+` FROM tool_calls WHERE conversation_id = ? AND call_id = ?`, conversationID, callID)
	c, err := records.ScanCall(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return records.ToolCall{}, &records.NotFoundError{What: "tool call", ID: callID}
	}
	if err != nil {
		return records.ToolCall{}, err
	}
	stored, err := storedSecrets(ctx, db, `conversation_id = ?`, conversationID)
	if err != nil {
		return records.ToolCall{}, err
	}
	var known knownSecrets
	known.add(c.Secrets...)
	known.addLong(stored)
	hideCall(&c, redact.New(conversationID), known.all)
	return c, nil
}

// hideCall hides the secrets in a record: those that the rules find, and the known ones.
func hideCall(c *records.ToolCall, vault *redact.Vault, known []string) {
	for _, text := range []*json.RawMessage{&c.Arguments, &c.Content} {
		hidden, _ := vault.HideJSON(string(*text), redact.InJSON(string(*text), known)...)
		*text = json.RawMessage(hidden)
	}
	for _, text := range []*string{&c.Summary, &c.Error} {
		*text, _ = vault.Hide(*text, secretscan.In(*text, known)...)
	}
}
