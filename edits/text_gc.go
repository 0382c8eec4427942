package edits

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"
)

const (
	// alwaysKept is how many proposals keep their texts whatever their age: the newest ones in the order in
	// which they were stored, since a clock may have been wrong.
	alwaysKept = 20
	// minUnusedAge is the minimal age of a text that is removed. A younger text may belong to a
	// proposal that is about to be stored.
	minUnusedAge = time.Hour
)

// Collect is the garbage collection of proposals and their texts. It removes the texts that no proposal
// needs. It also removes texts of decided proposals that were not changed for longer than age, and those
// beyond size bytes as they are stored, oldest proposal first; such a proposal can no longer be undone. Proposals of
// that age whose conversation was deleted are removed with their texts. An age or a size of 0 means no bound.
func (s *Proposals) Collect(ctx context.Context, age time.Duration, size int64) error {
	var old time.Time
	if age > 0 {
		old = time.Now().Add(-age)
		if err := s.removeOld(ctx, old); err != nil {
			return fmt.Errorf("remove old proposals: %w", err)
		}
	}
	return s.collect(ctx, bounds{cmp.Or(size, math.MaxInt64), old}, time.Now().Add(-minUnusedAge))
}

// bounds are those of the texts of decided proposals.
type bounds struct {
	bytes int64     // of all texts, as stored
	since time.Time // of the last change of a proposal
}

// removeOld removes the proposals of deleted conversations that were not changed since then, and that
// are decided for good. The rows of conversations belong to package session; this package relies only on their ids.
func (s *Proposals) removeOld(ctx context.Context, then time.Time) error {
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM proposals WHERE status IN (?, ?, ?, ?) AND in_flight = '{}' AND updated_at < ?
			AND rowid <= (SELECT max(rowid) FROM proposals) - ? AND conversation_id NOT IN (SELECT id FROM conversations)`,
			Rejected, Withdrawn, Verified, Undone, then.UnixMilli(), alwaysKept)
		return err
	})
}

func (s *Proposals) collect(ctx context.Context, b bounds, until time.Time) error {
	sizes, err := s.textsUnusedSince(ctx, until)
	if err != nil || len(sizes) == 0 {
		return err
	}
	if err := s.keepNeeded(ctx, sizes, b); err != nil {
		return err
	}
	if len(sizes) == 0 {
		return nil
	}
	err = s.db.Write(ctx, func(tx *sql.Tx) error {
		for hash := range sizes {
			if _, err := tx.ExecContext(ctx, `DELETE FROM blobs WHERE hash = ? AND used_at < ?`, hash,
				until.UnixMilli()); err != nil {
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
func (s *Proposals) textsUnusedSince(ctx context.Context, then time.Time) (map[string]int64, error) {
	rows, err := s.db.Read().QueryContext(ctx, `SELECT hash, length(text) FROM blobs WHERE used_at < ?`, then.UnixMilli())
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
// of the newest decided proposals within the bounds.
func (s *Proposals) keepNeeded(ctx context.Context, sizes map[string]int64, b bounds) error {
	ps, err := s.queryProposals(ctx, `ORDER BY rowid DESC`)
	if err != nil {
		return err
	}
	entries, err := (&journal{s}).entries(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		for _, f := range e.Plan.Files {
			delete(sizes, f.Old)
		}
	}
	var kept int64
	for n, p := range ps {
		old := n >= alwaysKept && p.updatedAt < b.since.UnixMilli()
		for _, f := range p.inFlight {
			for _, file := range f.Plan.Files {
				delete(sizes, file.Old)
			}
		}
		for i := range p.Changes {
			c := p.Changes[i]
			for _, hash := range c.texts() {
				size, there := sizes[hash]
				if !there {
					continue
				}
				if kept += size; kept <= b.bytes && !old || c.pending() {
					delete(sizes, hash)
				}
			}
		}
	}
	return nil
}
