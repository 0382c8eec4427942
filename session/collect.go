package session

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/records"
)

const (
	// alwaysKept is how many conversations keep all of their results, and a tenth of how many entries of
	// the ledger stay: the newest ones in the order in which they were stored. So a clock that was wrong
	// for a while does not make old what was stored just now.
	alwaysKept = 20
	// minCollected is the size in bytes, as stored, from which a result is collected.
	minCollected = 400
	// collectedAtOnce is how many rows a transaction changes, so that no other writer waits for long.
	collectedAtOnce = 200
)

// notKept is the content of a call whose result was collected.
var notKept = records.Marshal(records.FailureContent{Error: "this old result is not kept any more", Code: "not_kept",
	Hint: "call the tool again if its result is still needed"})

// Collect removes what is old: results of calls in conversations that were not used for longer than
// age, and entries of the ledger. Beyond size bytes of results, as they are stored, it also removes those of the
// conversations that were used least recently, and beyond size bytes of entries of the ledger the oldest ones. What a
// person or a model has written stays, and so does what is told of proposals. Several processes may collect at once.
// An age or a size of 0 means no bound.
func (e *Engine) Collect(ctx context.Context, age time.Duration, size int64) error {
	var until time.Time
	if age > 0 {
		until = time.Now().Add(-age)
	}
	return collector{e.opts.DB}.collect(ctx, until, cmp.Or(size, math.MaxInt64))
}

// collector removes old rows from a database.
type collector struct{ db *store.DB }

func (g collector) collect(ctx context.Context, until time.Time, limit int64) error {
	unused, err := g.unusedConversations(ctx, until, limit)
	if err != nil {
		return fmt.Errorf("list the conversations: %w", err)
	}
	for _, c := range unused {
		if err := g.collectResults(ctx, c); err != nil {
			return fmt.Errorf("remove old results of calls: %w", err)
		}
	}
	if err := g.collectLedger(ctx, until, limit); err != nil {
		return fmt.Errorf("remove old entries of the ledger: %w", err)
	}
	return nil
}

// unusedConversation is a conversation as it was when it was found unused.
type unusedConversation struct {
	id        string
	updatedAt int64
}

// unusedConversations returns the conversations that were last used before a time, or that are beyond
// limit bytes of results.
func (g collector) unusedConversations(ctx context.Context, until time.Time,
	limit int64) (unused []unusedConversation, err error) {
	rows, err := g.db.Read().QueryContext(ctx, `
		SELECT id, updated_at, (SELECT coalesce(sum(octet_length(content)), 0) FROM tool_calls WHERE conversation_id = c.id AND octet_length(content) >= ?)
		FROM conversations c
		ORDER BY (SELECT max(rowid) FROM messages WHERE conversation_id = c.id) DESC LIMIT -1 OFFSET ?`, minCollected, alwaysKept)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var kept int64
	for rows.Next() {
		var c unusedConversation
		var size int64
		if err := rows.Scan(&c.id, &c.updatedAt, &size); err != nil {
			return nil, err
		}
		if size == 0 {
			continue
		}
		if kept += size; c.updatedAt < until.UnixMilli() || kept > limit {
			unused = append(unused, c)
		}
	}
	return unused, rows.Err()
}

// errUsed says that a conversation was used meanwhile.
var errUsed = errors.New("the conversation was used")

// collectResults removes the results of a conversation, unless it is used meanwhile.
func (g collector) collectResults(ctx context.Context, c unusedConversation) error {
	for after := ""; ; {
		ids, last, err := g.collectable(ctx, c.id, after)
		if err != nil || last == "" {
			return err
		}
		err = g.db.Record(ctx, func(tx *sql.Tx) error { return removeResults(ctx, tx, c, ids) })
		if errors.Is(err, errUsed) {
			return nil
		}
		if err != nil {
			return err
		}
		after = last
	}
}

// collectable returns the next calls of a conversation whose results may go, and the last call that
// was looked at, "" if there is none. What a result says of a proposal is needed to follow its decision.
func (g collector) collectable(ctx context.Context, conversationID, after string) (ids []string, last string,
	err error) {
	rows, err := g.db.Read().QueryContext(ctx, `SELECT id, content FROM tool_calls
		WHERE conversation_id = ? AND id > ? AND octet_length(content) >= ? ORDER BY id LIMIT ?`, conversationID, after, minCollected, collectedAtOnce)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		var content store.Text
		if err := rows.Scan(&last, &content); err != nil {
			return nil, "", err
		}
		if !bytes.Contains([]byte(content), []byte(`"proposal_id":"`)) {
			ids = append(ids, last)
		}
	}
	return ids, last, rows.Err()
}

func removeResults(ctx context.Context, tx *sql.Tx, c unusedConversation, ids []string) error {
	var unused bool
	err := tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM conversations WHERE id = ? AND updated_at = ?`, c.id,
		c.updatedAt).Scan(&unused)
	if err == nil && !unused {
		err = errUsed
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE tool_calls SET content = ? WHERE id IN (SELECT value FROM json_each(?))`, notKept,
		records.Marshal(ids))
	return err
}

// collectLedger removes the entries of the ledger from before a time, and those beyond limit bytes.
func (g collector) collectLedger(ctx context.Context, until time.Time, limit int64) error {
	var beyond int64 // the newest of these, by its rowid
	err := g.db.Read().QueryRowContext(ctx, `SELECT coalesce(max(rowid), 0) FROM (
		SELECT rowid, sum(octet_length(sent) + octet_length(files)) OVER (ORDER BY rowid DESC) AS kept FROM ledger) WHERE kept > ?`, limit).Scan(&beyond)
	if err != nil {
		return err
	}
	for {
		var removed int64
		err := g.db.Record(ctx, func(tx *sql.Tx) error {
			result, err := tx.ExecContext(ctx, `DELETE FROM ledger WHERE rowid IN (SELECT rowid FROM ledger
				WHERE (created_at < ? OR rowid <= ?) AND rowid <= (SELECT max(rowid) FROM ledger) - ? LIMIT ?)`, until.UnixMilli(), beyond, 10*alwaysKept, collectedAtOnce)
			if err == nil {
				removed, err = result.RowsAffected()
			}
			return err
		})
		if err != nil || removed < collectedAtOnce {
			return err
		}
	}
}
