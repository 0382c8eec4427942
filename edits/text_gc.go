package edits

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const (
	// maxKeptBytes bounds the texts that are kept to show and undo decided proposals. Texts of
	// undecided proposals are always kept.
	maxKeptBytes = 256 << 20
	// minUnusedAge is the minimal age of a text that is removed. A younger text may belong to a
	// proposal that is about to be stored.
	minUnusedAge = time.Hour
)

// Collect is the garbage collection of stored texts. It removes the texts that no proposal
// needs. It also removes texts of decided proposals beyond 256 MiB, oldest proposal first; such
// a proposal can no longer be undone.
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
		return fmt.Errorf("remove unused texts: %w", err)
	}
	return nil
}

// textsUnusedSince returns the sizes, by hash, of the texts that were last stored before then.
func (m *Manager) textsUnusedSince(ctx context.Context, then time.Time) (map[string]int64, error) {
	rows, err := m.db.Read().QueryContext(ctx, `SELECT hash, length(text) FROM blobs WHERE used_at < ?`, then.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("list the stored texts: %w", err)
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

// keepNeeded deletes from sizes what has to stay: all texts of undecided proposals, and those
// of the newest decided proposals up to limit bytes.
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
		for _, f := range p.inFlight {
			for _, file := range f.Plan.Files {
				delete(sizes, file.Old)
			}
		}
		for i := range p.Changes {
			c := &p.Changes[i]
			for _, hash := range c.texts() {
				size, there := sizes[hash]
				if !there {
					continue
				}
				if kept += size; kept <= limit || c.pending() {
					delete(sizes, hash)
				}
			}
		}
	}
	return nil
}
