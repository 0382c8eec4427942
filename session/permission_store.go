package session

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// StandingAnswer is a permanent answer in this workspace.
type StandingAnswer struct {
	Key     string
	Title   string // of the question that was answered
	Allowed bool
	Since   time.Time // to the millisecond
}

// Permissions lists the permanent answers in the order of their keys.
func (e *Engine) Permissions(ctx context.Context) (list []StandingAnswer, err error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `SELECT key, title, allowed, created_at FROM permissions ORDER BY key`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a StandingAnswer
		var since int64
		if err := rows.Scan(&a.Key, &a.Title, &a.Allowed, &since); err != nil {
			return nil, err
		}
		a.Since = time.UnixMilli(since)
		list = append(list, a)
	}
	return list, rows.Err()
}

// ForgetPermission deletes the permanent answer for key, so that the user is asked
// again. It returns a [*records.NotFoundError] if there is none.
func (e *Engine) ForgetPermission(ctx context.Context, key string) error {
	return e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM permissions WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return &records.NotFoundError{What: "permanent answer for", ID: key}
	})
}

func (p *permissions) remember(ctx context.Context, asked tools.Permission, allowed bool) error {
	return p.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO permissions (key, allowed, title, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET allowed = excluded.allowed, title = excluded.title, created_at = excluded.created_at`,
			asked.Key, allowed, asked.Title, time.Now().UnixMilli())
		return err
	})
}

func (p *permissions) remembered(ctx context.Context, key string) (allowed, known bool, err error) {
	err = p.db.Read().QueryRowContext(ctx, `SELECT allowed FROM permissions WHERE key = ?`, key).Scan(&allowed)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	return allowed, err == nil, err
}
