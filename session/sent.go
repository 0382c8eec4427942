package session

import (
	"context"

	"ploke-lsp/session/llm"
)

// maxSentBytes is the size above which a text is left out of what was sent before. Nobody types so much, and an
// input would only slow down.
const maxSentBytes = 32 << 10

// Sent returns the texts that the person has sent, each one once, the newest first. Those of the conversation come
// before those of others.
func (e *Engine) Sent(ctx context.Context, conversationID string, limit int) (texts []string, err error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `SELECT text FROM messages WHERE role = ? AND length(text) BETWEEN 1 AND ?
		GROUP BY text ORDER BY max(conversation_id = ?) DESC, max(rowid) DESC LIMIT ?`, llm.User, maxSentBytes, conversationID, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}
