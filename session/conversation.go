package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// Conversation is a tree of messages.
type Conversation struct {
	ID, Title            string
	CreatedAt, UpdatedAt time.Time
	Messages             int
	Last                 records.Status // of its newest message; "" if there is none. Only a list has it
}

// BusyError reports that a turn is running in the conversation.
type BusyError struct {
	ConversationID, RequestID string
	Elsewhere                 bool // another process runs it
}

func (e *BusyError) Error() string {
	if e.Elsewhere {
		return "another window is writing an answer in this conversation; wait for it, stop it there, or start a new " +
			"conversation"
	}
	return "an answer is still being written in this conversation; wait for it, or stop it"
}

// titleRunes is the maximum length of a title that is made from a message, in runes.
const titleRunes = 60

// Create adds an empty conversation.
func (e *Engine) Create(ctx context.Context, title string) (Conversation, error) {
	at := now()
	c := Conversation{ID: newID(), Title: title, CreatedAt: at, UpdatedAt: at}
	err := e.opts.DB.Write(ctx, func(tx *sql.Tx) error { return insertConversation(ctx, tx, c) })
	return c, err
}

// NewConversationID returns an id for a conversation that its first message creates; see [Prompt].
func NewConversationID() string { return newID() }

// insertConversation adds a conversation, unless there is one with its id.
func insertConversation(ctx context.Context, tx *sql.Tx, c Conversation) error {
	_, err := tx.ExecContext(ctx,
		`INSERT OR IGNORE INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)`,
		c.ID, c.Title, c.CreatedAt.UnixMilli(), c.UpdatedAt.UnixMilli())
	return err
}

// Conversations lists all conversations, the most recently used one first.
func (e *Engine) Conversations(ctx context.Context) ([]Conversation, error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `
		SELECT id, title, created_at, updated_at, (SELECT count(*) FROM messages WHERE conversation_id = c.id),
			coalesce((SELECT status FROM messages WHERE conversation_id = c.id ORDER BY rowid DESC LIMIT 1), '')
		FROM conversations c ORDER BY updated_at DESC, rowid DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Conversation
	for rows.Next() {
		var c Conversation
		var created, updated int64
		if err := rows.Scan(&c.ID, &c.Title, &created, &updated, &c.Messages, &c.Last); err != nil {
			return nil, err
		}
		c.CreatedAt, c.UpdatedAt = time.UnixMilli(created), time.UnixMilli(updated)
		list = append(list, c)
	}
	return list, rows.Err()
}

// Conversation returns the conversation with an id, or a [*records.NotFoundError].
func (e *Engine) Conversation(ctx context.Context, id string) (Conversation, error) {
	c := Conversation{ID: id}
	var created, updated int64
	err := e.opts.DB.Read().QueryRowContext(ctx, `
		SELECT title, created_at, updated_at, (SELECT count(*) FROM messages WHERE conversation_id = c.id)
		FROM conversations c WHERE id = ?`, id).Scan(&c.Title, &created, &updated, &c.Messages)
	if errors.Is(err, sql.ErrNoRows) {
		err = &records.NotFoundError{What: "conversation", ID: id}
	}
	c.CreatedAt, c.UpdatedAt = time.UnixMilli(created), time.UnixMilli(updated)
	return c, err
}

// Rename changes a conversation's title.
func (e *Engine) Rename(ctx context.Context, id, title string) error {
	return e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		return changeConversation(ctx, tx, id, `UPDATE conversations SET title = ?2 WHERE id = ?1`, title)
	})
}

// Delete removes a conversation, its messages and its calls. It returns a
// [*BusyError] while a turn runs in the conversation. It waits for a turn that was
// stopped.
func (e *Engine) Delete(ctx context.Context, id string) error {
	for {
		last, err := e.deleteUnlessBusy(ctx, id)
		if last == nil {
			return err
		}
		if _, err := last.Wait(ctx); err != nil {
			return err
		}
	}
}

// errStopping reports that stopped turns have not ended yet.
var errStopping = errors.New("turns of the conversation have not ended yet")

// deleteUnlessBusy deletes a conversation. If all of its turns were stopped but have
// not ended, it returns the last one instead. No turn starts during the transaction.
func (e *Engine) deleteUnlessBusy(ctx context.Context, id string) (last *Turn, err error) {
	err = e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		if err := e.leases.claimConversation(ctx, tx, id); err != nil {
			return err
		}
		for _, t := range e.turns.of(id) {
			if last = t; !t.stopped() {
				return &BusyError{ConversationID: id, RequestID: t.RequestID}
			}
		}
		if last != nil {
			return errStopping
		}
		return changeConversation(ctx, tx, id, `DELETE FROM conversations WHERE id = ?1`)
	})
	if !errors.Is(err, errStopping) {
		last = nil
	}
	return last, err
}

func changeConversation(ctx context.Context, tx *sql.Tx, id, query string, args ...any) error {
	result, err := tx.ExecContext(ctx, query, append([]any{id}, args...)...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 {
		return orElse(err, &records.NotFoundError{What: "conversation", ID: id})
	}
	return nil
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// titleFrom makes a title from a message's first line.
func titleFrom(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > titleRunes {
		return strings.TrimSpace(string(r[:titleRunes])) + "…"
	}
	return line
}

// newID returns a new UUIDv7. The ids of one process sort by time.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// History returns the messages from the conversation's beginning to the leaf; "" is
// the newest leaf. Assistant's messages include their calls, proposals and asides.
func (e *Engine) History(ctx context.Context, conversationID, leafID string) ([]records.Message, error) {
	db := e.opts.DB.Read()
	if err := records.ConversationExists(ctx, db, conversationID); err != nil {
		return nil, err
	}
	if leafID == "" {
		leaf, err := records.NewestLeaf(ctx, db, conversationID)
		if err != nil || leaf == "" {
			return nil, err
		}
		leafID = leaf
	}
	path, err := records.Branch(ctx, db, conversationID, leafID)
	if err != nil {
		return nil, err
	}
	for i := range path {
		// A turn may have several answers; its proposals are with the last one.
		sameTurn := i+2 < len(path) && path[i+2].RequestID == path[i].RequestID
		if path[i].Role != llm.Assistant || sameTurn {
			continue
		}
		if path[i].Proposals, err = records.ProposalsOf(ctx, db, path[i].RequestID); err != nil {
			return nil, err
		}
	}
	return path, records.ReadAsides(ctx, db, path)
}

// storedCall returns the record of a call, with its secrets.
func storedCall(ctx context.Context, db *sql.DB, conversationID, callID string) (records.ToolCall, error) {
	row := db.QueryRowContext(ctx,
		`SELECT `+records.CallColumns+` FROM tool_calls WHERE conversation_id = ? AND call_id = ?`, conversationID, callID)
	c, err := records.ScanCall(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = &records.NotFoundError{What: "tool call", ID: callID}
	}
	return c, err
}

// Call returns the record of a call by the id that the model knows. Secrets in its
// arguments, its content, its summary and its error are placeholders: those that the rules
// find, and those that the conversation's calls are known to have used or shown.
func (e *Engine) Call(ctx context.Context, conversationID, callID string) (records.ToolCall, error) {
	db := e.opts.DB.Read()
	if err := records.ConversationExists(ctx, db, conversationID); err != nil {
		return records.ToolCall{}, err
	}
	c, err := storedCall(ctx, db, conversationID, callID)
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
