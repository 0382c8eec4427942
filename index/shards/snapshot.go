package shards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
)

// liveSegment is a segment as part of one generation.
type liveSegment struct {
	*segment
	live     []bool
	liveDocs int // number of live documents
}

// snapshot is one generation of a shard's postings and history.
type snapshot struct {
	generation int64
	commits    commits
	parts      []liveSegment
	users      int // guarded by the mu of generations
}

// next returns the next generation, with the same content.
func (s *snapshot) next() *snapshot {
	return &snapshot{generation: s.generation + 1, commits: s.commits, parts: slices.Clone(s.parts)}
}

// generations are the generations of a shard: the current one, and earlier ones as long as a search uses them.
// A segment is closed when no generation with users has it.
type generations struct {
	dir string
	log *slog.Logger

	mu      sync.Mutex // guards current, and the users of snapshots and segments
	current *snapshot

	newSegments atomic.Int64 // that this process has written
}

// acquire returns the current generation, which stays usable until release.
func (g *generations) acquire() *snapshot {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current.users++
	return g.current
}

func (g *generations) release(snap *snapshot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unref(snap)
}

// unref removes a user of snap, and closes the segments that no snapshot uses any more.
// The caller holds mu.
func (g *generations) unref(snap *snapshot) {
	if snap.users--; snap.users > 0 {
		return
	}
	for _, p := range snap.parts {
		if p.users--; p.users == 0 {
			if err := p.Close(); err != nil {
				g.log.Warn("closing a segment", "error", err)
			}
		}
	}
}

// publish makes snap the current generation.
func (g *generations) publish(snap *snapshot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	snap.users = 1
	for _, p := range snap.parts {
		p.users++
	}
	old := g.current
	g.current = snap
	if old != nil {
		g.unref(old)
	}
}

// clear makes a generation without postings the current one. A search that reaches the shard
// after it was closed acquires this generation, and not segments that are unmapped.
func (g *generations) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.current
	if old == nil {
		return
	}
	g.current = &snapshot{generation: old.generation, commits: old.commits, users: 1}
	g.unref(old)
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
func (g *generations) openParts(ctx context.Context, tx *sql.Tx) ([]liveSegment, error) {
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
	var parts []liveSegment
	for _, v := range segments {
		open, err := g.openSegment(v.id, v.bytes, uint64(v.sum))
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

func closeUnused(parts []liveSegment) {
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
