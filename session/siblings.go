package session

import (
	"context"
	"slices"
	"time"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// Fork is a place at which a branch has alternatives: messages with the same parent, in
// the order in which they were stored.
type Fork struct {
	ParentID string // "" is the conversation's root
	Messages []Sibling
}

// Sibling is one of the messages at a fork.
type Sibling struct {
	ID        string
	Role      llm.Role
	Status    records.Status
	Excerpt   string // the first words, on one line
	CreatedAt time.Time
	LeafID    string // the newest leaf below the message
	Current   bool   // the message is on the branch
}

// excerptSource is how many characters of a text are read for its first words.
const excerptSource = 4 * excerptRunes

// Forks returns the places at which the branch that ends in the leaf has alternatives,
// from the conversation's beginning on; "" is the newest leaf.
func (e *Engine) Forks(ctx context.Context, conversationID, leafID string) ([]Fork, error) {
	t, err := e.readTree(ctx, conversationID)
	if err != nil {
		return nil, err
	}
	if n := len(t.messages); leafID == "" && n > 0 {
		leafID = t.messages[n-1].ID
	}
	if leafID == "" {
		return nil, nil
	}
	leaf, ok := t.places[leafID]
	if !ok {
		return nil, &records.NotFoundError{What: "message", ID: leafID}
	}
	return t.forks(leaf), nil
}

// tree is the tree of a conversation's messages. Messages are named by their places in
// the order in which they were stored, in which parents come before their children.
type tree struct {
	messages []Sibling
	parents  []string
	places   map[string]int   // by id
	children map[string][]int // by id; "" is the root
}

func (e *Engine) readTree(ctx context.Context, conversationID string) (*tree, error) {
	db := e.opts.DB.Read()
	if err := records.ConversationExists(ctx, db, conversationID); err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `SELECT m.id, coalesce(m.parent_id, ''), m.role, m.status, substr(`+records.MessageText+`, 1, ?), m.created_at
		FROM messages m WHERE m.conversation_id = ? ORDER BY m.rowid`, excerptSource, conversationID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t := &tree{places: map[string]int{}, children: map[string][]int{}}
	for rows.Next() {
		var m Sibling
		var parent, text string
		var created int64
		if err := rows.Scan(&m.ID, &parent, &m.Role, &m.Status, &text, &created); err != nil {
			return nil, err
		}
		m.Excerpt, m.CreatedAt = excerpt(text, 0), time.UnixMilli(created)
		place := len(t.messages)
		t.messages, t.parents = append(t.messages, m), append(t.parents, parent)
		t.places[m.ID] = place
		t.children[parent] = append(t.children[parent], place)
	}
	return t, rows.Err()
}

// forks returns the forks on the way from the root to a leaf.
func (t *tree) forks(leaf int) (forks []Fork) {
	current := map[int]bool{}
	var parents []string
	for at, ok := leaf, true; ok; at, ok = t.parentOf(at) {
		current[at] = true
		parents = append(parents, t.parents[at])
	}
	newest := t.newestBelow()
	for _, parent := range slices.Backward(parents) {
		children := t.children[parent]
		if len(children) == 1 {
			continue
		}
		fork := Fork{ParentID: parent}
		for _, place := range children {
			m := t.messages[place]
			m.LeafID, m.Current = t.messages[newest[place]].ID, current[place]
			fork.Messages = append(fork.Messages, m)
		}
		forks = append(forks, fork)
	}
	return forks
}

func (t *tree) parentOf(place int) (parent int, ok bool) {
	parent, ok = t.places[t.parents[place]]
	return parent, ok
}

// newestBelow returns the place of the newest message in the subtree of each message.
// That message has no child.
func (t *tree) newestBelow() []int {
	newest := make([]int, len(t.messages))
	for place := len(newest) - 1; place >= 0; place-- {
		newest[place] = max(newest[place], place)
		if parent, ok := t.parentOf(place); ok {
			newest[parent] = max(newest[parent], newest[place])
		}
	}
	return newest
}
