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
	mu      sync.RWMutex // guards what follows
	version int64        // of the passages that are known, see index.db's meta
	files   map[int64][]place
	sites   map[vectors.Key][]site
	sets    map[string]*vectors.Set // by space
}

// place is a passage in its file.
type place struct {
	ordinal int // of the unit that it belongs to
	bytes   int
	key     vectors.Key
}

// site is where a passage is.
type site struct {
	file    int64
	ordinal int
}

// vectorsPattern is what the files of vectors are called; the * is a hash of the space.
const vectorsPattern = "vectors-*.vec"

// set is the set of a space, opened where it is not yet.
func (s *shard) set(space string) (*vectors.Set, error) {
	s.dense.mu.Lock()
	defer s.dense.mu.Unlock()
	if set := s.dense.sets[space]; set != nil {
		return set, set.Refresh()
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
func (s *shard) spaces() (all []string) {
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
func (s *shard) followPassages(ctx context.Context) error {
	d := &s.dense
	d.mu.Lock()
	defer d.mu.Unlock()
	version, err := meta(ctx, s.db.read, "passages")
	if err != nil || version == d.version {
		return s.judge(err)
	}
	ids, err := query(ctx, s.db.read, func(rows *sql.Rows) (id int64, err error) {
		return id, rows.Scan(&id)
	}, "SELECT file FROM passages")
	if err != nil {
		return s.judge(err)
	}
	if err := s.readPlaces(ctx, d.replace(ids)); err != nil {
		return s.judge(err)
	}
	d.version = version
	return nil
}

// replace forgets the files that are not among ids, and returns those that are new.
func (d *dense) replace(ids []int64) (fresh []int64) {
	if d.files == nil {
		d.files, d.sites = map[int64][]place{}, map[vectors.Key][]site{}
	}
	there := make(map[int64]bool, len(ids))
	for _, id := range ids {
		there[id] = true
		if _, known := d.files[id]; !known {
			fresh = append(fresh, id)
		}
	}
	for id, places := range d.files {
		if !there[id] {
			d.forget(id, places)
		}
	}
	return fresh
}

func (d *dense) forget(id int64, places []place) {
	for _, p := range places {
		left := slices.DeleteFunc(d.sites[p.key], func(h site) bool { return h.file == id })
		if d.sites[p.key] = left; len(left) == 0 {
			delete(d.sites, p.key)
		}
	}
	delete(d.files, id)
}

// readPlaces reads the passages of files. The lock is held.
func (s *shard) readPlaces(ctx context.Context, ids []int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	d := &s.dense
	_, err = query(ctx, s.db.read, func(rows *sql.Rows) (struct{}, error) {
		var id int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &data); err != nil {
			return struct{}{}, err
		}
		places, ok := decodePlaces(data)
		if !ok {
			return struct{}{}, fmt.Errorf("the passages of file %d: %w", id, errDamaged)
		}
		d.files[id] = places
		for _, p := range places {
			d.sites[p.key] = append(d.sites[p.key], site{id, p.ordinal})
		}
		return struct{}{}, nil
	}, "SELECT file, places FROM passages WHERE file IN (SELECT value FROM json_each(?))", string(list))
	return err
}
