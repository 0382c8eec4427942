package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ploke-lsp/internal/syntax"
)

// fileRow is the database row of an indexed file.
type fileRow struct {
	id       int64
	rel      string
	size     int64
	modified int64 // Unix nanoseconds; 0: the text may have changed without its time
	hash     string
	lines    int
	language string
}

const fileColumns = "f.id, f.rel, f.size, f.modified, f.hash, f.lines, f.language"

func (f *fileRow) columns() []any {
	return []any{&f.id, &f.rel, &f.size, &f.modified, &f.hash, &f.lines, &f.language}
}

// damagedSymbols returns the error for a file whose symbols can't be decoded.
func (f *fileRow) damagedSymbols() error {
	return fmt.Errorf("decoding the symbols of %s: %w", f.rel, ErrDamaged)
}

// content is an indexed file with its symbols.
type content struct {
	row     fileRow
	symbols []syntax.Symbol
}

// contents returns the existing files among ids, by ID.
func (s *shard) contents(ctx context.Context, ids []int64) (map[int64]*content, error) {
	found := make(map[int64]*content, len(ids))
	err := s.eachDeclared(ctx, ids, func(row fileRow, data []byte) error {
		symbols, ok := decodeSymbols(data)
		if !ok {
			return row.damagedSymbols()
		}
		found[row.id] = &content{row, symbols}
		return nil
	})
	return found, err
}

// idList returns IDs as a JSON array, for SQLite's json_each.
func idList(ids []int64) string {
	list, _ := json.Marshal(ids) // integers can always be encoded
	return string(list)
}

func scanContent(rows *sql.Rows) (*content, error) {
	c := &content{}
	var data sql.RawBytes
	if err := rows.Scan(append(c.row.columns(), &data)...); err != nil {
		return nil, err
	}
	var ok bool
	if c.symbols, ok = decodeSymbols(data); !ok {
		return nil, c.row.damagedSymbols()
	}
	return c, nil
}

// hashOf returns the stored hash of a file, "" if the file is not indexed.
func (s *shard) hashOf(ctx context.Context, id int64) (hash string, err error) {
	err = s.db.read.QueryRowContext(ctx, "SELECT hash FROM files WHERE id = ?", id).Scan(&hash)
	if isNoRow(err) {
		return "", nil
	}
	return hash, s.noteDamage(err)
}

// fileByID returns the row of a file; ok is false if it no longer exists.
func (s *shard) fileByID(ctx context.Context, id int64) (row fileRow, ok bool, err error) {
	return s.file(ctx, "f.id = ?", id)
}

// fileByRel returns the row of an indexed file; ok is false if there is none.
func (s *shard) fileByRel(ctx context.Context, rel string) (row fileRow, ok bool, err error) {
	return s.file(ctx, "f.rel = ? AND f.skip = ''", rel)
}

func (s *shard) file(ctx context.Context, where string, arg any) (row fileRow, ok bool, err error) {
	err = s.db.read.QueryRowContext(ctx, "SELECT "+fileColumns+" FROM files f WHERE "+where, arg).Scan(row.columns()...)
	if isNoRow(err) {
		return row, false, nil
	}
	return row, err == nil, s.noteDamage(err)
}

// symbolsOf returns a file's symbols from one ordinal to another, both included, in order.
func (s *shard) symbolsOf(ctx context.Context, file int64, from, to int) ([]syntax.Symbol, error) {
	var data []byte
	err := s.db.read.QueryRowContext(ctx, "SELECT symbols FROM contents WHERE file = ?", file).Scan(&data)
	if isNoRow(err) {
		return nil, nil
	}
	if err != nil {
		return nil, s.noteDamage(err)
	}
	symbols, ok := decodeSymbols(data)
	if !ok {
		return nil, s.noteDamage(ErrDamaged)
	}
	from = min(from, len(symbols))
	return symbols[from:max(from, min(to, len(symbols)-1)+1)], nil
}

// refsOf returns a file's encoded references.
func (s *shard) refsOf(ctx context.Context, file int64) (data []byte, err error) {
	err = s.db.read.QueryRowContext(ctx, "SELECT refs FROM contents WHERE file = ?", file).Scan(&data)
	if isNoRow(err) {
		return nil, nil
	}
	return data, s.noteDamage(err)
}

// lastFileID returns the highest ID that a file has ever had.
func (s *shard) lastFileID(ctx context.Context) (id int64, err error) {
	err = s.db.write.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'files'").Scan(&id)
	return id, err
}

// invalidateFiles makes the next update read and index every file again.
func invalidateFiles(tx *sql.Tx) error {
	_, err := tx.Exec("UPDATE files SET modified = 0, hash = ''")
	return err
}

func deleteFiles(tx *sql.Tx, files []*indexedFile) error {
	for _, statement := range []string{"DELETE FROM files WHERE id = ?", "DELETE FROM contents WHERE file = ?"} {
		if err := execEach(tx, statement, files, func(k *indexedFile) []any { return []any{k.id} }); err != nil {
			return err
		}
	}
	return nil
}

func touchFiles(tx *sql.Tx, files []newFile) error {
	return execEach(tx, "UPDATE files SET size = ?, modified = ? WHERE id = ?", files, func(f newFile) []any {
		return []any{f.size, f.modified, f.id}
	})
}

func insertFiles(tx *sql.Tx, files []newFile) error {
	err := execEach(tx, `INSERT INTO files (id, rel, size, modified, hash, lines, language, skip, symbols, refs, problems)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, files, func(f newFile) []any {
		return []any{f.id, f.rel, f.size, f.modified, f.hash, f.lines, f.language, f.skip,
			f.symbolCount, f.refCount, f.problems}
	})
	if err != nil {
		return err
	}
	return execEach(tx, "INSERT INTO contents (file, symbols, refs) VALUES (?, ?, ?)", files, func(f newFile) []any {
		return []any{f.id, bytesOrNone(f.symbols), bytesOrNone(f.refs)}
	})
}

// bytesOrNone turns nil into an empty value, because the driver stores nil as NULL.
func bytesOrNone(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// execEach executes a statement for each row.
func execEach[T any](tx *sql.Tx, statement string, rows []T, args func(T) []any) error {
	if len(rows) == 0 {
		return nil
	}
	prepared, err := tx.Prepare(statement)
	if err != nil {
		return err
	}
	defer prepared.Close()
	for _, row := range rows {
		if _, err := prepared.Exec(args(row)...); err != nil {
			return err
		}
	}
	return nil
}

func insertSegment(tx *sql.Tx, s *segment) error {
	_, err := tx.Exec("INSERT INTO segments (id, bytes, sum, dead) VALUES (?, ?, ?, x'')", s.id, s.bytes, int64(s.Sum()))
	return err
}

func deleteSegments(tx *sql.Tx, parts []part) error {
	return execEach(tx, "DELETE FROM segments WHERE id = ?", parts, func(p part) []any { return []any{p.id} })
}

// updateTombstones stores the tombstones of parts.
func updateTombstones(tx *sql.Tx, parts []part) error {
	return execEach(tx, "UPDATE segments SET dead = ? WHERE id = ?", parts, func(p part) []any {
		return []any{bytesOrNone(encodeTombstones(p.live)), p.id}
	})
}
