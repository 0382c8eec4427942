package edits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// stageTogether stages batches that are all visible or refused before the first of them is stored,
// in their order.
func (b *fixture) stageTogether(ctxs []context.Context, batches ...Batch) (staged []*Proposal, errs []error) {
	staged, errs = make([]*Proposal, len(batches)), make([]error, len(batches))
	var calls sync.WaitGroup
	b.Proposals.mu.Lock()
	for i, batch := range batches {
		ctx := b.t.Context()
		if ctxs != nil {
			ctx = ctxs[i]
		}
		visible := make(chan struct{})
		see := sync.OnceFunc(func() { close(visible) })
		batch.Visible = see
		calls.Go(func() {
			defer see()
			staged[i], errs[i] = b.Staging.Stage(ctx, batch)
		})
		<-visible
	}
	b.Proposals.mu.Unlock()
	calls.Wait()
	return staged, errs
}

func (b *fixture) writes() int64 {
	n, _ := b.Proposals.db.Commits()
	return n
}

// creating returns a batch that creates a file.
func (b *fixture) creating(turn, name string) Batch {
	return Batch{RequestID: turn, Reason: "create " + name, Operations: []Operation{{Op: OpCreate, Path: b.path(name), Text: name}}}
}

func (b *fixture) deleting(turn, name string) Batch {
	return Batch{RequestID: turn, Operations: []Operation{{Op: OpDelete, Path: b.path(name)}}}
}

// TestBatchesThatWaitTogetherAreStoredOnce counts how often a growing proposal is stored and
// announced: once for each group of calls, not for each call.
func TestBatchesThatWaitTogetherAreStoredOnce(t *testing.T) {
	const groups, size = 5, 40
	b := newFixture(t, nil)
	before := b.writes()
	var last *Proposal
	for g := range groups {
		var batches []Batch
		for i := range size {
			batches = append(batches, b.creating("turn", fmt.Sprintf("%d-%d.txt", g, i)))
		}
		staged, errs := b.stageTogether(nil, batches...)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		for i, p := range staged {
			if got := b.pending(p, b.path(fmt.Sprintf("%d-%d.txt", g, i))); got == nil || got.Hunks[0].State != Staged {
				t.Fatalf("call %d of group %d returned a proposal without its file", i, g)
			}
		}
		last = staged[size-1]
		stored := b.get(last)
		if diff := cmp.Diff(last.Changes, stored.Changes); diff != "" || len(stored.Changes) != (g+1)*size {
			t.Fatalf("the stored proposal has %d changes, and differs from the last call's:\n%s", len(stored.Changes), diff)
		}
	}
	if n := b.writes() - before; n != groups || len(b.changes) != groups {
		t.Errorf("the proposal was stored %d times and announced %d times for %d groups of %d calls", n, len(b.changes), groups, size)
	}
	if p := b.apply(last, Selection{}); p.Status() != Verified || b.disk("4-39.txt") != "4-39.txt" {
		t.Errorf("the proposal is %s after it was applied", p.Status())
	}
}

// TestBatchesThatWaitTogetherAreRefusedOneByOne has batches of two turns wait together. Some of
// them can't be staged.
func TestBatchesThatWaitTogetherAreRefusedOneByOne(t *testing.T) {
	b := newFixture(t, map[string]string{"old.txt": "old\n"})
	edit := Batch{RequestID: "turn", Operations: []Operation{b.replaceOnce("turn", "old.txt", "old", "new")}}
	ended, end := context.WithCancel(t.Context())
	end()
	ctxs := []context.Context{t.Context(), t.Context(), t.Context(), ended, t.Context(), t.Context(), t.Context()}
	staged, errs := b.stageTogether(ctxs,
		b.creating("turn", "a.txt"), b.creating("turn", "a.txt"), edit, b.creating("turn", "cancelled.txt"),
		edit, b.creating("another turn", "b.txt"), b.creating("turn", "c.txt"))
	var refused *RefusedError
	var stale *StaleError
	if !errors.As(errs[1], &refused) || !errors.Is(errs[3], context.Canceled) || !errors.As(errs[4], &stale) {
		t.Errorf("errors %v", errs)
	}
	if err := errors.Join(errs[0], errs[2], errs[5], errs[6]); err != nil {
		t.Fatal(err)
	}
	for i, files := range map[int]int{0: 1, 2: 2, 5: 1, 6: 3} {
		if n := len(staged[i].Changes); n != files {
			t.Errorf("call %d returned a proposal of %d files; want %d", i, n, files)
		}
	}
	if p := b.get(staged[0]); len(p.Changes) != 3 || p.Reason != "create a.txt\ncreate c.txt" {
		t.Errorf("proposal %+v", p)
	}
	if p := b.get(staged[5]); p.ID == staged[0].ID || len(p.Changes) != 1 {
		t.Errorf("the other turn's proposal: %+v", p)
	}
}

// TestWaitingBatchesGoOnAfterAProposalThatEnds has a batch in the middle end the turn's proposal,
// by taking it back or by finding that it no longer fits.
func TestWaitingBatchesGoOnAfterAProposalThatEnds(t *testing.T) {
	t.Run("withdrawn", func(t *testing.T) {
		b := newFixture(t, nil)
		staged, errs := b.stageTogether(nil, b.creating("turn", "a.txt"), b.deleting("turn", "a.txt"), b.creating("turn", "b.txt"),
			b.creating("turn", "c.txt"))
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		var states []State
		for _, p := range staged {
			states = append(states, p.Status())
		}
		if diff := cmp.Diff([]State{Staged, Withdrawn, Staged, Staged}, states); diff != "" {
			t.Errorf("the calls returned: %s", diff)
		}
		first, second := b.get(staged[0]), b.get(staged[3])
		if first.Status() != Withdrawn || len(first.Changes) != 1 || second.Status() != Staged || len(second.Changes) != 2 {
			t.Errorf("stored %+v and %+v", first, second)
		}
		if diff := cmp.Diff([]State{Withdrawn, Staged}, b.changes); diff != "" {
			t.Errorf("OnChange: %s", diff)
		}
	})
	t.Run("stale", func(t *testing.T) {
		b := newFixture(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
		old := b.stage("turn", b.replaceOnce("turn", "a.txt", "one", "two"))
		b.write("a.txt", "ONE\n")
		staged, errs := b.stageTogether(nil, Batch{RequestID: "turn", Operations: []Operation{b.replaceOnce("turn", "b.txt", "b", "B")}},
			Batch{RequestID: "turn", Operations: []Operation{b.replaceOnce("turn", "a.txt", "ONE", "TWO")}}, b.creating("turn", "c.txt"))
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if staged[0].ID != old.ID || staged[1].ID == old.ID || staged[2].ID != staged[1].ID {
			t.Errorf("proposals %s, %s and %s; the first was %s", staged[0].ID, staged[1].ID, staged[2].ID, old.ID)
		}
		if first, second := b.get(staged[0]), b.get(staged[1]); first.Status() != Stale || len(first.Changes) != 2 || second.Status() != Staged ||
			len(second.Changes) != 2 {
			t.Errorf("stored %+v and %+v", first, second)
		}
	})
}

// full makes each write of a proposal fail until the returned function is called.
func (b *fixture) full() (end func()) {
	b.t.Helper()
	execute := func(statement string) {
		b.t.Helper()
		if err := b.Proposals.db.Write(b.t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
			b.t.Fatal(err)
		}
	}
	execute(`CREATE TRIGGER full_insert BEFORE INSERT ON proposals BEGIN SELECT raise(ABORT, 'the disk is full'); END;
		CREATE TRIGGER full_update BEFORE UPDATE ON proposals BEGIN SELECT raise(ABORT, 'the disk is full'); END`)
	return func() { execute(`DROP TRIGGER full_insert; DROP TRIGGER full_update`) }
}

// TestWaitingBatchesThatCannotBeStoredFail refuses the write that would store a group. Every call
// has to learn of it, and nothing of the group may show up later.
func TestWaitingBatchesThatCannotBeStoredFail(t *testing.T) {
	b := newFixture(t, nil)
	end := b.full()
	_, errs := b.stageTogether(nil, b.creating("turn", "a.txt"), b.creating("turn", "a.txt"), b.creating("turn", "b.txt"))
	for i, err := range errs {
		if err == nil {
			t.Errorf("call %d returned no error", i)
		}
	}
	end()
	if p := b.stage("turn", b.creating("turn", "c.txt").Operations...); len(p.Changes) != 1 || len(b.changes) != 1 {
		t.Errorf("after the failure the proposal has %d files, and %d changes were announced; want 1 and 1", len(p.Changes), len(b.changes))
	}
}

// TestAProposalThatCouldNotBeStoredAsStaleStaysStaged changes a file while the disk is full, and
// changes it back.
func TestAProposalThatCouldNotBeStoredAsStaleStaysStaged(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "one", "two"))
	b.write("a.txt", "ONE\n")
	edit := Batch{RequestID: "turn", Operations: []Operation{b.replaceOnce("turn", "a.txt", "ONE", "TWO")}}
	end := b.full()
	if _, err := b.Staging.Stage(t.Context(), edit); err == nil {
		t.Error("a batch was staged on a full disk")
	}
	end()
	b.write("a.txt", "one\n")
	if got := b.view("turn", "a.txt"); got != "two\n" {
		t.Errorf("the turn sees %q", got)
	}
	if q := b.stage("turn", b.creating("turn", "b.txt").Operations...); q.ID != p.ID {
		t.Error("the turn began a second proposal")
	}
}

// TestWaitingBatchesOfACancelledTurnAreNotStored cancels all calls while the group waits for the
// database.
func TestWaitingBatchesOfACancelledTurnAreNotStored(t *testing.T) {
	b := newFixture(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	err := b.Proposals.db.Write(t.Context(), func(*sql.Tx) error {
		for _, name := range []string{"a.txt", "b.txt"} {
			calls.Go(func() {
				if _, err := b.Staging.Stage(ctx, b.creating("turn", name)); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		cancel()
		calls.Wait() // they return while somebody else writes
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if ps, err := b.Proposals.List(t.Context(), ""); err != nil || len(ps) > 0 {
		t.Errorf("%d proposals, %v", len(ps), err)
	}
}

// TestBatchesOfSeveralProcessesAllArrive stages from two managers of one database at once. Each
// file must be in exactly one proposal, whoever stored last.
func TestBatchesOfSeveralProcessesAllArrive(t *testing.T) {
	const each = 60
	b := newFixture(t, nil)
	managers := []*Manager{b.Manager, New(b.Proposals.db, b.ws, Options{})}
	var calls sync.WaitGroup
	for i, m := range managers {
		for j := range each {
			calls.Go(func() {
				if _, err := m.Staging.Stage(t.Context(), b.creating("turn", fmt.Sprintf("%d-%d.txt", i, j))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	calls.Wait()
	ps, err := b.Staging.StagedIn(t.Context(), "turn")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	for _, p := range ps {
		for _, c := range p.Changes {
			files[c.Path]++
		}
	}
	for i := range managers {
		for j := range each {
			if path := b.path(fmt.Sprintf("%d-%d.txt", i, j)); files[path] != 1 {
				t.Errorf("%s is in %d proposals", path, files[path])
			}
		}
	}
}

// TestAGroupIsStoredWhileAnyCallWaits ends the contexts of a group's calls one by one.
func TestAGroupIsStoredWhileAnyCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, endFirst := context.WithCancel(t.Context())
		second, endSecond := context.WithCancel(t.Context())
		ctx, stop := whileAnyWaits([]*waitingBatch{{ctx: first}, {ctx: second}})
		defer stop()
		endFirst()
		synctest.Wait()
		if err := ctx.Err(); err != nil {
			t.Errorf("one call waits, but the group's context has ended: %v", err)
		}
		endSecond()
		synctest.Wait()
		if ctx.Err() == nil {
			t.Error("no call waits, but the group's context goes on")
		}
	})
}
