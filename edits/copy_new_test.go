package edits

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/testbed"
)

// withoutLinks runs a test on disks without hard links: one that has lost them, and an exFAT disk.
func withoutLinks(t *testing.T, test func(t *testing.T, newFixture func(files map[string]string) *fixture)) {
	for name, dirOf := range map[string]func(t *testing.T) string{
		"lost": func(t *testing.T) string {
			loseLinks(t)
			return t.TempDir()
		},
		"exFAT": func(t *testing.T) string { return testbed.FoldingDisk(t) },
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(files map[string]string) *fixture { return newFixtureIn(t, dirOf(t), files) })
		})
	}
}

const noLinksVariable = "PLOKE_EDITS_NO_LINKS" // set for the processes that a test starts on a disk without hard links

// loseLinks lets each hard link of the test fail, as on a disk without them. The system still looks
// first whether somebody has the name.
func loseLinks(t *testing.T) {
	had := rooted.HardLink
	rooted.HardLink = noHardLink
	t.Setenv(noLinksVariable, "1")
	t.Cleanup(func() { rooted.HardLink = had })
}

func noHardLink(r *os.Root, _, to string) error {
	if _, err := r.Lstat(to); err == nil {
		return os.ErrExist
	}
	return &os.LinkError{Op: "linkat", New: to, Err: syscall.EPERM}
}

// TestWithoutHardLinks makes a change of each kind, undoes it and makes it again.
func TestWithoutHardLinks(t *testing.T) {
	withoutLinks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		b := newFixture(everythingFiles())
		p := stageEverything(b)
		old := b.tree()
		p = b.apply(p, Selection{})
		new := b.tree()
		if b.disk("new/deep/n.txt") != "new\n" || !strings.HasPrefix(b.disk("new/moved.txt"), "one\n") || b.exists("m.txt") || b.exists("z.txt") {
			t.Errorf("accepted: the folder is\n%s", new)
		}
		p = b.undo(p)
		if got := b.tree(); got != old {
			t.Errorf("undone: the folder was\n%s\nand is\n%s", old, got)
		}
		if b.redo(p); b.tree() != new {
			t.Errorf("redone: the folder was\n%s\nand is\n%s", new, b.tree())
		}
		b.checkNothingLeft()
	})
}

// TestNothingIsReplacedWithoutHardLinks lets another program make the file at the last moments:
// before and after the last check, and when the disk has refused a hard link. It has the text that
// the plan gives it, the beginning of this text, no text, and another one.
func TestNothingIsReplacedWithoutHardLinks(t *testing.T) {
	withoutLinks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		for _, moment := range []string{"before the check", "after the check", "no link"} {
			for _, theirs := range []string{"mine\n", "mi", "", "another"} {
				b := newFixture(map[string]string{"a.txt": "a\n", "y.txt": "y\n"})
				b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
				b.stage("turn", Operation{Op: OpRename, Path: "y.txt", To: "moved.txt"})
				plan := b.accept(b.stage("turn", Operation{Op: OpCreate, Path: "z.txt", Text: "mine\n"}), Selection{})
				b.writer.onReplace = func(file rooted.Path, checked bool) {
					if file.Name == "z.txt" && (moment == "after the check") == checked && moment != "no link" {
						b.write("z.txt", theirs)
					}
				}
				had := rooted.HardLink
				rooted.HardLink = func(r *os.Root, from, to string) error {
					err := had(r, from, to)
					if moment == "no link" && to == "z.txt" {
						b.write("z.txt", theirs)
					}
					return err
				}
				err := b.WriteToDisk(t.Context(), plan)
				rooted.HardLink = had
				var stale *StaleError
				if !errors.Is(err, os.ErrExist) && !errors.As(err, &stale) {
					t.Errorf("WriteToDisk: %v", err)
				}
				b.checkNothingLeft()
				if b.disk("a.txt") != "a\n" || b.disk("y.txt") != "y\n" || b.exists("moved.txt") || b.disk("z.txt") != theirs {
					t.Errorf("%q, %s: the folder is\n%s", theirs, moment, b.tree())
				}
			}
		}
	})
}

// TestACopyThatIsNotComplete ends the program while it copies a file into its place: when it
// makes, renames and deletes a file, and when it takes that back.
func TestACopyThatIsNotComplete(t *testing.T) {
	withoutLinks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		for _, part := range []func(whole string) string{
			func(string) string { return "" },
			func(whole string) string { return whole[:1] },
			func(whole string) string { return strings.Repeat("\x00", len(whole)) },
			func(whole string) string { return whole },
		} {
			for step := range 3 { // edit, create, rename; or create, rename, edit to take that back
				b := newFixture(everythingFiles())
				p := stageEverything(b)
				plan := b.accept(p, Selection{})
				old := b.tree()
				b.crashInCopy(plan, step, part)
				b.recoverAndCheck(p, committing, old, Failed, Verified)
				new := b.tree()
				plan, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
				if err != nil {
					t.Fatal(err)
				}
				b.crashInCopy(plan, step, part)
				b.recoverAndCheck(p, committing, new, Verified, Undone)
				if got := b.tree(); got != old {
					t.Errorf("undone: the folder was\n%s\nand is\n%s", old, got)
				}
			}
		}
	})
}

// crashInCopy carries a plan out like a process that is killed after some steps, while it copies
// what the next one needs.
func (b *fixture) crashInCopy(plan *Plan, steps int, part func(whole string) string) {
	b.t.Helper()
	w, err := b.writer.newTransaction(b.t.Context(), plan)
	if err != nil {
		b.t.Fatal(err)
	}
	defer w.roots.Close()
	err = errors.Join(b.journal.insertEntry(b.t.Context(), w), w.prepare(), b.journal.beginCommit(b.t.Context(), w))
	for _, s := range w.records[:steps] {
		err = errors.Join(err, w.carryOut(s, func() error { return s.redo(w.roots, diskOld) }))
	}
	if s := w.records[steps]; s.Op == OpCreate || s.Op == OpRename {
		whole, readErr := w.roots.Read(s.After)
		err = errors.Join(err, readErr, w.carryOut(s, func() error {
			if s.Copying == (rooted.Path{}) {
				return s.redo(w.roots, diskOld)
			}
			b.write(s.Copying.Name, part(string(whole)))
			return nil
		}))
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestWhatAnotherProgramMadeAfterACrash has a file that is no incomplete copy, where one could be.
func TestWhatAnotherProgramMadeAfterACrash(t *testing.T) {
	withoutLinks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		b := newFixture(everythingFiles())
		p := stageEverything(b)
		b.crashInCopy(b.accept(p, Selection{}), 1, func(string) string { return "theirs\n" })
		b.start()
		if err := b.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.checkNothingLeft()
		if got := b.get(p).Status(); got != Failed || b.disk("new/deep/n.txt") != "theirs\n" || b.exists("new/moved.txt") ||
			b.disk("z.txt") != "z\n" {
			t.Errorf("it is %s, and the folder is\n%s", got, b.tree())
		}
	})
}

// TestKillWithoutHardLinks kills a process at random points, half of them just after it has begun
// to make a file. After the next start, all files are old or all are new.
func TestKillWithoutHardLinks(t *testing.T) {
	made := map[State]string{Undone: "f01.txt", Verified: "f18.txt"}
	withoutLinks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		b := newFixture(nil)
		p := stageTwentyFiles(b, "")
		texts := map[State]string{Undone: b.tree()}
		p = b.apply(p, Selection{})
		texts[Verified] = b.tree()
		r := rand.New(rand.NewPCG(6, 0))
		torn, within := 0, time.Second
		for i := range testbed.Count(10, 4) {
			after, first := time.Duration(r.Int64N(int64(within))), ""
			if i%2 == 1 {
				after, first = time.Duration(r.Int64N(int64(replacing))), made[p.Status()]
			}
			if _, took := b.kill(p, first, after); took > 0 {
				within = took * 5 / 4
			}
			torn += b.countTorn()
			b.start()
			if err := b.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			p = b.get(p)
			if got := b.tree(); got != texts[p.Status()] {
				t.Fatalf("after %d kills the proposal is %s, and the folder is\n%s", i+1, p.Status(), got)
			}
		}
		t.Logf("%d files were incomplete", torn)
	})
}

// countTorn returns how many incomplete copies the journal and the disk have.
func (b *fixture) countTorn() (count int) {
	b.t.Helper()
	entries, err := b.journal.entries(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	roots := rooted.Roots{}
	defer roots.Close()
	for _, e := range entries {
		for _, s := range e.Steps {
			torn := false
			if s.Copying == s.target() {
				torn, err = roots.IsTorn(s.Copying, s.After)
			} else if s.Copying != (rooted.Path{}) {
				torn, err = roots.IsTorn(s.Copying, s.Before)
			}
			if err != nil {
				b.t.Fatal(err)
			}
			if torn {
				count++
			}
		}
	}
	return count
}
