package shards

import (
	"context"
	"database/sql"
	"encoding/json"
)

// idList returns IDs as a JSON array, for SQLite's json_each.
func idList(ids []int64) string {
	list, _ := json.Marshal(ids) // integers can always be encoded
	return string(list)
}

// hashOf returns the stored hash of a file, "" if the file is not indexed.
func (s *Shard) hashOf(ctx context.Context, id int64) (hash string, err error) {
	err = s.db.read.QueryRowContext(ctx, "SELECT hash FROM files WHERE id = ?", id).Scan(&hash)
	if isNoRow(err) {
		return "", nil
	}
	return hash, s.NoteDamage(err)
}

// lastFileID returns the highest ID that a file has ever had.
func (d *database) lastFileID(ctx context.Context) (id int64, err error) {
	err = d.write.QueryRowContext(ctx,
		"SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'files'").Scan(&id)
	return id, err
}

// invalidateFiles makes the next update read and index every file again.
func invalidateFiles(tx *sql.Tx) error {
	_, err := tx.Exec("UPDATE files SET modified = 0, hash = ''")
	return err
}

func deleteFiles(tx *sql.Tx, files []*indexedFile) error {
	return execEach(tx, "DELETE FROM files WHERE id = ?", files, func(k *indexedFile) []any { return []any{k.id} })
}

func touchFiles(tx *sql.Tx, files []newFile) error {
	return execEach(tx, "UPDATE files SET size = ?, modified = ? WHERE id = ?", files, func(f newFile) []any {
		return []any{f.size, f.modified, f.id}
	})
}

func insertFiles(tx *sql.Tx, files []newFile) error {
	return execEach(tx, `INSERT INTO files (id, rel, size, modified, hash, lines, language, skip, symbols, refs, problems)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, files, func(f newFile) []any {
		return []any{f.id, f.rel, f.size, f.modified, f.hash, f.lines, f.language, f.skip,
			f.symbolCount, f.refCount, f.problems}
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

func deleteSegments(tx *sql.Tx, parts []liveSegment) error {
	return execEach(tx, "DELETE FROM segments WHERE id = ?", parts, func(p liveSegment) []any { return []any{p.id} })
}

// updateTombstones stores the tombstones of parts.
func updateTombstones(tx *sql.Tx, parts []liveSegment) error {
	return execEach(tx, "UPDATE segments SET dead = ? WHERE id = ?", parts, func(p liveSegment) []any {
		return []any{bytesOrNone(encodeTombstones(p.live)), p.id}
	})
}
