package lsp_test

import (
	"strings"
	"testing"
	"time"

	"ploke-lsp/lsp/lsptest"
)

// citesNewcomer asks for a function that only new.go has, and reports whether the answer cites it.
func citesNewcomer(e *lsptest.Editor) bool {
	result := e.Ask("where is Newcomer")
	return len(result.Citations) > 0 && strings.HasSuffix(string(result.Citations[0].URI), "new.go")
}

const newcomer = "package p\n\n// Newcomer is a newcomer.\nfunc Newcomer() {}\n"

// TestTurnTrustsTheWatcher sends messages to a server whose editor watches files. Changes that it has
// not reported are not looked for, but what is shown is read, and what was reported just now is
// waited for.
func TestTurnTrustsTheWatcher(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		f.write("new.go", newcomer)
		if citesNewcomer(e) {
			t.Error("the turn has scanned the disk")
		}
		f.write("shapes/rect.go",
			"package shapes\n\n// Moved is new here.\n\n// Rect is now longer than before.\ntype Rect struct{ Wide, High, Deep int }\n")
		if text := e.Ask("where is Rect").Text; !strings.Contains(text, "Deep int") {
			t.Errorf("a file that is shown was not read: %s", text)
		}
		e.DiskChanged(f.path("new.go"))
		if !citesNewcomer(e) {
			t.Error("the turn has not waited for what was reported just before")
		}
	})
}

// TestFirstTurnWaitsForTheIndex asks at once about a folder that another process indexes. The answer waits for the
// index, but not longer than five seconds.
func TestFirstTurnWaitsForTheIndex(t *testing.T) {
	for name, test := range map[string]struct {
		indexed time.Duration // from the question until the other process has ended
		waits   time.Duration
		partial bool
	}{
		"until it is ready":   {3 * time.Second, 3 * time.Second, false},
		"not for a long time": {time.Hour, 5 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				unlock := f.lockIndex()
				e := f.start(lsptest.Options{})
				began := time.Now()
				time.AfterFunc(test.indexed, unlock)
				text := e.Ask("where is Circle").Text
				if partial := strings.Contains(text, "still being built"); partial != test.partial {
					t.Errorf("the answer is %q", text)
				}
				if waited := time.Since(began); waited < test.waits || waited > test.waits+time.Second {
					t.Errorf("the answer came after %v, not %v", waited, test.waits)
				}
			})
		})
	}
}

// TestTurnAfterGitMoved switches branches just before a turn, before the editor has reported
// anything.
func TestTurnAfterGitMoved(t *testing.T) {
	f := newFixture(t)
	f.git("init", "-q", "-b", "main")
	f.git("add", "-A")
	f.git("commit", "-qm", "one")
	f.git("checkout", "-q", "-b", "other")
	f.write("new.go", newcomer)
	f.git("add", "-A")
	f.git("commit", "-qm", "two")
	f.git("checkout", "-q", "main")
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	e.Await("the watcher", func() bool { return e.Watches(f.path("shapes/rect.go")) })
	if citesNewcomer(e) {
		t.Fatal("Newcomer is there too early")
	}
	for range 2 {
		f.git("checkout", "-q", "other")
		if !citesNewcomer(e) {
			t.Error("what the branch has is not found")
		}
		f.git("checkout", "-q", "main")
		if citesNewcomer(e) {
			t.Error("what the branch does not have is still found")
		}
	}
}

// TestEditorThatOnlySaysThatItWatches has an editor that registers watchers and then reports nothing. Within
// minutes that is noticed, and turns look at the disk, until it reports something.
func TestEditorThatOnlySaysThatItWatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		f.write("other.go", "package p\n\nfunc Other() {}\n")
		advanceClock(11 * time.Minute)
		waitIdle()
		if !e.Finds("Other") {
			t.Error("no scan has followed")
		}
		f.write("new.go", newcomer)
		if !citesNewcomer(e) {
			t.Error("the turn has not scanned the disk")
		}
		e.DiskChanged(f.path("other.go"))
		waitIdle()
		f.remove("new.go")
		f.write("new.go", strings.ReplaceAll(newcomer, "Newcomer", "Latecomer"))
		e.Ask("where is Circle")
		if e.Finds("Latecomer") {
			t.Error("an editor that reports changes is not trusted")
		}
	})
}

// TestReportsAreVerifiedNowAndThen has an editor that reports changes, but misses one, as after an
// overflow of its watcher.
func TestReportsAreVerifiedNowAndThen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		f.write("new.go", newcomer)
		e.DiskChanged(f.path("shapes/rect.go"))
		waitIdle()
		if e.Finds("Newcomer") {
			t.Error("the disk was scanned at once")
		}
		advanceClock(11 * time.Minute)
		waitIdle()
		if !e.Finds("Newcomer") {
			t.Error("the disk was not scanned after minutes")
		}
		f.write("late.go", "package p\n\nfunc Latecomer() {}\n")
		e.Ask("where is Circle")
		if e.Finds("Latecomer") {
			t.Error("an editor that reports changes is not trusted")
		}
	})
}
