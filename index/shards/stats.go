package shards

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Stats describes what an index holds, and what an update did.
type Stats struct {
	Workspace   string                   `json:"workspace"`    // the roots
	Files       int                      `json:"files"`        // indexed
	ParsedFiles int                      `json:"parsed_files"` // read and indexed by this update
	Symbols     int                      `json:"symbols"`
	References  int                      `json:"references"`
	Bytes       int64                    `json:"bytes"`
	WithErrors  int                      `json:"with_errors"`
	Skipped     map[string]int           `json:"skipped"` // by reason
	Languages   map[string]LanguageStats `json:"languages"`
	Seconds     Seconds                  `json:"seconds"`
	DBBytes     int64                    `json:"db_bytes"` // of all files of the index
}

// LanguageStats describes what an index holds of one language. "text" stands for files
// without one.
type LanguageStats struct {
	Files   int `json:"files"`
	Symbols int `json:"symbols"`
}

// Seconds says where an update spent its time. Storing and parsing overlap; Store is the
// time of the writer.
type Seconds struct {
	Walk  float64 `json:"walk"`
	Parse float64 `json:"parse"`
	Store float64 `json:"store"`
	Total float64 `json:"total"`
}

// textLanguage is the language of files without one.
const textLanguage = "text"

// totals counts what the shard holds, except DBBytes.
func (s *Shard) totals(ctx context.Context) (*Stats, error) {
	t := s.newStats()
	return t, s.db.eachFile(ctx, t.addFile)
}

func (s *Shard) newStats() *Stats {
	return &Stats{Workspace: s.Root, Skipped: map[string]int{}, Languages: map[string]LanguageStats{}}
}

// addFile counts a file.
func (t *Stats) addFile(f storedFile) {
	if f.skip != "" {
		t.Skipped[f.skip]++
		return
	}
	t.addLanguage(f.language, LanguageStats{1, f.symbols})
	t.References += f.refs
	t.Bytes += f.size
	if f.problems > 0 {
		t.WithErrors++
	}
}

// counts returns what Status shows of the shard. It takes a fraction of the time of totals.
func (s *Shard) counts(ctx context.Context) (c Status, err error) {
	err = s.db.read.QueryRowContext(ctx,
		`SELECT count(*), coalesce(sum(symbols), 0), coalesce(sum(refs), 0) FROM files WHERE skip = ''`).
		Scan(&c.Files, &c.Symbols, &c.References)
	return c, s.NoteDamage(err)
}

func (t *Stats) addLanguage(name string, l LanguageStats) {
	if name == "" {
		name = textLanguage
	}
	sum, known := t.Languages[name]
	if !known {
		name = strings.Clone(name) // it may be a part of a long text
	}
	sum.Files += l.Files
	sum.Symbols += l.Symbols
	t.Languages[name] = sum
	t.Files += l.Files
	t.Symbols += l.Symbols
}

// diskBytes returns the size of the files of the index in dir.
func diskBytes(dir string) (total int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		isSegment, _ := filepath.Match(segmentPattern, e.Name())
		if info, err := e.Info(); err == nil && (isSegment || strings.HasPrefix(e.Name(), "index.db")) {
			total += info.Size()
		}
	}
	return total
}

// merge adds another root's figures.
func (t *Stats) merge(o *Stats) {
	if t.Workspace != "" {
		t.Workspace += string(filepath.ListSeparator)
	}
	t.Workspace += o.Workspace
	t.ParsedFiles += o.ParsedFiles
	t.References += o.References
	t.Bytes += o.Bytes
	t.WithErrors += o.WithErrors
	t.DBBytes += o.DBBytes
	for reason, n := range o.Skipped {
		t.Skipped[reason] += n
	}
	for name, l := range o.Languages {
		t.addLanguage(name, l)
	}
	t.Seconds.Walk += o.Seconds.Walk
	t.Seconds.Parse += o.Seconds.Parse
	t.Seconds.Store += o.Seconds.Store
}
