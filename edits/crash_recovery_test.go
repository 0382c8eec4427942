package edits

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
)

// stageEverything stages one change of each kind.
func stageEverything(b *fixture) *Proposal {
	b.stage("turn", b.replaceOnce("turn", "a.txt", "5", "five"))
	b.stage("turn", Operation{Op: OpCreate, Path: "new/deep/n.txt", Text: "new\n"})
	b.stage("turn", Operation{Op: OpRename, Path: "m.txt", To: "new/moved.txt"})
	b.stage("turn", b.replaceOnce("turn", "new/moved.txt", "1", "one"))
	return b.stage("turn", Operation{Op: OpDelete, Path: "z.txt"})
}

func everythingFiles() map[string]string {
	return map[string]string{"a.txt": "\xef\xbb\xbf" + lines, "m.txt": lines, "z.txt": "z\n", "bystander.txt": "x\n"}
}

// crashAt carries the plan out up to a point, like a process that is killed there: it has
// completed the first steps, and half of the next one.
func (b *fixture) crashAt(plan *Plan, upTo phase, steps int, half bool) {
	b.t.Helper()
	w, err := b.writer.newTransaction(b.t.Context(), plan)
	if err != nil {
		b.t.Fatal(err)
	}
	defer w.roots.Close()
	do := func(err error) {
		if err != nil {
			b.t.Fatal(err)
		}
	}
	do(b.journal.insertEntry(b.t.Context(), w))
	if upTo == preparing && !half {
		return
	}
	do(w.prepare())
	if upTo == preparing {
		return
	}
	do(b.journal.beginCommit(b.t.Context(), w))
	for _, s := range w.records[:steps] {
		do(s.redo(w.roots, diskOld))
	}
	if half { // of a rename
		do(w.roots.Link(w.records[steps].After, w.records[steps].To))
	}
	if upTo == written {
		do(b.journal.setPhase(b.t.Context(), w.id, written))
	}
}

// TestRecover interrupts an accept, an undo and a redo at each of their points, and starts
// again.
func TestRecover(t *testing.T) {
	type point struct {
		upTo  phase
		steps int
		half  bool
	}
	points := []point{{preparing, 0, false}, {preparing, 0, true}, {written, 4, false}}
	for steps := range 5 {
		points = append(points, point{committing, steps, false})
	}
	points = append(points, point{committing, 2, true})
	for i, at := range append(points, points...) {
		cleaned := i < len(points) // another program removes the temporary files
		t.Run(fmt.Sprintf("%s, %d steps, half %v, cleaned %v", at.upTo, at.steps, at.half, cleaned), func(t *testing.T) {
			b := newFixture(t, everythingFiles())
			p := stageEverything(b)
			old := b.tree()
			b.crashAt(b.accept(p, Selection{}), at.upTo, at.steps, at.half)
			if cleaned {
				b.removeTemporary()
			}
			b.recoverAndCheck(p, at.upTo, old, Failed, Verified)
			if at.upTo == preparing {
				b.apply(b.get(p), Selection{})
			}
			new := b.tree()
			plan, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
			if err != nil {
				t.Fatal(err)
			}
			if at.half && at.upTo == committing {
				at.steps = 1 // an undo goes from the last record to the first; the rename is the second
			}
			b.crashAt(plan, at.upTo, at.steps, at.half)
			if cleaned {
				b.removeTemporary()
			}
			b.recoverAndCheck(p, at.upTo, new, Verified, Undone)
			if at.upTo != preparing && b.tree() != old {
				t.Errorf("undone: the folder was\n%s\nand is\n%s", old, b.tree())
			}
		})
	}
}

// removeTemporary removes the temporary files.
func (b *fixture) removeTemporary() {
	b.t.Helper()
	for _, name := range b.leftovers() {
		if err := os.Remove(name); err != nil {
			b.t.Fatal(err)
		}
	}
}

// recoverAndCheck starts again, and checks that all or nothing was done.
func (b *fixture) recoverAndCheck(p *Proposal, upTo phase, old string, failed, done State) {
	b.t.Helper()
	b.start()
	if err := b.Recover(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if names := b.leftovers(); len(names) > 0 {
		b.t.Errorf("left over: %v", names)
	}
	if entries, err := b.journal.entries(b.t.Context()); err != nil || len(entries) > 0 {
		b.t.Errorf("%d entries are left in the journal, %v", len(entries), err)
	}
	status, got := b.get(p).Status(), b.tree()
	if upTo == preparing && (status != failed || got != old) || upTo != preparing && (status != done || got == old) {
		b.t.Errorf("%s; the folder was\n%s\nand is\n%s", status, old, got)
	}
}

// TestRecoverLeavesWhatSomebodyChanged lets a person edit a file after an accept was
// interrupted. That file stays as it is, and all others are rolled back.
func TestRecoverLeavesWhatSomebodyChanged(t *testing.T) {
	b := newFixture(t, everythingFiles())
	p := stageEverything(b)
	old := b.tree()
	b.crashAt(b.accept(p, Selection{}), committing, 3, false)
	b.removeTemporary()
	b.write("z.txt", "typed\n")
	b.start()
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.tree(); got != strings.Replace(old, "z.txt: z\n", "z.txt: typed\n", 1) {
		t.Errorf("the folder was\n%s\nand is\n%s", old, got)
	}
	if status := b.get(p).Status(); status != Failed {
		t.Errorf("status %s", status)
	}
}

// TestRecoverLeavesALiveWriterAlone recovers in one process while another one writes.
func TestRecoverLeavesALiveWriterAlone(t *testing.T) {
	b := newFixture(t, everythingFiles())
	p := stageEverything(b)
	lock, err := b.writer.lockDisk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.crashAt(b.accept(p, Selection{}), committing, 2, false)
	half := b.tree()
	writer := b.Manager
	b.Manager = nil
	b.start()
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.tree(); got != half {
		t.Errorf("a file that another process writes was touched: the folder was\n%s\nand is\n%s", half, got)
	}
	lock.Close()
	if err := writer.Proposals.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Recover(t.Context()); err != nil || b.get(p).Status() != Verified {
		t.Errorf("when it is gone: %s, %v", b.get(p).Status(), err)
	}
}

// TestTheNextWriterRecovers interrupts one accept and then makes another one.
func TestTheNextWriterRecovers(t *testing.T) {
	b := newFixture(t, everythingFiles())
	p := stageEverything(b)
	q := b.stage("another", b.replaceOnce("another", "bystander.txt", "x", "y"))
	b.crashAt(b.accept(p, Selection{}), committing, 2, false)
	b.start()
	b.apply(q, Selection{})
	if p = b.get(p); p.Status() != Verified || b.disk("bystander.txt") != "y\n" || b.exists("z.txt") {
		t.Errorf("%s\n%s", p.Status(), b.tree())
	}
	if _, err := os.Stat(b.path("new/deep/n.txt")); err != nil {
		t.Error(err)
	}
}

// TestStuckWriting deletes a text that an interrupted accept needs. Only plans for the same
// files are blocked by that.
func TestStuckWriting(t *testing.T) {
	b := newFixture(t, everythingFiles())
	q := b.stage("another", b.replaceOnce("another", "bystander.txt", "x", "y"))
	b.crashAt(b.accept(stageEverything(b), Selection{}), committing, 2, false)
	half := b.tree()
	err := b.Proposals.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`DELETE FROM blobs WHERE hash = ?`, workspace.Hash([]byte("z\n")))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.start()
	for range 2 {
		if err := b.Recover(t.Context()); err == nil || !strings.Contains(err.Error(), "can't be finished") {
			t.Errorf("Recover: %v", err)
		}
		q = b.apply(q, Selection{})
		if q.Status() != Verified || strings.Replace(b.tree(), "y\n", "x\n", 1) != half {
			t.Errorf("%s\n%s", q.Status(), b.tree())
		}
		q = b.undo(q)
		q = b.stage("third", b.replaceOnce("third", "bystander.txt", "x", "y"))
	}
	for _, op := range []Operation{ // the accept renames m.txt to new/moved.txt
		{Op: OpDelete, Path: "m.txt"},
		{Op: OpCreate, Path: "new/moved.txt", Text: "new\n"},
		{Op: OpRename, Path: "bystander.txt", To: "new/moved.txt"},
	} {
		r := b.stage(fmt.Sprint(op), op)
		if err := b.WriteToDisk(t.Context(), b.accept(r, Selection{})); err == nil || !strings.Contains(err.Error(), "can't be finished") {
			t.Errorf("%s of one of its files: %v", op.Op, err)
		}
	}
}

// TestAcceptedByAProgramThatIsGone ends the program while an editor applies what was accepted.
// The editor may have done so or not.
func TestAcceptedByAProgramThatIsGone(t *testing.T) {
	const want = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
	all := func(b *fixture) {
		b.write("a.txt", "\xef\xbb\xbf"+want)
		b.write("new/deep/n.txt", "new\n")
		b.write("new/moved.txt", strings.Replace(lines, "1", "one", 1))
		os.Remove(b.path("m.txt"))
		os.Remove(b.path("z.txt"))
	}
	for name, tt := range map[string]struct {
		done   func(b *fixture)
		want   State
		states map[string]State // by file, where they differ
	}{
		"nothing done":                  {func(*fixture) {}, Failed, nil},
		"all done":                      {all, Verified, nil},
		"all done, and typed elsewhere": {func(b *fixture) { all(b); b.write("a.txt", "0\n"+want+"10\n") }, Verified, nil},
		"one done":                      {func(b *fixture) { b.write("a.txt", want) }, Partial, map[string]State{"a.txt": Verified, "z.txt": Failed}},
		"all done, and one changed": {func(b *fixture) { all(b); b.write("a.txt", strings.Replace(want, "five", "5 or so", 1)) },
			Partial, map[string]State{"a.txt": Failed, "z.txt": Verified}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, everythingFiles())
			p := stageEverything(b)
			b.accept(p, Selection{})
			tt.done(b)
			b.start()
			if err := b.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			p = b.get(p)
			if p.Status() != tt.want || (tt.want == Verified) != (p.DecisionReason == "") {
				t.Errorf("it is %s, because %q; want %s", p.Status(), p.DecisionReason, tt.want)
			}
			for _, c := range p.Changes {
				if want, ok := tt.states[b.ws.Rel(c.Path)]; ok && c.Hunks[0].State != want {
					t.Errorf("%s is %s; want %s", c.Path, c.Hunks[0].State, want)
				}
			}
			if tt.want == Failed {
				p = b.apply(p, Selection{}) // it can be accepted again
			}
			if tt.want != Partial {
				b.undo(p)
			}
		})
	}
}
