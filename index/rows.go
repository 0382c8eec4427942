package index

import (
	"database/sql"
	"strings"

	"ploke-lsp/internal/syntax"
)

// symbolColumns are the columns of a symbol, in the order of scanSymbol.
const symbolColumns = `ordinal, name, canon, kind, detail, parent, start, end, start_line, end_line,
	name_start, name_end, body_start, doc_start, doc_end`

func deleteFiles(tx *sql.Tx, files []*known) error {
	for _, statement := range []string{
		"DELETE FROM files WHERE id = ?", "DELETE FROM symbols WHERE file = ?", "DELETE FROM refs WHERE file = ?",
	} {
		prepared, err := tx.Prepare(statement)
		if err != nil {
			return err
		}
		defer prepared.Close()
		for _, k := range files {
			if _, err := prepared.Exec(k.id); err != nil {
				return err
			}
		}
	}
	return nil
}

func touchFiles(tx *sql.Tx, files []stored) error {
	for _, f := range files {
		if _, err := tx.Exec("UPDATE files SET size = ?, modified = ? WHERE id = ?", f.size, f.modified, f.id); err != nil {
			return err
		}
	}
	return nil
}

// insertFiles inserts the files of a batch whose postings are in the segment.
func insertFiles(tx *sql.Tx, files []stored, segment int64) error {
	file, err := tx.Prepare(`INSERT INTO files (id, rel, size, modified, hash, language, skip, symbols, refs, problems, segment, doc)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer file.Close()
	refs, err := tx.Prepare("INSERT INTO refs (file, data) VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer refs.Close()
	symbols, err := tx.Prepare("INSERT INTO symbols (file, " + symbolColumns + ") VALUES (" + strings.Repeat("?, ", 15) + "?)")
	if err != nil {
		return err
	}
	defer symbols.Close()
	for _, f := range files {
		parsed := f.syntax
		if parsed == nil {
			parsed = &syntax.File{}
		}
		if _, err := file.Exec(f.id, f.rel, f.size, f.modified, f.hash, parsed.Language, f.skip,
			len(parsed.Symbols), f.refCount, parsed.ProblemCount, segment, f.doc); err != nil {
			return err
		}
		if len(f.refs) > 0 {
			if _, err := refs.Exec(f.id, f.refs); err != nil {
				return err
			}
		}
		for i, s := range parsed.Symbols {
			if _, err := symbols.Exec(f.id, i, s.Name, s.Canon, string(s.Kind), s.Detail, s.Parent, s.Start, s.End, s.StartLine, s.EndLine,
				s.NameStart, s.NameEnd, s.BodyStart, s.DocStart, s.DocEnd); err != nil {
				return err
			}
		}
	}
	return nil
}

func scanSymbol(rows *sql.Rows, ordinal *int, s *syntax.Symbol, more ...any) error {
	columns := []any{ordinal, &s.Name, &s.Canon, &s.Kind, &s.Detail, &s.Parent, &s.Start, &s.End, &s.StartLine, &s.EndLine,
		&s.NameStart, &s.NameEnd, &s.BodyStart, &s.DocStart, &s.DocEnd}
	return rows.Scan(append(columns, more...)...)
}

func insertSegment(tx *sql.Tx, s *segment) error {
	_, err := tx.Exec("INSERT INTO segments (id, bytes) VALUES (?, ?)", s.id, s.bytes)
	return err
}
