package session

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

// streamedText stores the text of answers while it is streamed, so that a crash loses
// about a second of it. One commit stores the new text of all turns. It adds pieces to
// what is stored, so that a long answer does not cost more for each piece. Storing
// the whole message replaces its pieces.
type streamedText struct {
	db     *store.DB
	owner  string // id of the engine that streams
	log    *slog.Logger
	added  chan struct{} // has an element if text waits
	stop   context.CancelFunc
	loop   sync.WaitGroup
	failed bool // the last commit failed; only the loop uses it

	storing sync.Mutex // orders the commits of pieces and of whole messages

	mu      sync.Mutex
	waiting map[string][]byte // by message id
}

func newStreamedText(o Options, owner string) *streamedText {
	ctx, cancel := context.WithCancel(context.Background())
	t := &streamedText{db: o.DB, owner: owner, log: o.Logger, added: make(chan struct{}, 1), stop: cancel, waiting: map[string][]byte{}}
	t.loop.Go(func() { t.run(ctx) })
	return t
}

// close ends the storing. The turns have ended and stored their messages as a whole.
func (t *streamedText) close() {
	t.stop()
	t.loop.Wait()
}

// add lets a piece of a message's text wait to be stored.
func (t *streamedText) add(messageID, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[messageID] = append(t.waiting[messageID], text...)
	t.wake()
}

func (t *streamedText) wake() {
	select {
	case t.added <- struct{}{}:
	default:
	}
}

func (t *streamedText) run(ctx context.Context) {
	for {
		select {
		case <-t.added:
		case <-ctx.Done():
			return
		}
		if sleep(ctx, recordEvery) != nil {
			return
		}
		err := t.store()
		if err != nil && !t.failed {
			t.log.Warn("storing streamed text failed; it is tried again every second", "error", err)
		}
		t.failed = err != nil
	}
}

// store commits the waiting text of all messages. If that fails, the text waits on.
func (t *streamedText) store() error {
	t.storing.Lock()
	defer t.storing.Unlock()
	texts := t.take()
	if len(texts) == 0 {
		return nil
	}
	err := t.db.Record(context.Background(), func(tx *sql.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(texts)) {
			if err := t.insert(tx, id, texts[id]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.putBack(texts)
	}
	return err
}

func (t *streamedText) take() map[string][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	texts := t.waiting
	t.waiting = map[string][]byte{}
	return texts
}

func (t *streamedText) putBack(texts map[string][]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, text := range texts {
		t.waiting[id] = append(text, t.waiting[id]...)
	}
	t.wake()
}

// replace runs a commit that stores a message as a whole. Then no text of the message
// waits any more.
func (t *streamedText) replace(messageID string, commit func() error) error {
	t.storing.Lock()
	defer t.storing.Unlock()
	if err := commit(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, messageID)
	return nil
}

// insert stores a piece of a message's text, unless the message was deleted, or another
// process has taken its turn over.
func (t *streamedText) insert(tx *sql.Tx, messageID string, text []byte) error {
	_, err := tx.Exec(`INSERT INTO streamed_text (message_id, text)
		SELECT id, ? FROM messages WHERE id = ? AND status = ? AND json_extract(extra, '$.owner.id') = ?`,
		string(text), messageID, Pending, t.owner)
	return err
}
