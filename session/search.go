package session

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// Found is a search result: the title or message of a conversation that contains all
// words of the query.
type Found struct {
	ConversationID, Title string
	MessageID             string // "" if the title matched
	Role                  string // of the message
	Excerpt               string // one line around the first word
	At                    time.Time
}

// excerptRunes is about how many runes of the text an excerpt has on either side of
// the match.
const excerptRunes = 60

// Search looks for words in the titles and messages of all conversations. It ignores
// case, and matches parts of words. It returns at most limit results, newest first.
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

// allWords reports whether text contains all words, and the number of runes before
// the first word.
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

// excerpt returns the text around a rune, on one line.
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

// maxSentBytes is the size above which a text is left out of what was sent before. No person types so much, and an
// input would only slow down.
const maxSentBytes = 32 << 10

// Sent returns the texts that the person has sent, each one once, the newest first. Those of the conversation come
// before those of others.
func (e *Engine) Sent(ctx context.Context, conversationID string, limit int) (texts []string, err error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `SELECT text FROM messages WHERE role = ? AND length(text) BETWEEN 1 AND ?
		GROUP BY text ORDER BY max(conversation_id = ?) DESC, max(rowid) DESC LIMIT ?`, llm.User, maxSentBytes, conversationID, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// lastMessages is how many messages of a conversation say which files it is about.
const lastMessages = 20

// FilesOf returns the absolute paths of files that the last messages of a conversation, and their calls, have
// attached, shown or changed. Those of the last message come first.
func (e *Engine) FilesOf(ctx context.Context, conversationID string) (paths []string, err error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `SELECT `+records.MessageColumns+` FROM messages m
		WHERE conversation_id = ? ORDER BY rowid DESC LIMIT ?`, conversationID, lastMessages)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		m, err := records.ScanMessage(rows)
		if err != nil {
			return nil, err
		}
		paths = append(paths, m.FilePaths()...)
	}
	return paths, rows.Err()
}
