package edits

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// onDisks runs a test on disks that ignore the case of names, one for which that is assumed and
// one that is such a disk, and on Linux also on one that does not.
func onDisks(t *testing.T, test func(t *testing.T, newFixture func(files map[string]string) *fixture)) {
	for name, dirOf := range map[string]func(t *testing.T) string{
		"assumed": func(t *testing.T) string {
			dir := t.TempDir()
			workspace.Assume(dir, workspace.NameRules{Folds: true})
			return dir
		},
		"exFAT":     func(t *testing.T) string { return testbed.FoldingDisk(t) },
		"sensitive": func(t *testing.T) string { return t.TempDir() },
	} {
		if name == "sensitive" && runtime.GOOS != "linux" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			test(t, func(files map[string]string) *fixture {
				dir, err := filepath.EvalSymlinks(dirOf(t))
				if err != nil {
					t.Fatal(err)
				}
				b := &fixture{t: t, dir: dir, db: filepath.Join(t.TempDir(), "state.db")}
				b.write("other.txt", "another file\n")
				for name, text := range files {
					b.write(name, text)
				}
				b.start()
				return b
			})
		})
	}
}

// spelled returns the names in the folder, without the other file.
func (b *fixture) spelled() string {
	b.t.Helper()
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "other.txt" {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestRenamingInCaseAlone renames a file to the same name in another case, with and without edits,
// which are made before and after.
func TestRenamingInCaseAlone(t *testing.T) {
	onDisks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		rename := Operation{Op: OpRename, Path: "Foo.txt", To: "foo.txt"}
		for name, steps := range map[string]func(b *fixture) (p *Proposal, text string){
			"alone": func(b *fixture) (*Proposal, string) { return b.stage("turn", rename), lines },
			"then edited": func(b *fixture) (*Proposal, string) {
				b.stage("turn", rename)
				return b.stage("turn", b.replaceOnce("turn", "foo.txt", "5\n", "five\n")), strings.Replace(lines, "5", "five", 1)
			},
			"edited before": func(b *fixture) (*Proposal, string) {
				b.stage("turn", b.replaceOnce("turn", "Foo.txt", "5\n", "five\n"))
				return b.stage("turn", rename), strings.Replace(lines, "5", "five", 1)
			},
			"by way of another name": func(b *fixture) (*Proposal, string) {
				b.stage("turn", Operation{Op: OpRename, Path: "Foo.txt", To: "bar.txt"})
				return b.stage("turn", Operation{Op: OpRename, Path: "bar.txt", To: "foo.txt"}), lines
			},
		} {
			b := newFixture(map[string]string{"Foo.txt": lines})
			p, text := steps(b)
			if got := b.view("turn", "foo.txt"); got != text {
				t.Errorf("%s: the turn sees %q", name, got)
			}
			p = b.apply(p, Selection{})
			b.checkSpelling(name+", applied", p, Verified, "foo.txt", text)
			b.start()
			p = b.undo(p)
			b.checkSpelling(name+", undone", p, Undone, "Foo.txt", lines)
			p = b.redo(p)
			b.checkSpelling(name+", redone", p, Verified, "foo.txt", text)
			os.Remove(b.path("foo.txt"))
		}
	})
}

func (b *fixture) checkSpelling(what string, p *Proposal, status State, name, text string) {
	b.t.Helper()
	if got := b.spelled(); p.Status() != status || got != name || b.disk(name) != text {
		b.t.Errorf("%s: the proposal is %s, the folder has %s with %q", what, p.Status(), got, b.disk(name))
	}
}

// TestAStoppedRenameInCaseAlone stops a transaction before, between and after its steps, and recovers it. The rename is
// done as a whole or not at all.
func TestAStoppedRenameInCaseAlone(t *testing.T) {
	onDisks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		for _, edited := range []bool{false, true} {
			for _, stop := range []string{"before", "between", "after"} {
				b := newFixture(map[string]string{"Foo.txt": lines})
				p, text := b.stage("turn", Operation{Op: OpRename, Path: "Foo.txt", To: "foo.txt"}), lines
				if edited {
					p, text = b.stage("turn", b.replaceOnce("turn", "foo.txt", "5\n", "five\n")), strings.Replace(lines, "5", "five", 1)
				}
				plan := b.accept(p, Selection{})
				stopped := errors.New("the power fails")
				func() {
					defer func() {
						if got := recover(); got != stopped {
							t.Fatal(got)
						}
					}()
					b.writer.onReplace = func(file rooted.Path, checked bool) {
						if stop == "after" && file != (rooted.Path{}) || !checked {
							return
						}
						panic(stopped)
					}
					b.WriteToDisk(t.Context(), plan)
				}()
				if stop == "between" && edited && b.ws.SameName(b.path("Foo.txt"), b.path("foo.txt")) { // the new text has the old name
					for _, path := range b.leftovers() {
						if data, err := os.ReadFile(path); err == nil && string(data) == text {
							os.Rename(path, b.path("Foo.txt"))
						}
					}
				}
				b.start()
				if err := b.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.checkSpelling(fmt.Sprintf("stopped %s, edited %v", stop, edited), b.get(p), Verified, "foo.txt", text)
				os.Remove(b.path("foo.txt"))
			}
		}
	})
}

// TestARenameInCaseAloneThatIsRolledBack changes another file of the same plan at the last moment.
func TestARenameInCaseAloneThatIsRolledBack(t *testing.T) {
	onDisks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		b := newFixture(map[string]string{"Foo.txt": lines})
		b.stage("turn", Operation{Op: OpRename, Path: "Foo.txt", To: "foo.txt"})
		b.stage("turn", b.replaceOnce("turn", "foo.txt", "5\n", "five\n"))
		p := b.stage("turn", b.replaceOnce("turn", "other.txt", "another", "the other"))
		plan := b.accept(p, Selection{})
		b.writer.onReplace = func(file rooted.Path, checked bool) {
			if file.Name == "other.txt" && !checked {
				b.write("other.txt", "theirs\n")
			}
		}
		var stale *StaleError
		if err := b.WriteToDisk(t.Context(), plan); !errors.As(err, &stale) {
			t.Fatalf("WriteToDisk: %v", err)
		}
		b.settle(plan, Outcome{Reason: "stale"})
		if got := b.spelled(); got != "Foo.txt" || b.disk("Foo.txt") != lines || b.disk("other.txt") != "theirs\n" {
			t.Errorf("the folder has %s", got)
		}
	})
}

// TestProposalsUnderOtherSpellings names files in other spellings than the disk, and than the
// calls before. On a disk that tells names apart, these are other files.
func TestProposalsUnderOtherSpellings(t *testing.T) {
	onDisks(t, func(t *testing.T, newFixture func(map[string]string) *fixture) {
		b := newFixture(map[string]string{"Foo.txt": lines})
		edit := b.replaceOnce("", "Foo.txt", "5\n", "five\n")
		edit.Path = "foo.TXT"
		if strings.HasSuffix(t.Name(), "sensitive") {
			b.refused("does not exist", edit)
			b.stage("turn", Operation{Op: OpCreate, Path: "New.txt", Text: "1\n"}, Operation{Op: OpCreate, Path: "new.txt", Text: "2\n"})
			return
		}
		b.refused("takes one operation", Operation{Op: OpCreate, Path: "New.txt", Text: "1\n"},
			Operation{Op: OpCreate, Path: "new.txt", Text: "2\n"})
		p := b.stage("turn", edit)
		if path := p.Changes[0].Path; path != b.path("Foo.txt") {
			t.Errorf("the change is of %s", path)
		}
		b.stage("turn", Operation{Op: OpCreate, Path: "New.txt", Text: "1\n"})
		b.refused("exists already", Operation{Op: OpCreate, Path: "FOO.txt", Text: ""})
		if _, err := b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Operations: []Operation{{Op: OpCreate, Path: "new.txt", Text: ""}}}); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("creating it again in another spelling: %v", err)
		}
		if got := b.view("turn", "nEW.txt"); got != "1\n" {
			t.Errorf("the turn sees %q", got)
		}
		p = b.stage("turn", b.replaceOnce("turn", "NEW.txt", "1", "one"))
		if !b.Preview.Touches(p, b.path("new.TXT")) || len(p.Changes) != 2 {
			t.Errorf("it has %d changes", len(p.Changes))
		}
		if err := os.Rename(b.path("Foo.txt"), b.path("FOO.txt")); err != nil {
			t.Fatal(err)
		}
		p = b.apply(p, Selection{Files: []string{"foo.txt"}})
		if got := b.spelled(); got != "FOO.txt" || !strings.Contains(b.disk("FOO.txt"), "five") {
			t.Errorf("applied: %s, %s", p.Status(), got)
		}
		b.undo(p)
		if got := b.spelled(); got != "FOO.txt" || b.disk("FOO.txt") != lines {
			t.Errorf("undone: %s, %s", p.Status(), got)
		}
		if got, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{Files: []string{"nEW.txt"}}), ""); err != nil || got.has(Staged) {
			t.Errorf("the new file is rejected: %v", err)
		}
	})
}

// TestRenamingOntoAnotherSpelling takes a name that another file has in another case.
func TestRenamingOntoAnotherSpelling(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "Foo.txt": lines})
	workspace.Assume(b.dir, workspace.NameRules{Folds: true})
	b.start()
	b.refused("exists already", Operation{Op: OpRename, Path: "a.txt", To: "FOO.txt"})
	b.refused("change nothing", Operation{Op: OpRename, Path: "foo.txt", To: "Foo.txt"})
	p := b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	b.write("B.txt", "theirs")
	var stale *StaleError
	if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) {
		t.Errorf("the name is taken now, but Accept: %v", err)
	}
}
