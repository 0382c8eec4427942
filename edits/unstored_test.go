package edits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
)

// staging is a call of Stage that runs.
type staging struct {
	done   chan struct{}
	staged *Proposal
	err    error
}

// begin calls Stage and returns when the batch is visible or refused.
func (b *fixture) begin(ctx context.Context, batch Batch) *staging {
	s := &staging{done: make(chan struct{})}
	visible := make(chan struct{})
	batch.Visible = sync.OnceFunc(func() { close(visible) })
	go func() {
		defer close(s.done)
		s.staged, s.err = b.Staging.Stage(ctx, batch)
	}()
	select {
	case <-visible:
	case <-s.done:
	}
	return s
}

// ended returns the error of the call once it has returned.
func (s *staging) ended() error {
	<-s.done
	return s.err
}

// replacing returns a batch that replaces old in the turn's present view of the file.
func (b *fixture) replacing(turn, name, old, new string) Batch {
	return Batch{RequestID: turn, Operations: []Operation{b.replaceOnce(turn, name, old, new)}}
}

// whileStoring calls do while another transaction keeps proposals from being stored. do may add to
// that transaction.
func (b *fixture) whileStoring(do func(tx *sql.Tx) error) {
	b.t.Helper()
	if err := b.Proposals.db.Write(b.t.Context(), do); err != nil {
		b.t.Fatal(err)
	}
}

// TestABatchIsVisibleBeforeItIsStored builds batches on one that is being stored. The first is
// stored alone, and all others together, as they were visible.
func TestABatchIsVisibleBeforeItIsStored(t *testing.T) {
	const more = 30
	b := newFixture(t, map[string]string{"a.txt": "<0>\n", "c.txt": "old\n"})
	before := b.writes()
	var calls []*staging
	var visible []*Proposal
	b.whileStoring(func(*sql.Tx) error {
		calls = append(calls, b.begin(t.Context(), b.replacing("turn", "a.txt", "<0>", "<1>")))
		b.awaitTaken("turn")
		calls = append(calls, b.begin(t.Context(), b.replacing("turn", "c.txt", "old", "new")))
		for i := range more {
			calls = append(calls, b.begin(t.Context(), b.replacing("turn", "a.txt", fmt.Sprintf("<%d>", 1+i), fmt.Sprintf("<%d>", 2+i))))
		}
		for _, c := range calls {
			select {
			case <-c.done:
				t.Errorf("a call returned before it was stored: %v", c.err)
			default:
			}
		}
		if got := b.view("turn", "a.txt"); got != fmt.Sprintf("<%d>\n", 1+more) {
			t.Errorf("the turn sees %q", got)
		}
		if got := b.view("another turn", "a.txt"); got != "<0>\n" {
			t.Errorf("another turn sees %q", got)
		}
		var err error
		if visible, err = b.Staging.StagedIn(t.Context(), "turn"); err != nil || len(visible) != 1 {
			t.Errorf("staged: %v, %v", visible, err)
		}
		if ps, err := b.Proposals.List(t.Context(), ""); err != nil || len(ps) != 0 {
			t.Errorf("%d proposals are stored, %v", len(ps), err)
		}
		return nil
	})
	for _, c := range calls {
		if err := c.ended(); err != nil || c.staged.ID != visible[0].ID {
			t.Fatal(err)
		}
	}
	if n := b.writes() - before; n != 3 { // with the one that held them up
		t.Errorf("%d writes; want 3", n)
	}
	p := b.get(visible[0])
	if diff := cmp.Diff(visible[0].Changes, p.Changes); diff != "" || len(b.Staging.unstored.all) != 0 {
		t.Errorf("%d turns are in memory; was visible and is stored: %s", len(b.Staging.unstored.all), diff)
	}
	for _, c := range p.Changes {
		if _, err := b.Proposals.text(t.Context(), c.BaseHash); err != nil {
			t.Errorf("the text of %s: %v", c.Path, err)
		}
	}
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.disk("a.txt") != fmt.Sprintf("<%d>\n", 1+more) || b.disk("c.txt") != "new\n" {
		t.Errorf("the proposal is %s", p.Status())
	}
}

// awaitTaken waits until the turn's first group is being stored.
func (b *fixture) awaitTaken(turn string) {
	b.t.Helper()
	testbed.Eventually(b.t, func() bool {
		b.Staging.unstored.mu.Lock()
		u := b.Staging.unstored.all[turn]
		b.Staging.unstored.mu.Unlock()
		u.mu.Lock()
		defer u.mu.Unlock()
		return len(u.groups) > 0 && u.groups[0].taken
	}, func() string { return "nothing of the turn is being stored" })
}

// TestBatchesOnOneThatCannotBeStoredFail fills the disk while a batch is being stored and others
// build on it. The turn then sees what is stored, and goes on.
func TestBatchesOnOneThatCannotBeStoredFail(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\n"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "one", "two"))
	var calls []*staging
	b.whileStoring(func(tx *sql.Tx) error {
		calls = append(calls, b.begin(t.Context(), b.replacing("turn", "a.txt", "two", "three")))
		b.awaitTaken("turn")
		calls = append(calls, b.begin(t.Context(), b.replacing("turn", "a.txt", "three", "four")),
			b.begin(t.Context(), b.creating("turn", "b.txt")))
		_, err := tx.Exec(`CREATE TRIGGER full BEFORE UPDATE ON proposals BEGIN SELECT raise(ABORT, 'the disk is full'); END`)
		return err
	})
	for i, c := range calls {
		if c.ended() == nil {
			t.Errorf("call %d returned no error", i)
		}
	}
	b.whileStoring(func(tx *sql.Tx) error { _, err := tx.Exec(`DROP TRIGGER full`); return err })
	if got := b.view("turn", "a.txt"); got != "two\n" {
		t.Errorf("the turn sees %q", got)
	}
	if _, err := b.Staging.View(Turn{ID: "turn"}).Read(t.Context(), b.path("b.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("b.txt: %v", err)
	}
	if p := b.stage("turn", b.replaceOnce("turn", "a.txt", "two", "five")); len(p.Changes) != 1 || b.view("turn", "a.txt") != "five\n" {
		t.Errorf("proposal %+v", p)
	}
}

// TestABatchWhoseCallHasEndedIsTakenBack cancels a call while it is being stored. A batch that builds
// on it is refused, and one that does not is staged.
func TestABatchWhoseCallHasEndedIsTakenBack(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\n"})
	ctx, cancel := context.WithCancel(t.Context())
	var first, second, third *staging
	b.whileStoring(func(*sql.Tx) error {
		first = b.begin(ctx, b.replacing("turn", "a.txt", "one", "two"))
		b.awaitTaken("turn")
		second = b.begin(t.Context(), b.replacing("turn", "a.txt", "two", "three"))
		third = b.begin(t.Context(), b.creating("turn", "b.txt"))
		cancel()
		if err := first.ended(); !errors.Is(err, context.Canceled) {
			t.Errorf("the cancelled call: %v", err)
		}
		return nil
	})
	var stale *StaleError
	if err := second.ended(); !errors.As(err, &stale) {
		t.Errorf("the call on top of it: %v", err)
	}
	if err := third.ended(); err != nil {
		t.Fatal(err)
	}
	if p := b.get(third.staged); len(p.Changes) != 1 || b.view("turn", "a.txt") != "one\n" || b.view("turn", "b.txt") != "b.txt" {
		t.Errorf("proposal %+v", p)
	}
}

// TestADecisionBetweenVisibleAndStored has another window decide while batches are in memory: they
// are staged again, into a new proposal, or refused.
func TestADecisionBetweenVisibleAndStored(t *testing.T) {
	for name, tt := range map[string]struct {
		decide func(*Manager, string) error
		sees   string
	}{
		"rejected": {func(m *Manager, id string) error {
			_, err := m.Reject(t.Context(), latest(m.Proposals, id, Selection{}), "")
			return err
		}, "one\n"},
		"untouched": {func(*Manager, string) error { return nil }, "three\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": "one\n"})
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "one", "two"))
			other := New(b.Proposals.db, b.ws, Options{})
			b.Proposals.mu.Lock()
			edit, create := b.begin(t.Context(), b.replacing("turn", "a.txt", "two", "three")), b.begin(t.Context(), b.creating("turn", "b.txt"))
			err := tt.decide(other, p.ID)
			b.Proposals.mu.Unlock()
			if err != nil {
				t.Fatal(err)
			}
			if err := create.ended(); err != nil {
				t.Error(err)
			}
			var stale *StaleError
			if err := edit.ended(); (name == "rejected") != errors.As(err, &stale) {
				t.Errorf("the edit: %v", err)
			}
			if got := b.view("turn", "a.txt"); got != tt.sees || b.view("turn", "b.txt") != "b.txt" {
				t.Errorf("the turn sees %q", got)
			}
		})
	}
}
