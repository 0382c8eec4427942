package shards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// part is a segment as part of one generation.
type part struct {
	*segment
	live     []bool
	liveDocs int // number of live documents
}

// snapshot is one generation of a shard's postings and history.
type snapshot struct {
	generation int64
	commits    commits
	parts      []part
	users      int // guarded by the shard's mu
}

// next returns the next generation, with the same content.
func (s *snapshot) next() *snapshot {
	return &snapshot{generation: s.generation + 1, commits: s.commits, parts: slices.Clone(s.parts)}
}

// acquire returns the current generation, which stays usable until release.
func (s *Shard) acquire() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.users++
	return s.current
}

func (s *Shard) release(snap *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unref(snap)
}

// unref removes a user of snap, and closes the segments that no snapshot uses any more.
// The caller holds mu.
func (s *Shard) unref(snap *snapshot) {
	if snap.users--; snap.users > 0 {
		return
	}
	for _, p := range snap.parts {
		if p.users--; p.users == 0 {
			if err := p.Close(); err != nil {
				s.log.Warn("closing a segment", "error", err)
			}
		}
	}
}

// publish makes snap the current generation.
func (s *Shard) publish(snap *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap.users = 1
	for _, p := range snap.parts {
		p.users++
	}
	old := s.current
	s.current = snap
	if old != nil {
		s.unref(old)
	}
}

// clear makes a generation without postings the current one. A search that reaches the shard
// after it was closed acquires this generation, and not segments that are unmapped.
func (s *Shard) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current
	if old == nil {
		return
	}
	s.current = &snapshot{generation: old.generation, commits: old.commits, users: 1}
	s.unref(old)
}

// load opens the generation that is committed in the database, unless it is the current
// one. Another process may merge segments and remove their files once the generation was
// read. Then there is a newer one. Only files that the newest one lacks are lost.
func (s *Shard) load(ctx context.Context) error {
	for incomplete := int64(-1); ; {
		generation, err := s.loadCommitted(ctx)
		if !errors.Is(err, errSegmentMissing) {
			return err
		}
		if generation == incomplete {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		incomplete = generation
	}
}

// loadCommitted is load for the generation that is committed now, which it returns.
func (s *Shard) loadCommitted(ctx context.Context) (generation int64, err error) {
	tx, err := s.db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	generation, err = meta(ctx, tx, "generation")
	if err != nil || s.current != nil && s.current.generation == generation {
		return generation, err
	}
	snap := &snapshot{generation: generation}
	if snap.commits, err = s.readCommits(ctx, tx); err != nil {
		return generation, err
	}
	if snap.parts, err = s.openParts(ctx, tx); err != nil {
		return generation, err
	}
	s.publish(snap)
	return generation, nil
}

// catchUp loads what another process has committed. It does nothing while this process
// writes, because then no other does.
func (s *Shard) catchUp(ctx context.Context) error {
	if s.damaged.Load() {
		return ErrDamaged
	}
	generation, err := meta(ctx, s.db.read, "generation")
	if err != nil {
		return s.NoteDamage(err)
	}
	s.mu.Lock()
	newest := s.current.generation == generation
	s.mu.Unlock()
	if newest || !s.writing.TryLock() {
		return nil
	}
	defer s.writing.Unlock()
	return s.NoteDamage(s.load(ctx))
}

// openParts opens the valid segments. It shares the segments that are already open.
func (s *Shard) openParts(ctx context.Context, tx *sql.Tx) ([]part, error) {
	type valid struct {
		id, bytes, sum int64
		tombstones     []byte
	}
	segments, err := queryRows(ctx, tx, func(rows *sql.Rows) (v valid, err error) {
		return v, rows.Scan(&v.id, &v.bytes, &v.sum, &v.tombstones)
	}, "SELECT id, bytes, sum, dead FROM segments ORDER BY id")
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, v := range segments {
		open, err := s.openSegment(v.id, v.bytes, uint64(v.sum))
		if err != nil {
			closeUnused(parts)
			return nil, err
		}
		p := newPart(open)
		parts = append(parts, p)
		if !p.applyTombstones(v.tombstones) {
			closeUnused(parts)
			return nil, fmt.Errorf("decoding the tombstones of segment %d: %w", v.id, ErrDamaged)
		}
		parts[len(parts)-1] = p
	}
	return parts, nil
}

func closeUnused(parts []part) {
	for _, p := range parts {
		if p.users == 0 {
			p.Close()
		}
	}
}

// commitGeneration commits a generation with its new segment, if there is one, and the
// rows that write writes, and makes it the current one.
func (s *Shard) commitGeneration(ctx context.Context, next *snapshot, added *segment, write func(*sql.Tx) error) error {
	err := s.db.transact(ctx, func(tx *sql.Tx) error {
		if err := write(tx); err != nil {
			return err
		}
		if added != nil {
			if err := insertSegment(tx, added); err != nil {
				return err
			}
		}
		return setMeta(tx, "generation", next.generation)
	})
	if err != nil {
		if added != nil {
			added.Close()
		}
		return err
	}
	s.publish(next)
	return nil
}
