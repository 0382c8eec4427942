package indexing

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
)

// screen is a front end that counts the messages that are no failure.
type screen struct{ infos atomic.Int32 }

func (s *screen) ShowError(string) {}
func (s *screen) ShowInfo(string)  { s.infos.Add(1) }

func (s *screen) BeginProgress(context.Context, string, func()) Progress { return shownTask{} }

type shownTask struct{}

func (shownTask) Report(string, int) {}
func (shownTask) End(string)         {}

// turns is an indexer of a folder whose turns look for names.
type turns struct {
	*Indexer
	t       *testing.T
	root    string
	screen  screen
	indexed atomic.Int32
}

// startTurns starts an indexer of a folder with a .git, and has the first turn end.
func startTurns(t *testing.T, oneScan bool) *turns {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err := index.Open(t.Context(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		t.Fatal(err)
	}
	s := &turns{t: t, root: root}
	s.write(".git/HEAD", "one\n")
	events := bus.New()
	s.Indexer = Start(Options{Index: x, Workspace: ws, Bus: events, FrontEnd: &s.screen, Log: slog.New(slog.DiscardHandler),
		Indexed: func() { s.indexed.Add(1) }, OneScan: oneScan})
	t.Cleanup(func() {
		s.Close()
		events.Close()
		x.Close()
	})
	s.turn()
	return s
}

// write writes a file, which nobody reports.
func (s *turns) write(rel, text string) (path string) {
	s.t.Helper()
	path = filepath.Join(s.root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// turn begins a turn.
func (s *turns) turn() {
	s.t.Helper()
	if err := s.Refresh(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// finds fails the test unless the index has the name, or has it not.
func (s *turns) finds(name string, want bool) {
	s.t.Helper()
	found, _, err := s.Index.Lookup(s.t.Context(), index.LookupQuery{Name: name})
	if err != nil || len(found) > 0 != want {
		s.t.Errorf("the index has %d symbols named %s, %v; want some: %v", len(found), name, err, want)
	}
}

// TestATurnLooksAtADiskThatNobodyWatches finds what no one has reported.
func TestATurnLooksAtADiskThatNobodyWatches(t *testing.T) {
	t.Parallel()
	s := startTurns(t, false)
	s.write("a.go", "package a\n\nfunc Written() {}\n")
	s.turn()
	s.finds("Written", true)
}

// TestATurnTrustsAWatcher reads what is reported, and does not look for more until git moves.
func TestATurnTrustsAWatcher(t *testing.T) {
	t.Parallel()
	s := startTurns(t, false)
	s.SetWatched([]string{s.root})
	s.turn()
	s.write("a.go", "package a\n\nfunc Unreported() {}\n")
	reported := s.write("b.go", "package a\n\nfunc Reported() {}\n")
	s.WatcherReported([]string{reported, ""})
	s.turn()
	s.finds("Reported", true)
	s.finds("Unreported", false)
	s.write(".git/HEAD", "two\n")
	s.turn()
	s.finds("Unreported", true)
}

// TestAFolderThatIsWatchedFromNowOnIsScanned finds what changed before the watcher began.
func TestAFolderThatIsWatchedFromNowOnIsScanned(t *testing.T) {
	t.Parallel()
	s := startTurns(t, false)
	s.write("a.go", "package a\n\nfunc Before() {}\n")
	s.SetWatched([]string{s.root})
	s.turn()
	s.finds("Before", true)
}

// TestOneScanIsEnoughForOneCall does not look at the disk again, except at what is saved.
func TestOneScanIsEnoughForOneCall(t *testing.T) {
	t.Parallel()
	s := startTurns(t, true)
	s.write("a.go", "package a\n\nfunc Later() {}\n")
	s.turn()
	s.finds("Later", false)
	s.Saved(s.write("b.go", "package a\n\nfunc Saved() {}\n"))
	s.turn()
	s.finds("Saved", true)
	s.finds("Later", false)
}

// TestATurnDoesNotWaitWhileIndexingIsPaused ends although the scan that it needs does not.
func TestATurnDoesNotWaitWhileIndexingIsPaused(t *testing.T) {
	t.Parallel()
	s := startTurns(t, false)
	s.Cancelled()
	if s.screen.infos.Load() != 1 {
		t.Error("the person who cancels is not told how it goes on")
	}
	s.write("a.go", "package a\n\nfunc Paused() {}\n")
	var err error
	testbed.Returns(t, func() { err = s.Refresh(t.Context()) }, "a turn")
	if err != nil {
		t.Error(err)
	}
	s.finds("Paused", false)
	s.Resume()
	s.turn()
	s.finds("Paused", true)
}

// TestARebuildIsTold to who follows the index, although no file has changed.
func TestARebuildIsTold(t *testing.T) {
	t.Parallel()
	s := startTurns(t, false)
	s.write("a.go", "package a\n\nfunc Same() {}\n")
	s.turn()
	before := s.indexed.Load()
	s.Rebuild()
	s.turn()
	if s.indexed.Load() <= before {
		t.Error("who follows the index is not told of a rebuild")
	}
	s.finds("Same", true)
}
