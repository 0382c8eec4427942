package lsp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/store"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

const indexingTitle = "ploke: indexing"

// lockIndex holds the lock of the index, as another process that indexes the same folder
// does. The returned function releases it.
func (f *fixture) lockIndex() (unlock func()) {
	f.t.Helper()
	lock := flock.New(filepath.Join(f.indexFolder(), "index.lock"))
	if err := os.MkdirAll(f.indexFolder(), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if ok, err := lock.TryLock(); !ok || err != nil {
		f.t.Fatalf("locking the index: %v, %v", ok, err)
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			f.t.Error(err)
		}
	}
}

func (f *fixture) indexFolder() string { return store.Folder(f.state, f.root) }

func status(e *lsptest.Editor) (st ploke.IndexStatus) {
	e.Call(ploke.MethodIndexStatus, nil, &st)
	return st
}

// command runs a command that has no arguments.
func command(e *lsptest.Editor, name string) {
	e.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: name}, nil)
}

// messages returns the shown messages that contain the text.
func messages(e *lsptest.Editor, text string) (found []protocol.ShowMessageParams) {
	for _, m := range e.Messages() {
		if strings.Contains(m.Message, text) {
			found = append(found, m)
		}
	}
	return found
}

func TestProgressCountsFilesAndSymbols(t *testing.T) {
	f := newFixture(t)
	f.root = unpack(t, manyFiles("Many", 600))
	e := f.startIndexed()
	values := e.AwaitProgressEnd(indexingTitle)
	form := regexp.MustCompile(`^[\d,]+ of [\d,]+ files, [\d,]+ symbols(, \d+ (s|min) left)?$`)
	for _, v := range values {
		switch {
		case v.Kind == "begin" && !v.Cancellable:
			t.Error("the progress can't be cancelled")
		case v.Kind == "report" && !form.MatchString(v.Message):
			t.Errorf("a report is %q", v.Message)
		case v.Kind == "end" && v.Message != "600 files, 600 symbols":
			t.Errorf("the end is %q", v.Message)
		}
	}
	e.Await("the status of the whole index", func() bool { // once the client watches files, another scan runs
		st := status(e)
		return st.State == ploke.IndexReady && st.Files == 600 && st.Symbols == 600 && st.Progress == nil
	})
}

func TestPauseAndResume(t *testing.T) {
	for _, way := range []struct {
		name, pause, resume string
		act                 func(e *lsptest.Editor, name string)
	}{
		{"methods", ploke.MethodIndexPause, ploke.MethodIndexResume, func(e *lsptest.Editor, name string) { e.Call(name, nil, nil) }},
		{"commands", ploke.CommandIndexPause, ploke.CommandIndexResume, command},
	} {
		t.Run(way.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.startIndexed()
				waitIdle()
				way.act(e, way.pause)
				way.act(e, way.pause) // a second pause has no effect
				e.AwaitState(ploke.IndexPaused)
				f.write("new.go", "package p\n\nfunc Newcomer() {}\n")
				e.DiskChanged(f.path("new.go"))
				e.OpenText(f.path("shapes/rect.go"), "package shapes\n\ntype Typed struct{}\n")
				waitIdle()
				if st := status(e); st.State != ploke.IndexPaused {
					t.Errorf("the state is %s", st.State)
				}
				if e.Finds("Newcomer") {
					t.Error("a new file is indexed while the indexing is paused")
				}
				if !e.Finds("Typed") {
					t.Error("unsaved text is not found while the indexing is paused")
				}
				began := time.Now()
				if e.Ask("where is Circle"); time.Since(began) > time.Second {
					t.Errorf("a turn waited for %v", time.Since(began))
				}
				way.act(e, way.resume)
				way.act(e, way.resume)
				e.AwaitState(ploke.IndexReady)
				waitIdle()
				if !e.Finds("Newcomer") {
					t.Error("a file that was created during the pause is not found after it")
				}
			})
		})
	}
}

// TestCancelledProgressPauses cancels the progress, which pauses the indexing.
func TestCancelledProgressPauses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		unlock := f.lockIndex()
		e := f.start(lsptest.Options{})
		e.Await("the progress", func() bool { return len(e.ServerProgress(indexingTitle)) > 0 })
		e.CancelProgress(indexingTitle)
		e.AwaitState(ploke.IndexPaused)
		values := e.AwaitProgressEnd(indexingTitle)
		if end := values[len(values)-1].Message; !strings.Contains(end, "paused") || !strings.Contains(end, ploke.CommandIndexResume) {
			t.Errorf("the progress ends with %q", end)
		}
		if len(messages(e, ploke.CommandIndexResume)) != 1 {
			t.Errorf("the messages are %+v", e.Messages())
		}
		unlock()
		waitIdle()
		if e.Finds("Circle") {
			t.Error("the indexing continued")
		}
		command(e, ploke.CommandIndexResume)
		e.AwaitState(ploke.IndexReady)
		if !e.Finds("Circle") {
			t.Error("the indexing did not resume")
		}
	})
}

// TestRebuild checks that a rebuild reads a changed file whose size and modification time
// are the same as before.
func TestRebuild(t *testing.T) {
	for name, act := range map[string]func(e *lsptest.Editor){
		"method":  func(e *lsptest.Editor) { e.Call(ploke.MethodIndexRebuild, nil, nil) },
		"command": func(e *lsptest.Editor) { command(e, ploke.CommandIndexRebuild) },
		"while paused": func(e *lsptest.Editor) {
			command(e, ploke.CommandIndexPause)
			command(e, ploke.CommandIndexRebuild)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				f.write("trace.go", "package p\n\nfunc Before() {}\n")
				old := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) // the bubble's clock begins in 2000
				setModTime(t, f.path("trace.go"), old)
				e := f.startIndexed()
				waitIdle()
				f.write("trace.go", "package p\n\nfunc Aftera() {}\n")
				setModTime(t, f.path("trace.go"), old)
				e.Ask("what is a Circle") // a turn scans the disk
				if e.Finds("Aftera") {
					t.Fatal("an ordinary scan reads the file, so this test proves nothing")
				}
				act(e)
				waitIdle()
				if !e.Finds("Aftera") {
					t.Error("the file was not read again")
				}
				if st := status(e); st.State != ploke.IndexReady {
					t.Errorf("the state is %s", st.State)
				}
			})
		})
	}
}

func setModTime(t *testing.T, path string, to time.Time) {
	t.Helper()
	if err := os.Chtimes(path, to, to); err != nil {
		t.Fatal(err)
	}
}

// TestStatusCommand checks the message of the status command.
func TestStatusCommand(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		f.write("new.go", "package p\n")
		e.DiskChanged(f.path("new.go"))
		waitIdle()
		command(e, ploke.CommandIndexStatus)
		e.Await("a message", func() bool { return len(e.Messages()) > 0 })
		form := regexp.MustCompile(`^ploke: the index is ready: 4 files, \d+ symbols$`)
		if m := e.Messages()[0]; !form.MatchString(m.Message) || m.Type != protocol.MessageTypeInfo {
			t.Errorf("the message is %+v", m)
		}
	})
}

// TestFailureIsReportedOnce uses an index that can't be written. The server reports it once,
// keeps working, and tries again after a message or a save.
func TestFailureIsReportedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		obstacle := filepath.Join(f.indexFolder(), "index.lock")
		if err := os.MkdirAll(filepath.Join(obstacle, "not empty"), 0o700); err != nil {
			t.Fatal(err)
		}
		e := f.start(lsptest.Options{})
		e.AwaitState(ploke.IndexFailed)
		waitIdle()
		failures := func() (n int) {
			for _, ev := range e.Events() {
				if ev.Type == ploke.PartIndex && ev.Index.State == ploke.IndexFailed {
					n++
				}
			}
			return n
		}
		before := failures()
		for range 5 {
			e.DiskChanged(f.path("shapes/rect.go"))
			waitIdle()
		}
		if n := failures(); n != before {
			t.Errorf("%d further attempts, want none", n-before)
		}
		e.OpenText(f.path("shapes/rect.go"), "package shapes\n\n// Typed is typed.\ntype Typed struct{}\n")
		waitIdle()
		result := e.Ask("what is Typed")
		if result.StopReason != ploke.StopDone || len(result.Citations) == 0 {
			t.Errorf("the answer with a failed index is %q", result.Text)
		}
		noticed := false
		for _, p := range e.Parts() {
			noticed = noticed || p.Type == ploke.PartNotice && strings.Contains(p.Text, "could not be indexed")
		}
		if !noticed {
			t.Error("the turn has no notice about the failed index")
		}
		if failures() == before {
			t.Error("a turn does not try to index again")
		}
		if shown := messages(e, "indexing failed"); len(shown) != 1 || shown[0].Type != protocol.MessageTypeError {
			t.Errorf("the error messages are %+v", shown)
		}
		if err := os.RemoveAll(obstacle); err != nil {
			t.Fatal(err)
		}
		e.Save(f.path("shapes/rect.go"))
		e.AwaitState(ploke.IndexReady)
		if !e.Finds("Circle") {
			t.Error("Circle is not found after the failure was fixed")
		}
	})
}

// TestDamagedIndexIsRebuilt starts with an index file that is not a database.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	f := newFixture(t)
	if err := os.MkdirAll(f.indexFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.indexFolder(), "index.db"), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	e := f.startIndexed()
	e.Await("a warning", func() bool {
		shown := messages(e, "built again")
		return len(shown) == 1 && shown[0].Type == protocol.MessageTypeWarning
	})
	e.Await("a notice", func() bool {
		for _, ev := range e.Events() {
			if ev.Type == ploke.PartNotice && strings.Contains(ev.Text, "built again") {
				return true
			}
		}
		return false
	})
	if !e.Finds("Circle") {
		t.Error("the index was not rebuilt")
	}
}

// TestDamageWhileServingHeals damages the files of the index while the server uses them. The
// person is told once, and what is asked next is answered.
func TestDamageWhileServingHeals(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut":     func(path string) error { return os.Truncate(path, 0) },
		"deleted": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.startIndexed()
				// else what runs behind the start finds the damage of the first file and begins to heal it
				waitIdle()
				paths, err := filepath.Glob(filepath.Join(f.indexFolder(), "[ip]*[bg]")) // index.db and the segments
				if err != nil || len(paths) < 2 {
					t.Fatal(paths, err)
				}
				for _, path := range paths {
					if err := damage(path); err != nil {
						t.Fatal(err)
					}
				}
				command(e, ploke.CommandIndexRebuild)
				e.Await("a warning", func() bool { return len(messages(e, "built again")) == 1 })
				e.Await("searches to work again", func() bool {
					return e.Try(t.Context(), ploke.MethodSearch, ploke.SearchParams{Query: "Circle"}, nil) == nil && e.Finds("Circle")
				})
				if result := e.Ask("what is Circle"); result.StopReason != ploke.StopDone || len(result.Citations) == 0 {
					t.Errorf("the answer is %q", result.Text)
				}
				if shown := messages(e, "built again"); len(shown) != 1 {
					t.Errorf("the warnings are %+v", shown)
				}
			})
		})
	}
}

// TestFoldersChangeWhileIndexing adds and removes folders while another process holds the
// lock of the first folder's index. The other folder is indexed without waiting.
func TestFoldersChangeWhileIndexing(t *testing.T) {
	for name, begin := range map[string]func(f *fixture) (e *lsptest.Editor, unlock func()){
		"for the first time": func(f *fixture) (*lsptest.Editor, func()) {
			unlock := f.lockIndex()
			e := f.start(lsptest.Options{})
			e.AwaitState(ploke.IndexIndexing)
			return e, unlock
		},
		"a single file": func(f *fixture) (*lsptest.Editor, func()) {
			e := f.startIndexed()
			waitIdle()
			unlock := f.lockIndex()
			e.DiskChanged(f.path("shapes/rect.go"))
			waitIdle()
			return e, unlock
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e, unlock := begin(f)
				other := unpack(t, "-- pump.go --\npackage pump\n\nfunc Pressure() {}\n")
				changeFolders(e, []string{other}, []string{f.root})
				waitIdle()
				if !e.Finds("Pressure") {
					t.Error("the other folder is not indexed")
				}
				if st := status(e); st.State != ploke.IndexReady || st.Files != 1 {
					t.Errorf("the status is %+v", st)
				}
				changeFolders(e, []string{f.root}, nil)
				waitIdle()
				unlock()
				waitIdle()
				if !e.Finds("Circle") || !e.Finds("Pressure") {
					t.Error("the symbols of both folders are not found")
				}
			})
		})
	}
}

// TestManyScansOverlap requests everything that starts or stops a scan while the first
// indexing runs.
func TestManyScansOverlap(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{})
	for range 5 {
		e.Call(ploke.MethodIndexRebuild, nil, nil)
		e.Call(ploke.MethodIndexPause, nil, nil)
		changeFolders(e, nil, []string{f.root})
		e.Call(ploke.MethodIndexResume, nil, nil)
		changeFolders(e, []string{f.root}, nil)
		e.DiskChanged(f.path("shapes"), f.path("nowhere"))
	}
	e.Ask("what is a Circle")
	e.Await("the complete index", func() bool {
		st := status(e)
		return st.State == ploke.IndexReady && st.Files == 3 && e.Finds("Circle")
	})
}
