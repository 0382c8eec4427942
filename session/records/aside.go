package records

import (
	"context"
	"database/sql"
	"strings"

	"ploke-lsp/session/llm"
)

// Aside is what a person saw in an answer besides its text and its calls. No model gets it.
type Aside struct {
	Kind AsideKind
	Text string

	Steps int // how many responses of the answer were complete by then
	At    int // how long the answer's text was by then, in bytes
}

// AsideKind is the kind of an aside.
type AsideKind string

// The kinds of asides.
const (
	Thought AsideKind = "thought" // what the model thought
	Notice  AsideKind = "notice"  // the text of a [bus.Notice]
	Retry   AsideKind = "retry"   // the error of a [bus.Retry]
)

// JoinAsides makes one thought of the pieces of each, of which it copies each once.
func JoinAsides(asides []Aside) (joined []Aside) {
	for len(asides) > 0 {
		next, n := asides[0], 1
		for n < len(asides) && next.Kind == Thought && asides[n].Kind == Thought && asides[n].Steps == next.Steps &&
			asides[n].At == next.At {
			n++
		}
		if n > 1 {
			var text strings.Builder
			for _, piece := range asides[:n] {
				text.WriteString(piece.Text)
			}
			next.Text = text.String()
		}
		joined, asides = append(joined, next), asides[n:]
	}
	return joined
}

// InsertAsides stores asides of a message.
func InsertAsides(ctx context.Context, tx *sql.Tx, messageID string, asides []Aside) error {
	for _, a := range JoinAsides(asides) {
		_, err := tx.ExecContext(ctx, `INSERT INTO asides (message_id, kind, text, steps, at) VALUES (?, ?, ?, ?, ?)`,
			messageID, a.Kind, a.Text, a.Steps, a.At)
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadAsides adds their asides to the answers of a path.
func ReadAsides(ctx context.Context, q Queryer, path []Message) error {
	places := map[string]int{}
	var ids []string
	for i, m := range path {
		if m.Role == llm.Assistant {
			places[m.ID] = i
			ids = append(ids, m.ID)
		}
	}
	rows, err := q.QueryContext(ctx, `SELECT message_id, kind, text, steps, at FROM asides
		WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`, Marshal(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var a Aside
		if err := rows.Scan(&id, &a.Kind, &a.Text, &a.Steps, &a.At); err != nil {
			return err
		}
		m := &path[places[id]]
		m.asides = append(m.asides, a)
	}
	for _, at := range places {
		path[at].asides = JoinAsides(path[at].asides)
	}
	return rows.Err()
}
