package edits

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// checkTally compares what is known of a staged proposal with its changes, and the proposal with what is stored of it.
func (b *fixture) checkTally(p *Proposal, names []string) {
	b.t.Helper()
	stored := b.get(p)
	if diff := cmp.Diff(stored.Changes, p.Changes); diff != "" {
		b.t.Fatalf("the stored changes differ from those of the proposal:\n%s", diff)
	}
	if diff := cmp.Diff(stored.hunkStates(), p.hunkStates()); diff != "" {
		b.t.Fatalf("states of the hunks:\n%s", diff)
	}
	if stored.Status() != p.Status() || stored.waits() != p.waits() {
		b.t.Fatalf("the stored proposal is %s, and not %s", stored.Status(), p.Status())
	}
	for _, name := range names {
		path := b.path(name)
		if diff := cmp.Diff(b.pending(stored, path), b.pending(p, path)); diff != "" {
			b.t.Fatalf("the change of %s that waits:\n%s", name, diff)
		}
		if diff := cmp.Diff(stored.ChangesOf(path, b.path("a.txt")), p.ChangesOf(path, b.path("a.txt")), cmpopts.EquateEmpty()); diff != "" {
			b.t.Fatalf("the changes of %s:\n%s", name, diff)
		}
	}
}

// TestWhatIsKnownOfAProposalIsWhatItHas stages random operations, in one turn after another, with decisions of a person
// and other programs between them.
func TestWhatIsKnownOfAProposalIsWhatItHas(t *testing.T) {
	names := []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.txt"}
	for seed := range uint64(20) {
		r, b := newRandom(seed), newFixture(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
		turn, tallied := "turn", 0
		var last *Proposal
		for i := range 40 {
			if i%13 == 12 {
				turn = fmt.Sprint("turn ", i)
			}
			operation := func(name string) Operation {
				switch r.IntN(5) {
				case 0, 1:
					return Operation{Op: OpCreate, Path: b.path(name), Text: r.line()}
				case 2:
					return Operation{Op: OpDelete, Path: b.path(name)}
				case 3:
					return Operation{Op: OpRename, Path: b.path(name), To: b.path(pick(r, names...))}
				}
				f, err := b.Staging.View(Turn{ID: turn}).Read(t.Context(), b.path(name))
				if err != nil {
					return Operation{Op: OpCreate, Path: b.path(name), Text: r.line()}
				}
				return Operation{Op: OpEdit, Path: b.path(name), BaseHash: f.Hash, Edits: []Edit{{0, 0, r.line() + "\n"}}}
			}
			picked := slices.Clone(names)
			r.Shuffle(len(picked), func(i, j int) { picked[i], picked[j] = picked[j], picked[i] })
			batch := Batch{RequestID: turn, Earlier: earlierOf(last), Operations: []Operation{operation(picked[0])}}
			if r.IntN(2) == 0 {
				batch.Operations = append(batch.Operations, operation(picked[1]))
			}
			var before []*Change
			if last != nil {
				before = last.clone().Changes
			}
			p, err := b.Staging.Stage(t.Context(), batch)
			if last != nil && !cmp.Equal(before, last.Changes) {
				t.Fatalf("a proposal that is shared was modified:\n%s", cmp.Diff(before, last.Changes))
			}
			if refused := new(RefusedError); errors.As(err, &refused) || errors.As(err, new(*StaleError)) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			last = p
			b.checkTally(p, names)
			if p.counts != nil && len(p.Changes) > 1 {
				tallied++
			}
			switch r.IntN(8) {
			case 0: // the rest waits on
				at := slices.IndexFunc(p.Changes, func(c *Change) bool { return c.Hunks[0].State == Staged })
				if at < 0 {
					continue
				}
				if _, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: []string{p.Changes[at].Hunks[0].ID}}), "no"); err != nil {
					t.Fatal(err)
				}
			case 1:
				b.write("b.txt", r.line()) // may make a change stale
			case 2: // another process
				b.exec(`UPDATE proposals SET updated_at = updated_at + 1`)
			case 3:
				b.start()
			}
		}
		if tallied < 5 {
			t.Errorf("with seed %d only %d proposals of several changes were compared", seed, tallied)
		}
	}
}

func earlierOf(p *Proposal) string {
	if p == nil {
		return ""
	}
	return p.ID
}

// exec changes the database as another process would.
func (b *fixture) exec(statement string, args ...any) {
	b.t.Helper()
	err := b.Proposals.db.Write(b.t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(statement, args...)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestACallStoresOnlyItsChange makes what is stored of the earlier changes unreadable: a later call must not write it again.
func TestACallStoresOnlyItsChange(t *testing.T) {
	b := newFixture(t, nil)
	for i := range 3 {
		if _, err := b.Staging.Stage(t.Context(), b.creating("turn", fmt.Sprint(i, ".txt"))); err != nil {
			t.Fatal(err)
		}
	}
	b.exec(`UPDATE proposal_changes SET change = 'as it was' WHERE position <> 1`)
	edited := Batch{RequestID: "turn", Operations: []Operation{b.replaceOnce("turn", "1.txt", "1", "new")}}
	if _, err := b.Staging.Stage(t.Context(), edited); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Staging.Stage(t.Context(), b.creating("turn", "3.txt")); err != nil {
		t.Fatal(err)
	}
	rows, err := b.Proposals.db.Read().Query(`SELECT position, change = 'as it was' FROM proposal_changes`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	left := map[int]bool{}
	for rows.Next() {
		var position int
		var same bool
		if err := rows.Scan(&position, &same); err != nil {
			t.Fatal(err)
		}
		left[position] = same
	}
	if want := map[int]bool{0: true, 1: false, 2: true, 3: false}; !maps.Equal(left, want) {
		t.Errorf("rows that were left as they were: %v", left)
	}
}
