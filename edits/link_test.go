package edits

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ploke-lsp/edits/rooted"
)

func newLinkFixture(t *testing.T, target string) *fixture {
	t.Helper()
	b := newFixture(t, map[string]string{"real.txt": lines, "a.txt": "a\n"})
	if err := os.Symlink(target, b.path("link.txt")); err != nil {
		t.Fatal(err)
	}
	return b
}

// leadsTo checks where the link leads, "" if it shall be gone, and that its target is untouched.
func (b *fixture) leadsTo(target string) {
	b.t.Helper()
	got, err := os.Readlink(b.path("link.txt"))
	if got != target || (err == nil) != (target != "") || b.disk("real.txt") != lines {
		b.t.Errorf("the link leads to %q, %v; want %q\n%s", got, err, target, b.tree())
	}
	b.checkNothingLeft()
}

// TestDeletingALinkDeletesTheLink deletes links to a file, to a folder and to nothing, and undoes
// it.
func TestDeletingALinkDeletesTheLink(t *testing.T) {
	for _, target := range []string{"real.txt", "./real.txt", ".", "nowhere"} {
		t.Run(target, func(t *testing.T) {
			b := newLinkFixture(t, target)
			b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
			p := b.stage("turn", Operation{Op: OpDelete, Path: "link.txt"})
			b.leadsTo(target)
			if !b.isGone("turn", "link.txt") || b.view("turn", "real.txt") != lines {
				t.Error("the turn still sees the link, or not its target")
			}
			p = b.apply(p, Selection{})
			if b.leadsTo(""); p.Status() != Verified {
				t.Errorf("accepted: %s", p.Status())
			}
			b.start()
			p = b.undo(p)
			if b.leadsTo(target); p.Status() != Undone {
				t.Errorf("undone: %s", p.Status())
			}
			b.redo(p)
			b.leadsTo("")
		})
	}
}

// TestALinkThatChangedIsNotDeleted changes a link, or what has its name, at several moments.
func TestALinkThatChangedIsNotDeleted(t *testing.T) {
	relink := func(b *fixture) {
		if err := errors.Join(os.Remove(b.path("link.txt")), os.Symlink("a.txt", b.path("link.txt"))); err != nil {
			b.t.Fatal(err)
		}
	}
	file := func(b *fixture) { os.Remove(b.path("link.txt")); b.write("link.txt", "real.txt") }
	for name, change := range map[string]func(b *fixture){"leads elsewhere": relink, "is a file": file} {
		for _, moment := range []string{"staged", "accepted", "checked"} {
			t.Run(name+" once "+moment, func(t *testing.T) {
				b := newLinkFixture(t, "real.txt")
				p := b.stage("turn", Operation{Op: OpDelete, Path: "link.txt"})
				var stale *StaleError
				if moment == "staged" {
					change(b)
					if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) {
						t.Errorf("Accept: %v", err)
					}
				} else {
					plan := b.accept(p, Selection{})
					b.writer.onReplace = func(_ rooted.Path, checked bool) {
						if moment == "checked" && !checked {
							change(b)
						}
					}
					if moment == "accepted" {
						change(b)
					}
					err := b.WriteToDisk(t.Context(), plan)
					if !errors.As(err, &stale) {
						t.Errorf("WriteToDisk: %v", err)
					}
					b.settle(plan, Outcome{Reason: fmt.Sprint(err)})
				}
				if !b.exists("link.txt") || b.disk("real.txt") != lines {
					t.Errorf("the folder is\n%s", b.tree())
				}
				b.checkNothingLeft()
			})
		}
	}
}

// TestALinkIsFollowedOrRefused edits through a link inside of the workspace, and does what is not
// possible with links.
func TestALinkIsFollowedOrRefused(t *testing.T) {
	b := newLinkFixture(t, "real.txt")
	b.refused("link.txt is a symbolic link to real.txt", Operation{Op: OpRename, Path: "link.txt", To: "b.txt"})
	p := b.apply(b.stage("turn", b.replaceOnce("turn", "link.txt", "2", "two")), Selection{})
	if target, _ := os.Readlink(b.path("link.txt")); target != "real.txt" || b.disk("real.txt") != strings.Replace(lines, "2", "two", 1) {
		t.Errorf("edited: the folder is\n%s", b.tree())
	}
	b.undo(p)
	b.leadsTo("real.txt")
	b = newLinkFixture(t, "/etc/passwd")
	for _, op := range []Op{OpEdit, OpDelete, OpRename} {
		if _, err := b.Staging.Stage(t.Context(), Batch{Operations: []Operation{{Op: op, Path: "link.txt"}}}); err == nil || !strings.Contains(err.Error(), "outside the workspace") {
			t.Errorf("%s through a link that leads away: %v", op, err)
		}
	}
	b = newLinkFixture(t, "real.txt")
	b.write(".gitignore", "link.txt\n")
	b.start()
	if _, err := b.Staging.Stage(t.Context(), Batch{Operations: []Operation{{Op: OpDelete, Path: "link.txt"}}}); err == nil || !strings.Contains(err.Error(), "ignore rules") {
		t.Errorf("deleting an ignored link: %v", err)
	}
}

// TestACrashWhileALinkIsDeleted interrupts the deletion of a link and its undo.
func TestACrashWhileALinkIsDeleted(t *testing.T) {
	for steps := range 3 {
		for _, tidied := range []bool{false, true} {
			b := newLinkFixture(t, "real.txt")
			b.stage("turn", Operation{Op: OpDelete, Path: "link.txt"})
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
			crash := func(plan *Plan, want string) {
				b.crashAt(plan, committing, steps, false)
				if tidied {
					b.removeTemporary()
				}
				b.start()
				if err := b.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.leadsTo(want)
			}
			crash(b.accept(p, Selection{}), "")
			plan, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
			if err != nil {
				t.Fatal(err)
			}
			crash(plan, "real.txt")
		}
	}
}
