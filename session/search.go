package session

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Found is a place in a conversation where all words of a search stand
// together: its title, or a message.
type Found struct {
	ConversationID, Title string
	MessageID             string // "" for the title
	Role                  string // of the message
	Excerpt               string // one line around the first word
	At                    time.Time
}

// excerptRunes is about how much of a message a search shows on either side of
// a word.
const excerptRunes = 60

// Search looks for words in the titles and messages of all conversations. It
// tells capital letters from small ones no more than people do; a word may be
// a part of one. The newest come first, at most limit of them.
func (e *Engine) Search(ctx context.Context, query string, limit int) ([]Found, error) {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil, nil
	}
	rows, err := e.opts.DB.Read().QueryContext(ctx, `
		SELECT c.id, c.title, '', '', c.title, c.updated_at AS at, 0 AS place FROM conversations c
		UNION ALL
		SELECT c.id, c.title, m.id, m.role, m.text, m.created_at, m.rowid FROM messages m JOIN conversations c ON c.id = m.conversation_id
		ORDER BY at DESC, place DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Found
	for rows.Next() && len(found) < limit {
		var f Found
		var text string
		var at, place int64
		if err := rows.Scan(&f.ConversationID, &f.Title, &f.MessageID, &f.Role, &text, &at, &place); err != nil {
			return nil, err
		}
		if first, ok := allWords(text, words); ok {
			f.Excerpt, f.At = excerpt(text, first), time.UnixMilli(at)
			found = append(found, f)
		}
	}
	return found, rows.Err()
}

// allWords reports whether text has all of the words, and how many runes stand
// before the first of them.
func allWords(text string, words []string) (place int, ok bool) {
	lower := strings.ToLower(text)
	for i, w := range words {
		at := strings.Index(lower, w)
		if at < 0 {
			return 0, false
		}
		if i == 0 {
			place = utf8.RuneCountInString(lower[:at])
		}
	}
	return place, true
}

// excerpt is the text around a rune, on one line.
func excerpt(text string, place int) string {
	runes := []rune(text)
	start, end := max(place-excerptRunes, 0), min(place+excerptRunes, len(runes))
	for start > 0 && start < place && !unicode.IsSpace(runes[start-1]) {
		start++
	}
	line := strings.Join(strings.Fields(string(runes[start:end])), " ")
	if start > 0 {
		line = "…" + line
	}
	if end < len(runes) {
		line += "…"
	}
	return line
}
