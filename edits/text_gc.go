package edits

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const (
	// keptBytes bounds the texts that are kept so that what was decided long ago
	// can still be shown and undone. What is undecided is kept whatever its size.
	maxKeptBytes = 256 << 20
	// collectAge is how old an unused text must be to go: whoever stores one is
	// about to store the proposal that needs it.
	minUnusedAge = time.Hour
)

// Collect removes the stored texts that no proposal needs, and, from the oldest
// proposal on that is decided, those beyond 256 MiB. Such a proposal can't be
// undone any more.
func (m *Manager) Collect(ctx context.Context) error {
	return m.collect(ctx, maxKeptBytes, time.Now().Add(-minUnusedAge))
}

func (m *Manager) collect(ctx context.Context, limit int64, until time.Time) error {
	sizes, err := m.textsUnusedSince(ctx, until)
	if err != nil {
		return err
	}
	if err := m.keepNeeded(ctx, sizes, limit); err != nil {
		return err
	}
	if len(sizes) == 0 {
		return nil
	}
	err = m.db.Write(ctx, func(tx *sql.Tx) error {
		for hash := range sizes {
			if _, err := tx.ExecContext(ctx, `DELETE FROM blobs WHERE hash = ? AND used_at < ?`, hash, until.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("remove texts that nobody needs: %w", err)
	}
	return nil
}

// unusedSince returns the size of each text, by hash, that nobody has stored
// since then.
func (m *Manager) textsUnusedSince(ctx context.Context, then time.Time) (map[string]int64, error) {
	rows, err := m.db.Read().QueryContext(ctx, `SELECT hash, length(text) FROM blobs WHERE used_at < ?`, then.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read which texts are kept: %w", err)
	}
	defer rows.Close()
	sizes := make(map[string]int64)
	for rows.Next() {
		var hash string
		var size int64
		if err := rows.Scan(&hash, &size); err != nil {
			return nil, err
		}
		sizes[hash] = size
	}
	return sizes, rows.Err()
}

// spare takes from sizes what has to stay: the newest first, up to the limit.
func (m *Manager) keepNeeded(ctx context.Context, sizes map[string]int64, limit int64) error {
	ps, err := m.List(ctx, "")
	if err != nil {
		return err
	}
	entries, err := m.entries(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		for _, f := range e.Plan.Files {
			delete(sizes, f.Old)
		}
	}
	var kept int64
	for _, p := range ps {
		for i := range p.Changes {
			c := &p.Changes[i]
			size, there := sizes[c.BaseHash]
			if !there {
				continue
			}
			if kept += size; kept <= limit || c.pending() {
				delete(sizes, c.BaseHash)
			}
		}
	}
	return nil
}
