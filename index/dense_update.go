package index

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/index/vectors"
)

// Estimate is what has no vector yet.
type Estimate struct {
	Passages int
	Bytes    int // of their texts
}

// EmbedOptions says how vectors are made. Either may be nil.
type EmbedOptions struct {
	// Allow is asked before anything is sent, and again for what has changed meanwhile; an
	// error of it ends Embed.
	Allow    func(Estimate) error
	Progress func(done, total int) // passages
}

// UseEmbedder has searches compare vectors of e, whose vectors Embed makes; nil ends
// that. Until those of e are complete, those that another embedder has made serve on, if
// other, which may be nil, can give one for its space.
func (x *Index) UseEmbedder(e Embedder, other func(space string) Embedder) {
	x.questions.use(e, other)
}

// Embed makes vectors of all that has none yet in the space of the embedder in use, if
// there is one, in the folders that have been indexed in full. A vector is kept at once, so
// that an Embed that was interrupted is taken up by the next. It waits while indexing is
// paused, and leaves a folder alone of which another process makes the vectors. Searches and
// updates go on meanwhile.
func (x *Index) Embed(ctx context.Context, o EmbedOptions) error {
	e, _ := x.questions.using()
	if e == nil {
		return nil
	}
	var all embeddings
	defer func() { all.end() }()
	for _, s := range x.all() {
		if !x.complete(s) {
			continue
		}
		m, err := x.beginEmbedding(ctx, s, e)
		if err != nil {
			return fmt.Errorf("preparing the vectors of %s: %w", s.root, err)
		}
		if m != nil {
			all = append(all, m)
		}
	}
	if err := all.send(ctx, o); err != nil {
		return err
	}
	return all.each((*embedding).finish, ctx)
}

// embeddings makes the vectors of several shards.
type embeddings []*embedding

func (all embeddings) end() {
	for _, m := range all {
		m.end()
	}
}

// each calls do with each, but for those whose shards have been closed meanwhile.
func (all embeddings) each(do func(*embedding, context.Context) error, ctx context.Context) error {
	for _, m := range all {
		if err := do(m, ctx); err != nil && slices.Contains(m.index.all(), m.shard) {
			return fmt.Errorf("making the vectors of %s: %w", m.shard.root, storageError(err))
		}
	}
	return nil
}

// send sends what has no vector, and then what has changed meanwhile, until there is
// nothing left but what can't be read.
func (all embeddings) send(ctx context.Context, o EmbedOptions) error {
	for done := 0; ; {
		var left Estimate
		for _, m := range all {
			left.Passages += m.left.Passages
			left.Bytes += m.left.Bytes
		}
		if left.Passages == 0 {
			return nil
		}
		if o.Allow != nil {
			if err := o.Allow(left); err != nil {
				return err
			}
		}
		before := done
		for _, m := range all {
			m.made = func(n int) {
				if done += n; o.Progress != nil {
					o.Progress(done, before+left.Passages)
				}
			}
		}
		if err := all.each((*embedding).run, ctx); err != nil || done == before {
			return err
		}
		if err := all.each((*embedding).prepare, ctx); err != nil {
			return err
		}
	}
}

// embedding makes the vectors of a shard. It holds the set's lock.
type embedding struct {
	index    *Index
	shard    *shard
	embedder Embedder
	set      *vectors.Set
	left     Estimate
	files    []int64 // that have passages without vectors
	asked    map[vectors.Key]bool
	batch    []Passage
	keys     []vectors.Key
	bytes    int
	made     func(n int) // told of each batch
}

// beginEmbedding finds out what has no vector; nil where another process is at it.
func (x *Index) beginEmbedding(ctx context.Context, s *shard, e Embedder) (m *embedding, err error) {
	set, err := s.set(e.Space())
	if err != nil {
		return nil, err
	}
	if locked, err := set.TryLock(); err != nil || !locked {
		return nil, err
	}
	m = &embedding{index: x, shard: s, embedder: e, set: set, asked: map[vectors.Key]bool{}}
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
	if err := m.shard.followPassages(ctx); err != nil {
		return err
	}
	d := &m.shard.dense
	d.mu.RLock()
	defer d.mu.RUnlock()
	m.left, m.files = Estimate{}, nil
	counted := map[vectors.Key]bool{}
	for _, id := range slices.Sorted(maps.Keys(d.files)) {
		missing := false
		for _, p := range d.files[id] {
			if m.set.Has(p.key) {
				continue
			}
			missing = true
			if !counted[p.key] {
				counted[p.key] = true
				m.left.Passages++
				m.left.Bytes += p.bytes
			}
		}
		if missing {
			m.files = append(m.files, id)
		}
	}
	return nil
}

// filesAtATime is how many files are cut, or looked at for what has no vector, at a time.
const filesAtATime = 64

// cutFiles cuts the files that have not been, and forgets those that are gone, where
// there is an embedder: what of a changed file is as before has its vectors at once.
func (x *Index) cutFiles(ctx context.Context, s *shard) error {
	if e, _ := x.questions.using(); e == nil {
		return nil
	}
	for last := int64(0); ; {
		files, err := query(ctx, s.db.read, scanContent,
			"SELECT "+fileColumns+`, c.symbols FROM files f JOIN contents c ON c.file = f.id
			WHERE f.id > ? AND f.skip = '' AND f.id NOT IN (SELECT file FROM passages) ORDER BY f.id LIMIT ?`, last, filesAtATime)
		if err != nil {
			return s.judge(err)
		}
		cut := map[int64][]passage{}
		for _, f := range files {
			passages, ok, err := x.passagesOf(ctx, s, f)
			if err != nil {
				return err
			}
			if ok {
				cut[f.row.id] = passages
			}
			last = f.row.id
		}
		if err := s.storePassages(ctx, cut); err != nil || len(files) < filesAtATime {
			return err
		}
	}
}

// passagesOf cuts a file; ok is false for one that says something else now than when it
// was indexed: it will be indexed anew.
func (x *Index) passagesOf(ctx context.Context, s *shard, f *content) (all []passage, ok bool, err error) {
	read, err := x.ws.Read(ctx, s.path(f.row.rel))
	if err != nil || read.Hash != f.row.hash {
		return nil, false, ctx.Err()
	}
	return cutPassages(f.row.rel, read.Text, f.symbols), true, nil
}

// storePassages notes the passages of files, and forgets those of files that are gone.
func (s *shard) storePassages(ctx context.Context, cut map[int64][]passage) error {
	return s.exclusively(ctx, func() error {
		return s.db.transact(ctx, func(tx *sql.Tx) error {
			gone, err := tx.Exec("DELETE FROM passages WHERE file NOT IN (SELECT id FROM files)")
			if err != nil {
				return err
			}
			if n, err := gone.RowsAffected(); err != nil || n == 0 && len(cut) == 0 {
				return err
			}
			err = each(tx, "INSERT OR REPLACE INTO passages (file, places) VALUES (?, ?)", slices.Sorted(maps.Keys(cut)), func(id int64) []any {
				return []any{id, encodePlaces(cut[id])}
			})
			if err != nil {
				return err
			}
			version, err := meta(ctx, tx, "passages")
			if err != nil {
				return err
			}
			return setMeta(tx, "passages", version+1)
		})
	})
}

// run makes the vectors.
func (m *embedding) run(ctx context.Context) error {
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

// A batch is sent when it has so many passages, or bytes: a request that takes long is
// lost as a whole where it fails.
const (
	batchPassages     = 64
	batchPassageBytes = 64 << 10
)

// addFile adds what of a file has no vector to the batch, and sends that when it is full.
func (m *embedding) addFile(ctx context.Context, f *content) error {
	all, _, err := m.index.passagesOf(ctx, m.shard, f)
	if err != nil {
		return err
	}
	for _, p := range all {
		if m.asked[p.key] || m.set.Has(p.key) {
			continue
		}
		if len(m.batch) == batchPassages || m.bytes+p.bytes > batchPassageBytes {
			if err := m.send(ctx); err != nil {
				return err
			}
		}
		m.asked[p.key] = true
		m.batch = append(m.batch, Passage{Path: m.shard.path(f.row.rel), StartLine: p.startLine, EndLine: p.endLine, Title: p.title, Text: p.text})
		m.keys = append(m.keys, p.key)
		m.bytes += p.bytes
	}
	return nil
}

// send makes the vectors of the batch, and keeps them.
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
		return fmt.Errorf("the embedder gave %d vectors for %d passages", len(made), len(m.keys))
	}
	if err := m.set.Add(m.keys, made); err != nil {
		return err
	}
	m.made(len(m.keys))
	m.batch, m.keys, m.bytes = m.batch[:0], m.keys[:0], 0
	return nil
}

// spareVectors is how many vectors of texts that are gone are kept beside as many as
// there are of texts that are not: many of them come back, with a branch or an undo.
const spareVectors = 1000

// finish notes that all has a vector.
func (m *embedding) finish(ctx context.Context) error {
	d := &m.shard.dense
	d.mu.RLock()
	defer d.mu.RUnlock()
	if m.set.Len() > 2*len(d.sites)+spareVectors {
		err := m.set.Vacuum(func(k vectors.Key) bool { return len(d.sites[k]) > 0 })
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.set.MarkComplete()
}
