package shards

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index/vectors"
)

// Embedder makes vectors of texts. Texts of similar meaning have vectors that are close to
// each other. An Embedder is safe for concurrent use.
type Embedder interface {
	// Space names the model and everything else that its vectors depend on. Vectors of
	// different spaces are never compared.
	Space() string
	// Embed returns a vector for each passage, in their order. It retries after temporary
	// errors itself.
	Embed(ctx context.Context, passages []Passage) ([][]float32, error)
	// EmbedQuery returns the vector of a search query. It does not retry.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
}

// Passage is a piece of a file that has its own vector.
type Passage struct {
	Path               string // absolute
	StartLine, EndLine int
	Title              string // the end of the path, and the symbol that the piece belongs to
	Text               string // whole lines, except of a line that is too long
	// Secrets are the secrets in Text, as the whole file shows them. A passage may begin or end
	// within one; then the rest of it is listed.
	Secrets []string
}

// dense holds what a shard knows about the vectors of its files. The vectors are stored by
// the hashes of their texts in files next to index.db, and survive its loss.
type dense struct {
	mu        sync.RWMutex // guards the fields below
	version   int64        // of files and locations, see index.db's meta
	files     map[int64][]storedPassage
	locations map[vectors.Key][]passageLocation
	sets      map[string]*vectors.Set // by space
	losses    map[string]bool         // by space: the person knows of lost vectors
}

// storedPassage is a passage of a file, without its text.
type storedPassage struct {
	Ordinal int // of the unit that it belongs to
	bytes   int
	Key     vectors.Key
}

// passageLocation is the unit that a passage belongs to.
type passageLocation struct {
	file    int64
	ordinal int
}

// vectorsPattern matches the names of vector files; the * is a hash of the space.
const vectorsPattern = "vectors-*.vec"

// vectorSet returns the set of a space. It opens the set on first use.
func (s *Shard) vectorSet(space string) (*vectors.Set, error) {
	s.dense.mu.Lock()
	defer s.dense.mu.Unlock()
	set, err := s.refreshedSet(space)
	if err != nil {
		return nil, fmt.Errorf("opening vectors: %w", err)
	}
	s.dense.noteLoss(s, space, set)
	return set, nil
}

// noteLoss tells the person, once, that vectors of a set were damaged, and has them made
// again. The caller holds the lock.
func (d *dense) noteLoss(s *Shard, space string, set *vectors.Set) {
	if set.Lost() == 0 || d.losses[space] {
		return
	}
	if d.losses == nil {
		d.losses = map[string]bool{}
	}
	d.losses[space] = true
	s.notice(fmt.Sprintf("some vectors of %s were damaged; they are made again", s.Root))
	s.onDamage()
}

func (s *Shard) refreshedSet(space string) (*vectors.Set, error) {
	if set := s.dense.sets[space]; set != nil {
		return set, set.Refresh()
	}
	sum := sha256.Sum256([]byte(space))
	set, err := vectors.Open(filepath.Join(s.dir, "vectors-"+hex.EncodeToString(sum[:8])+".vec"), space)
	if err != nil {
		return nil, err
	}
	if s.dense.sets == nil {
		s.dense.sets = map[string]*vectors.Set{}
	}
	s.dense.sets[space] = set
	return set, nil
}

// vectorSpacesIn returns the spaces that have vectors in dir, the most recently changed first.
func vectorSpacesIn(dir string) (all []string) {
	paths, _ := filepath.Glob(filepath.Join(dir, vectorsPattern))
	times := make(map[string]time.Time, len(paths))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			times[path] = info.ModTime()
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return times[b].Compare(times[a]) })
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		if space, err := vectors.ReadSpace(f); err == nil {
			all = append(all, space)
		}
		f.Close()
	}
	return all
}

func (d *dense) close() (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, set := range d.sets {
		err = errors.Join(err, set.Close())
	}
	d.sets = nil
	return err
}

// refreshPassages loads the passages that any process has stored since the last call.
func (s *Shard) refreshPassages(ctx context.Context) error {
	d := &s.dense
	d.mu.Lock()
	defer d.mu.Unlock()
	version, err := meta(ctx, s.db.read, "passages")
	if err != nil || version == d.version {
		return s.NoteDamage(err)
	}
	ids, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (id int64, err error) {
		return id, rows.Scan(&id)
	}, "SELECT file FROM passages")
	if err != nil {
		return s.NoteDamage(err)
	}
	if err := s.readPassages(ctx, d.sync(ids)); err != nil {
		return s.NoteDamage(err)
	}
	d.version = version
	return nil
}

// sync forgets the files that are not among ids, and returns the files that are new.
func (d *dense) sync(ids []int64) (added []int64) {
	if d.files == nil {
		d.files, d.locations = map[int64][]storedPassage{}, map[vectors.Key][]passageLocation{}
	}
	listed := make(map[int64]bool, len(ids))
	for _, id := range ids {
		listed[id] = true
		if _, known := d.files[id]; !known {
			added = append(added, id)
		}
	}
	for id, passages := range d.files {
		if !listed[id] {
			d.forget(id, passages)
		}
	}
	return added
}

func (d *dense) forget(id int64, passages []storedPassage) {
	for _, p := range passages {
		kept := slices.DeleteFunc(d.locations[p.Key], func(l passageLocation) bool { return l.file == id })
		if d.locations[p.Key] = kept; len(kept) == 0 {
			delete(d.locations, p.Key)
		}
	}
	delete(d.files, id)
}

// readPassages reads the passages of files. The caller holds the lock.
func (s *Shard) readPassages(ctx context.Context, ids []int64) error {
	d := &s.dense
	_, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (struct{}, error) {
		var id int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &data); err != nil {
			return struct{}{}, err
		}
		passages, ok := decodePassages(data)
		if !ok {
			return struct{}{}, fmt.Errorf("decoding the passages of file %d: %w", id, ErrDamaged)
		}
		d.files[id] = passages
		for _, p := range passages {
			d.locations[p.Key] = append(d.locations[p.Key], passageLocation{id, p.Ordinal})
		}
		return struct{}{}, nil
	}, "SELECT file, places FROM passages WHERE file IN (SELECT value FROM json_each(?))", idList(ids))
	return err
}

// storePassages stores the passages of files, and deletes those of files that no longer
// exist.
func (s *Shard) storePassages(ctx context.Context, cut map[int64][]passage) error {
	return s.exclusively(ctx, func() error {
		return s.db.transact(ctx, func(tx *sql.Tx) error {
			gone, err := tx.Exec("DELETE FROM passages WHERE file NOT IN (SELECT id FROM files)")
			if err != nil {
				return err
			}
			if n, err := gone.RowsAffected(); err != nil || n == 0 && len(cut) == 0 {
				return err
			}
			err = execEach(tx, "INSERT OR REPLACE INTO passages (file, places) VALUES (?, ?)", slices.Sorted(maps.Keys(cut)),
				func(id int64) []any {
					return []any{id, encodePassages(cut[id])}
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

// EachLocation calls found with each unit of a file on disk that a passage with one of the keys
// belongs to, and with the score of the key.
func (s *Shard) EachLocation(scores map[vectors.Key]float64, found func(file int64, ordinal int, score float64)) {
	d := &s.dense
	d.mu.RLock()
	defer d.mu.RUnlock()
	for key, score := range scores {
		for _, h := range d.locations[key] {
			found(h.file, h.ordinal, score)
		}
	}
}
