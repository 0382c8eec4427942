package shards

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// storedFile is the row of a file without what only its text tells.
type storedFile struct {
	indexedFile
	rel, language, skip     string
	symbols, refs, problems int
}

// chunk is how many rows eachFile reads at a time.
const chunk = 4096

// eachFile calls visit for the row of each file. SQLite joins the rows of a chunk to one text, since a call
// into C for each value would take several times as long. The strings share the memory of their chunk.
func (d *database) eachFile(ctx context.Context, visit func(storedFile)) error {
	for last := int64(0); ; {
		var rows sql.NullString
		var next sql.NullInt64
		err := d.read.QueryRowContext(ctx, `SELECT group_concat(id||' '||size||' '||modified||' '||symbols||' '||refs||' '||problems||' '||
			language||' '||skip||' '||rel, char(0)), max(id)
			FROM (SELECT * FROM files WHERE id > ? ORDER BY id LIMIT ?)`, last, chunk).Scan(&rows, &next)
		if err != nil {
			return err
		}
		if !next.Valid {
			return nil
		}
		for row := range strings.SplitSeq(rows.String, "\x00") {
			f, ok := parseStoredFile(row)
			if !ok {
				return fmt.Errorf("reading the row of a file: %w", ErrDamaged)
			}
			visit(f)
		}
		last = next.Int64
	}
}

// parseStoredFile parses a row: numbers and words with a space after each, and the path.
func parseStoredFile(row string) (f storedFile, ok bool) {
	var numbers [6]int64
	for i := range numbers {
		if numbers[i], row, ok = cutNumber(row); !ok {
			return f, false
		}
	}
	f.id, f.size, f.modified = numbers[0], numbers[1], numbers[2]
	f.symbols, f.refs, f.problems = int(numbers[3]), int(numbers[4]), int(numbers[5])
	f.language, row, _ = strings.Cut(row, " ")
	f.skip, f.rel, ok = strings.Cut(row, " ")
	return f, ok
}

// cutNumber cuts a decimal number and the space after it.
func cutNumber(row string) (n int64, rest string, ok bool) {
	text, rest, ok := strings.Cut(row, " ")
	digits, negative := strings.CutPrefix(text, "-")
	for i := range len(digits) {
		n = 10*n + int64(digits[i]-'0')
	}
	if negative {
		n = -n
	}
	return n, rest, ok
}
