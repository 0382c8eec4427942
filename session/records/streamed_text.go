package records

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/store"
)

// recordEvery is how long streamed text waits before it is stored.
const recordEvery = time.Second

// StreamedText stores the text of answers and their asides while they are streamed, so that a crash
// loses about a second of them. One commit stores what is new in all turns. It adds pieces to
// what is stored, so that a long answer does not cost more for each piece. Storing
// the whole message replaces the pieces of its text. Asides stay as they are.
type StreamedText struct {
	db     *store.DB
	owner  string // id of the engine that streams
	log    *slog.Logger
	added  chan struct{} // has an element if text waits
	stop   context.CancelFunc
	loop   sync.WaitGroup
	failed bool // the last commit failed; only the loop uses it
	sleep  func(context.Context, time.Duration) error

	storing sync.Mutex // orders the commits of pieces and of whole messages

	mu      sync.Mutex
	waiting map[string]streamedPiece // by message id
}

// streamedPiece is what was streamed of a message and is not stored yet.
type streamedPiece struct {
	text   []byte
	asides []Aside
}

// NewStreamedText begins to store what the engine with the id owner streams, until [StreamedText.Close]. sleep waits
// between two commits; it returns an error if the context ends.
func NewStreamedText(db *store.DB, log *slog.Logger, owner string,
	sleep func(context.Context, time.Duration) error) *StreamedText {
	ctx, cancel := context.WithCancel(context.Background())
	t := &StreamedText{db: db, owner: owner, log: log, sleep: sleep, added: make(chan struct{}, 1), stop: cancel,
		waiting: map[string]streamedPiece{}}
	t.loop.Go(func() { t.run(ctx) })
	return t
}

// Close ends the storing. The turns have ended and stored their messages as a whole.
func (t *StreamedText) Close() {
	t.stop()
	t.loop.Wait()
}

// Add lets a piece of a message's text wait to be stored.
func (t *StreamedText) Add(messageID, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.waiting[messageID]
	p.text = append(p.text, text...)
	t.waiting[messageID] = p
	t.wake()
}

// AddAside lets an aside of a message wait to be stored.
func (t *StreamedText) AddAside(messageID string, a Aside) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.waiting[messageID]
	p.asides = append(p.asides, a)
	t.waiting[messageID] = p
	t.wake()
}

func (t *StreamedText) wake() {
	select {
	case t.added <- struct{}{}:
	default:
	}
}

func (t *StreamedText) run(ctx context.Context) {
	for {
		select {
		case <-t.added:
		case <-ctx.Done():
			return
		}
		if t.sleep(ctx, recordEvery) != nil {
			return
		}
		err := t.Store()
		if err != nil && !t.failed {
			t.log.Warn("storing streamed text failed; it is tried again every second", "error", err)
		}
		t.failed = err != nil
	}
}

// Store commits what waits of all messages. If that fails, it waits on.
func (t *StreamedText) Store() error {
	t.storing.Lock()
	defer t.storing.Unlock()
	pieces := t.take()
	if len(pieces) == 0 {
		return nil
	}
	err := t.db.Record(context.Background(), func(tx *sql.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(pieces)) {
			if err := t.insert(tx, id, pieces[id]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.putBack(pieces)
	}
	return err
}

func (t *StreamedText) take() map[string]streamedPiece {
	t.mu.Lock()
	defer t.mu.Unlock()
	pieces := t.waiting
	t.waiting = map[string]streamedPiece{}
	return pieces
}

func (t *StreamedText) putBack(pieces map[string]streamedPiece) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, p := range pieces {
		since := t.waiting[id]
		t.waiting[id] = streamedPiece{append(p.text, since.text...), append(p.asides, since.asides...)}
	}
	t.wake()
}

// Replace runs a commit that stores a message as a whole, with the asides that wait. Then nothing
// of the message waits any more. The caller is the only one who adds to the message.
func (t *StreamedText) Replace(messageID string, commit func(asides []Aside) error) error {
	t.storing.Lock()
	defer t.storing.Unlock()
	t.mu.Lock()
	asides := t.waiting[messageID].asides
	t.mu.Unlock()
	if err := commit(asides); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, messageID)
	return nil
}

// insert stores a piece of a message, unless the message was deleted, or another process has taken
// its turn over.
func (t *StreamedText) insert(tx *sql.Tx, messageID string, p streamedPiece) error {
	var mine bool
	err := tx.QueryRow(`SELECT count(*) > 0 FROM messages
		WHERE id = ? AND status = ? AND json_extract(extra, '$.owner.id') = ?`,
		messageID, Pending, t.owner).Scan(&mine)
	if err != nil || !mine {
		return err
	}
	if len(p.text) > 0 {
		if _, err := tx.Exec(`INSERT INTO streamed_text (message_id, text) VALUES (?, ?)`, messageID,
			string(p.text)); err != nil {
			return err
		}
	}
	return InsertAsides(context.Background(), tx, messageID, p.asides)
}
