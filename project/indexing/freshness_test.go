package indexing

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// repository returns a folder with a .git/HEAD, and a function that moves it.
func repository(t *testing.T) (root string, move func()) {
	t.Helper()
	root = t.TempDir()
	head := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	head("one\n")
	return root, func() { head("another\n") }
}

// TestWhenATurnNeedsAScan tells a turn that has to look at the disk from one that can trust reports.
func TestWhenATurnNeedsAScan(t *testing.T) {
	scan := func(f *freshness, roots []string, unexpected bool, changes int) bool {
		return f.scanSucceeded(f.scanBegins(roots), unexpected, changes)
	}
	for name, test := range map[string]struct {
		oneScan bool
		since   func(f *freshness, roots []string, moveGit func()) // the first scan
		want    bool
	}{
		"not watched": {want: true},
		"watched":     {since: func(f *freshness, roots []string, _ func()) { f.setWatched(roots) }},
		"another folder is watched": {since: func(f *freshness, _ []string, _ func()) { f.setWatched([]string{"/other"}) },
			want: true},
		"watched, and git has moved": {since: func(f *freshness, roots []string, moveGit func()) {
			f.setWatched(roots)
			moveGit()
		}, want: true},
		"git moved before the last scan": {since: func(f *freshness, roots []string, moveGit func()) {
			f.setWatched(roots)
			moveGit()
			scan(f, roots, false, 0)
		}},
		"git moved during the last scan": {since: func(f *freshness, roots []string, moveGit func()) {
			f.setWatched(roots)
			start := f.scanBegins(roots)
			moveGit()
			f.scanSucceeded(start, false, 0)
		}, want: true},
		"the last scan failed": {since: func(f *freshness, roots []string, _ func()) {
			f.setWatched(roots)
			f.scanFailed()
		}, want: true},
		"a silent watcher": {since: func(f *freshness, roots []string, _ func()) {
			f.setWatched(roots)
			if !scan(f, roots, true, 1) {
				t.Error("a watcher that reports nothing of a change is trusted")
			}
		}, want: true},
		"a watcher that speaks again": {since: func(f *freshness, roots []string, _ func()) {
			f.setWatched(roots)
			scan(f, roots, true, 1)
			if !f.watcherReported() || f.watcherReported() {
				t.Error("the first report after silence is not told from others")
			}
		}},
		"a scan found what was reported": {since: func(f *freshness, roots []string, _ func()) {
			f.setWatched(roots)
			f.watcherReported()
			scan(f, roots, true, 1)
		}},
		"a scan found what was expected": {since: func(f *freshness, roots []string, _ func()) {
			f.setWatched(roots)
			scan(f, roots, false, 1)
		}},
		"one call":                   {oneScan: true},
		"one call whose scan failed": {oneScan: true, since: func(f *freshness, _ []string, _ func()) { f.scanFailed() }, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			root, moveGit := repository(t)
			f, roots := &freshness{oneScan: test.oneScan}, []string{root}
			scan(f, roots, false, 1)
			if test.since != nil {
				test.since(f, roots, moveGit)
			}
			if got := f.turnNeedsScan(roots); got != test.want {
				t.Errorf("a turn needs a scan: %v, want %v", got, test.want)
			}
		})
	}
}

// TestWhenAScanIsDue lets time pass after a scan, of a folder that is watched or not.
func TestWhenAScanIsDue(t *testing.T) {
	roots := []string{t.TempDir()}
	for name, test := range map[string]struct {
		watched bool
		limit   time.Duration
	}{"not watched": {false, staleAfter}, "watched": {true, verifyAfter}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &freshness{}
				if test.watched {
					f.setWatched(roots)
				}
				time.Sleep(test.limit + 1)
				if f.scanDue(roots) {
					t.Error("a scan is due before the first one has ended")
				}
				f.scanSucceeded(f.scanBegins(roots), false, 0)
				time.Sleep(test.limit)
				if f.scanDue(roots) {
					t.Errorf("a scan is due %v after the last one", test.limit)
				}
				time.Sleep(1)
				if !f.scanDue(roots) {
					t.Errorf("no scan is due more than %v after the last one", test.limit)
				}
			})
		})
	}
}
