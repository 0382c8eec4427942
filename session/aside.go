package session

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	"ploke-lsp/session/llm"
)

// maxThoughts is how many bytes of a response's thoughts are stored. What follows is only streamed.
const maxThoughts = 64 << 10

// cutOff ends a thought of which only the beginning is stored.
const cutOff = "\n…"

// Aside is what a person saw in an answer beside its text and its calls. No model gets it.
type Aside struct {
	Kind AsideKind
	Text string

	steps int // how many responses of the answer were complete by then
	at    int // how long the answer's text was by then, in bytes
}

// AsideKind is the kind of an aside.
type AsideKind string

// The kinds of asides.
const (
	Thought AsideKind = "thought" // what the model thought
	Notice  AsideKind = "notice"  // the text of a [bus.Notice]
	Retry   AsideKind = "retry"   // the error of a [bus.Retry]
)

// joinAsides makes one thought of the pieces of each, of which it copies each once.
func joinAsides(asides []Aside) (joined []Aside) {
	for len(asides) > 0 {
		next, n := asides[0], 1
		for n < len(asides) && next.Kind == Thought && asides[n].Kind == Thought && asides[n].steps == next.steps && asides[n].at == next.at {
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

// addAside keeps an aside at the current place of the answer.
func (s *requestSession) addAside(kind AsideKind, text string) {
	s.e.streamed.addAside(s.answer.ID, Aside{kind, text, len(s.answer.steps), len(s.text)})
}

// addThought keeps the next piece of a response's thoughts, as long as they are not too long.
func (s *requestSession) addThought(r *response, text string) {
	room := maxThoughts - r.thought
	r.thought += len(text)
	switch {
	case room < 0:
		return
	case len(text) > room:
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text = text[:room] + cutOff
	}
	s.addAside(Thought, text)
}

// insertAsides stores asides of a message.
func insertAsides(ctx context.Context, tx *sql.Tx, messageID string, asides []Aside) error {
	for _, a := range joinAsides(asides) {
		_, err := tx.ExecContext(ctx, `INSERT INTO asides (message_id, kind, text, steps, at) VALUES (?, ?, ?, ?, ?)`,
			messageID, a.Kind, a.Text, a.steps, a.at)
		if err != nil {
			return err
		}
	}
	return nil
}

// readAsides adds their asides to the answers of a path.
func readAsides(ctx context.Context, q queryer, path []Message) error {
	places := map[string]int{}
	var ids []string
	for i, m := range path {
		if m.Role == llm.Assistant {
			places[m.ID] = i
			ids = append(ids, m.ID)
		}
	}
	rows, err := q.QueryContext(ctx, `SELECT message_id, kind, text, steps, at FROM asides
		WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`, marshal(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var a Aside
		if err := rows.Scan(&id, &a.Kind, &a.Text, &a.steps, &a.at); err != nil {
			return err
		}
		m := &path[places[id]]
		m.asides = append(m.asides, a)
	}
	for _, at := range places {
		path[at].asides = joinAsides(path[at].asides)
	}
	return rows.Err()
}
