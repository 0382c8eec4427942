package shards

import (
	"context"
	"encoding/binary"
	"fmt"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// The record of a document in the postings holds its file as it was indexed: the size, the time of
// the last change, where its text begins, the hash, the number of lines and the language, then the
// symbols, see records.EncodeSymbols. Numbers are varints.

// FileRow is what is known of an indexed file.
type FileRow struct {
	id       int64
	Rel      string
	Size     int64
	modified int64 // Unix nanoseconds; 0: the text may have changed without its time
	start    int   // the offset of the text in the file; -1: the file stores it in another encoding
	Hash     string
	Lines    int
	Language string
}

// content is an indexed file with its symbols.
type content struct {
	Row     FileRow
	Symbols []syntax.Symbol
}

// record encodes the record of a file with its trusted modification time.
func (f *readResult) record(modified int64) []byte {
	record := binary.AppendUvarint(nil, uint64(f.size))
	record = binary.AppendVarint(record, modified)
	record = binary.AppendVarint(record, int64(f.start))
	record = records.AppendText(record, f.hash)
	record = binary.AppendUvarint(record, uint64(f.lines))
	record = records.AppendText(record, f.language)
	return append(record, f.symbols...)
}

// FileOf returns the file of a document and its encoded symbols, which share the segment's memory.
func FileOf(s *postings.Segment, doc int) (row FileRow, symbols []byte, err error) {
	row = FileRow{id: s.Doc(doc).ID, Rel: s.Rel(doc)}
	record := s.Record(doc)
	size, at := records.Uvarint(record, 0)
	modified, at := records.Varint(record, at)
	start, at := records.Varint(record, at)
	hash, at := records.Text(record, at)
	lines, at := records.Uvarint(record, at)
	language, at := records.Text(record, at)
	if at < 0 {
		return row, nil, fmt.Errorf("decoding the record of %s: %w", row.Rel, ErrDamaged)
	}
	row.Size, row.modified, row.start = int64(size), int64(modified), start
	row.Hash, row.Lines, row.Language = string(hash), int(lines), string(language)
	return row, record[at:], nil
}

// contentOf returns the file of a document with its symbols.
func contentOf(s *postings.Segment, doc int) (*content, error) {
	row, data, err := FileOf(s, doc)
	if err != nil {
		return nil, err
	}
	symbols, ok := records.DecodeSymbols(data)
	if !ok {
		return nil, row.damagedSymbols()
	}
	return &content{row, symbols}, nil
}

// damagedSymbols returns the error for a file whose symbols can't be decoded.
func (f *FileRow) damagedSymbols() error {
	return fmt.Errorf("decoding the symbols of %s: %w", f.Rel, ErrDamaged)
}

// Content returns the file of a document with its symbols.
func (v *View) Content(doc int) (*content, error) {
	c, err := contentOf(v.Segment, doc)
	return c, v.Shard.NoteDamage(err)
}

// contents returns the files among ids that the newest generation has, by ID.
func (s *Shard) contents(ctx context.Context, ids []int64) (map[int64]*content, error) {
	if err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	snap := s.acquire()
	defer s.release(snap)
	found := make(map[int64]*content, len(ids))
	err := postings.Read(func() error {
		for _, p := range snap.parts {
			for _, id := range ids {
				doc, ok := p.DocOf(id)
				if !ok || !p.live[doc] {
					continue
				}
				c, err := contentOf(p.Segment, doc)
				if err != nil {
					return err
				}
				found[id] = c
			}
		}
		return nil
	})
	return found, s.NoteDamage(err)
}

// OpenText opens the current text of a file.
func (s *Shard) OpenText(ctx context.Context, ws *workspace.Workspace, f *FileRow) (*workspace.Text, error) {
	path := s.Path(f.Rel)
	if f.modified != 0 && f.start >= 0 {
		ws.SetPlain(path, workspace.PlainFile{Size: f.Size, Modified: f.modified, Start: int64(f.start), Hash: f.Hash})
	}
	return ws.Open(ctx, path)
}

// Unchanged reports whether a text is the one that was indexed, by its size and time.
func (s *Shard) Unchanged(ctx context.Context, f *FileRow, t *workspace.Text) (bool, error) {
	if f.same(t) || t.Open {
		return !t.Open, nil
	}
	touched := *f // an update may have found that the text is the same in spite of its time
	err := s.db.read.QueryRowContext(ctx, "SELECT size, modified FROM files WHERE id = ?", f.id).Scan(&touched.Size,
		&touched.modified)
	if isNoRow(err) {
		return false, nil
	}
	return touched.same(t), s.NoteDamage(err)
}

// same reports whether a text has the size and the time of a file.
func (f *FileRow) same(t *workspace.Text) bool {
	return !t.Open && f.modified != 0 && t.Size == f.Size && t.ModTime.UnixNano() == f.modified
}
