package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index/vectors"
)

// Embedder makes vectors of texts, which lie near each other where the texts mean alike.
// It is safe for concurrent use.
type Embedder interface {
	// Space names the model and whatever else its vectors depend on: those of different
	// spaces are never compared.
	Space() string
	// Embed returns a vector for each passage. It does itself what is to be done about
	// errors that pass.
	Embed(ctx context.Context, passages []Passage) ([][]float32, error)
	// EmbedQuery returns the vector of what somebody searches for. It does not retry.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
}

// Passage is a piece of a file that has a vector of its own.
type Passage struct {
	Path               string // absolute
	StartLine, EndLine int
	Title              string // the end of the path and what the piece belongs to
	Text               string // whole lines, but of a line that is too long
}

// dense is what a shard knows of the vectors of its files. The vectors are kept by the
// hashes of their texts in a folder beside index.db, which outlasts it.
type dense struct {
	mu        sync.RWMutex // guards what follows
	version   int64        // of the passages that are known, see index.db's meta
	files     map[int64][]storedPassage
	locations map[vectors.Key][]passageLocation
	sets      map[string]*vectors.Set // by space
}

// place is a passage in its file.
type storedPassage struct {
	ordinal int // of the unit that it belongs to
	bytes   int
	key     vectors.Key
}

// site is where a passage is.
type passageLocation struct {
	file    int64
	ordinal int
}

// vectorsPattern is what the files of vectors are called; the * is a hash of the space.
const vectorsPattern = "vectors-*.vec"

// set is the set of a space, opened where it is not yet.
func (s *shard) vectorSet(space string) (*vectors.Set, error) {
	s.dense.mu.Lock()
	defer s.dense.mu.Unlock()
	if set := s.dense.sets[space]; set != nil {
		return set, set.Follow()
	}
	sum := sha256.Sum256([]byte(space))
	set, err := vectors.Open(filepath.Join(s.dir, "vectors-"+hex.EncodeToString(sum[:8])+".vec"), space)
	if err != nil {
		return nil, fmt.Errorf("opening vectors: %w", err)
	}
	if s.dense.sets == nil {
		s.dense.sets = map[string]*vectors.Set{}
	}
	s.dense.sets[space] = set
	return set, nil
}

// spaces are those that there are vectors of, the last one that was added to first.
func (s *shard) vectorSpaces() (all []string) {
	paths, _ := filepath.Glob(filepath.Join(s.dir, vectorsPattern))
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

// followPassages takes what has been noted of passages since, by whichever process.
func (s *shard) refreshPassages(ctx context.Context) error {
	d := &s.dense
	d.mu.Lock()
	defer d.mu.Unlock()
	version, err := meta(ctx, s.db.read, "passages")
	if err != nil || version == d.version {
		return s.noteDamage(err)
	}
	ids, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (id int64, err error) {
		return id, rows.Scan(&id)
	}, "SELECT file FROM passages")
	if err != nil {
		return s.noteDamage(err)
	}
	if err := s.readPassages(ctx, d.sync(ids)); err != nil {
		return s.noteDamage(err)
	}
	d.version = version
	return nil
}

// replace forgets the files that are not among ids, and returns those that are new.
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
	for id, places := range d.files {
		if !listed[id] {
			d.forget(id, places)
		}
	}
	return added
}

func (d *dense) forget(id int64, places []storedPassage) {
	for _, p := range places {
		left := slices.DeleteFunc(d.locations[p.key], func(h passageLocation) bool { return h.file == id })
		if d.locations[p.key] = left; len(left) == 0 {
			delete(d.locations, p.key)
		}
	}
	delete(d.files, id)
}

// readPlaces reads the passages of files. The lock is held.
func (s *shard) readPassages(ctx context.Context, ids []int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	d := &s.dense
	_, err = queryRows(ctx, s.db.read, func(rows *sql.Rows) (struct{}, error) {
		var id int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &data); err != nil {
			return struct{}{}, err
		}
		places, ok := decodePassages(data)
		if !ok {
			return struct{}{}, fmt.Errorf("the passages of file %d: %w", id, errDamaged)
		}
		d.files[id] = places
		for _, p := range places {
			d.locations[p.key] = append(d.locations[p.key], passageLocation{id, p.ordinal})
		}
		return struct{}{}, nil
	}, "SELECT file, places FROM passages WHERE file IN (SELECT value FROM json_each(?))", string(list))
	return err
}
