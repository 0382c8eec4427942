package shards

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/index/vectors"
	"ploke-lsp/internal/secretscan"
)

// embedding makes the vectors of a shard. It holds the set's lock.
type embedding struct {
	index     *Set
	shard     *Shard
	embedder  Embedder
	set       *vectors.Set
	missing   Estimate
	files     []int64 // that have passages without vectors
	requested map[vectors.Key]bool
	batch     []Passage
	keys      []vectors.Key
	bytes     int
	report    func(n int) // called with the size of each batch
}

// beginEmbedding determines what has no vector. It returns nil if another process is
// making the vectors.
func (x *Set) beginEmbedding(ctx context.Context, s *Shard, e Embedder) (m *embedding, err error) {
	set, err := s.vectorSet(e.Space())
	if err != nil {
		return nil, err
	}
	if locked, err := set.TryLock(); err != nil || !locked {
		return nil, err
	}
	m = &embedding{index: x, shard: s, embedder: e, set: set, requested: map[vectors.Key]bool{}}
	if err := m.prepare(ctx); err != nil {
		m.end()
		return nil, err
	}
	return m, nil
}

func (m *embedding) end() {
	if err := m.set.Unlock(); err != nil {
		m.shard.log.Warn("unlocking vectors", "error", err)
	}
}

func (m *embedding) prepare(ctx context.Context) error {
	if err := m.set.Refresh(); err != nil {
		return err
	}
	if err := m.index.cutFiles(ctx, m.shard); err != nil {
		return err
	}
	if err := m.shard.refreshPassages(ctx); err != nil {
		return err
	}
	d := &m.shard.dense
	d.mu.RLock()
	defer d.mu.RUnlock()
	m.missing, m.files = Estimate{}, nil
	counted := map[vectors.Key]bool{}
	for _, id := range slices.Sorted(maps.Keys(d.files)) {
		missing := false
		for _, p := range d.files[id] {
			if m.set.Has(p.Key) {
				continue
			}
			missing = true
			if !counted[p.Key] {
				counted[p.Key] = true
				m.missing.Passages++
				m.missing.Bytes += p.bytes
			}
		}
		if missing {
			m.files = append(m.files, id)
		}
	}
	return nil
}

// filesAtATime is the number of files that are cut or embedded at a time.
const filesAtATime = 64

// cutFiles cuts new files into passages, and forgets deleted files, if there is an
// embedder. Unchanged passages of a changed file have their vectors at once.
func (x *Set) cutFiles(ctx context.Context, s *Shard) error {
	if e, _ := x.queryVectors.embedders(); e == nil {
		return nil
	}
	for last := int64(0); ; {
		ids, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) },
			`SELECT id FROM files WHERE id > ? AND skip = '' AND id NOT IN (SELECT file FROM passages) ORDER BY id LIMIT ?`,
			last, filesAtATime)
		if err != nil {
			return s.NoteDamage(err)
		}
		files, err := s.contents(ctx, ids)
		if err != nil {
			return err
		}
		cut := map[int64][]passage{}
		for id, f := range files {
			passages, _, err := x.passagesOf(ctx, s, f)
			if err != nil {
				return err
			}
			if passages != nil {
				cut[id] = passages
			}
		}
		if err := s.storePassages(ctx, cut); err != nil || len(ids) < filesAtATime {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// passagesOf cuts a file, and returns its text. The passages are nil if the text has
// changed since it was indexed; it will be indexed again.
func (x *Set) passagesOf(ctx context.Context, s *Shard, f *content) (all []passage, text []byte, err error) {
	read, err := x.ws.Read(ctx, s.Path(f.Row.Rel))
	if err != nil || read.Hash != f.Row.Hash {
		return nil, nil, ctx.Err()
	}
	return append([]passage{}, cutPassages(f.Row.Rel, read.Text, f.Symbols)...), read.Text, nil
}

func (m *embedding) embedFiles(ctx context.Context) error {
	for files := range slices.Chunk(m.files, filesAtATime) {
		known, err := m.shard.contents(ctx, files)
		if err != nil {
			return err
		}
		for _, id := range files {
			if known[id] == nil {
				continue
			}
			if err := m.addFile(ctx, known[id]); err != nil {
				return err
			}
		}
	}
	return m.send(ctx)
}

// A batch is sent when it reaches either limit: a request that fails is lost as a whole.
const (
	batchPassages     = 64
	batchPassageBytes = 64 << 10
)

// addFile adds the passages of a file that have no vector to the batch. It sends the batch
// when it is full.
func (m *embedding) addFile(ctx context.Context, f *content) error {
	all, text, err := m.index.passagesOf(ctx, m.shard, f)
	if err != nil {
		return err
	}
	secrets := secretscan.Find(string(text))
	for _, p := range all {
		if m.requested[p.Key] || m.set.Has(p.Key) {
			continue
		}
		if err := m.makeRoom(ctx, p.bytes); err != nil {
			return err
		}
		m.requested[p.Key] = true
		m.batch = append(m.batch,
			Passage{Path: m.shard.Path(f.Row.Rel), StartLine: p.startLine, EndLine: p.endLine, Title: p.title, Text: p.text,
				Secrets: p.secretsOf(text, secrets)})
		m.keys = append(m.keys, p.Key)
		m.bytes += p.bytes
	}
	return nil
}

// makeRoom sends the batch if it has no room for another passage of a size.
func (m *embedding) makeRoom(ctx context.Context, bytes int) error {
	if len(m.batch) < batchPassages && m.bytes+bytes <= batchPassageBytes {
		return nil
	}
	return m.send(ctx)
}

// send embeds the batch and stores its vectors.
func (m *embedding) send(ctx context.Context) error {
	if len(m.batch) == 0 {
		return nil
	}
	if err := m.index.gate.wait(ctx); err != nil {
		return err
	}
	made, err := m.embedder.Embed(ctx, m.batch)
	if err != nil {
		return err
	}
	if len(made) != len(m.keys) {
		return fmt.Errorf("the embedder returned %d vectors for %d passages", len(made), len(m.keys))
	}
	if err := m.set.Add(m.keys, made); err != nil {
		return err
	}
	m.report(len(m.keys))
	m.batch, m.keys, m.bytes = m.batch[:0], m.keys[:0], 0
	return nil
}

// maxUnusedVectors is how many vectors of deleted texts are kept, in addition to the
// number of vectors in use. Many deleted texts return, with a branch or an undo.
const maxUnusedVectors = 1000

// finish marks the set as complete, after it has removed unused vectors.
func (m *embedding) finish(ctx context.Context) error {
	d := &m.shard.dense
	d.mu.RLock()
	defer d.mu.RUnlock()
	if m.set.Len() > 2*len(d.locations)+maxUnusedVectors {
		err := m.set.Vacuum(func(k vectors.Key) bool { return len(d.locations[k]) > 0 })
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.set.MarkComplete()
}
