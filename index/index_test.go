package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// project is a folder on disk with its workspace and index.
type project struct {
	t     testing.TB
	root  string
	state string
	ws    *workspace.Workspace
	index *index.Index
}

func open(t testing.TB, files map[string]string) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, root: root, state: t.TempDir()}
	for rel, text := range files {
		p.write(rel, text)
	}
	p.open()
	t.Cleanup(func() {
		if err := p.index.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *project) open() {
	p.t.Helper()
	var err error
	if p.ws, err = workspace.New([]string{p.root}, workspace.Options{}); err != nil {
		p.t.Fatal(err)
	}
	if p.index, err = index.Open(p.t.Context(), p.ws, p.options()); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) options() index.Options {
	return index.Options{Dir: func(string) string { return p.state }}
}

// reopen closes the index and opens it again, as a new process does.
func (p *project) reopen() {
	p.t.Helper()
	if err := p.index.Close(); err != nil {
		p.t.Fatal(err)
	}
	p.open()
}

func (p *project) path(rel string) string { return filepath.Join(p.root, filepath.FromSlash(rel)) }

func (p *project) write(rel, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(rel)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(rel), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) update() *index.Stats {
	p.t.Helper()
	stats, err := p.index.Update(p.t.Context(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return stats
}

// search returns the hits as "rel canon".
func (p *project) search(text string) []string {
	p.t.Helper()
	results, err := p.index.Search(p.t.Context(), index.Query{Text: text})
	if err != nil {
		p.t.Fatal(err)
	}
	var hits []string
	for _, h := range results.Hits {
		hits = append(hits, h.Rel+" "+h.Canon)
	}
	return hits
}

// lookup returns the units as "rel canon".
func (p *project) lookup(name string) (found, nearest []string) {
	p.t.Helper()
	f, n, err := p.index.Lookup(p.t.Context(), index.LookupQuery{Name: name})
	if err != nil {
		p.t.Fatal(err)
	}
	return places(f), places(n)
}

func places(units []index.Unit) (list []string) {
	for _, u := range units {
		list = append(list, u.Rel+" "+u.Canon)
	}
	return list
}

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

var sample = map[string]string{
	"server/server.go": `package server

// Server answers requests.
type Server struct {
	// Name is shown to people.
	Name string
}

// Shutdown stops the server gracefully: it waits for the open connections.
func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }

func (s *Server) drain(ctx Context) error { return wait(ctx) }
`,
	"server/server_test.go": `package server

func TestShutdown(t *T) { s := &Server{}; s.Shutdown(nil); s.Shutdown(nil) }
`,
	"parse.py": `def parse_duration(text):
    """Read a duration such as 1h30m."""
    return Duration(text)
`,
	"README.md": "# Sample\n\nHow to configure the frobnicator.\n",
}

func TestUpdateReadsOnlyWhatChanged(t *testing.T) {
	p := open(t, sample)
	first := p.update()
	if first.ParsedFiles != 4 || first.Files != 4 {
		t.Fatalf("the first update parsed %d of %d files, want 4 of 4", first.ParsedFiles, first.Files)
	}
	p.reopen()
	second := p.update()
	second.Seconds, first.Seconds, second.ParsedFiles = index.Seconds{}, index.Seconds{}, second.ParsedFiles+4
	second.DBBytes = first.DBBytes
	equal(t, "an update without changes", first, second)

	p.write("parse.py", "def parse_interval(text):\n    return 1\n")
	if err := os.Remove(p.path("README.md")); err != nil {
		t.Fatal(err)
	}
	third := p.update()
	if third.ParsedFiles != 1 || third.Files != 3 {
		t.Errorf("after one change and one removal: parsed %d, holds %d, want 1 and 3", third.ParsedFiles, third.Files)
	}
	equal(t, "hits for a deleted file", []string(nil), p.search("frobnicator"))
	found, _ := p.lookup("parse_duration")
	equal(t, "the old function", []string(nil), found)
	found, _ = p.lookup("parse_interval")
	equal(t, "the new function", []string{"parse.py parse_interval"}, found)
	if fourth, err := p.index.Rebuild(t.Context(), nil); err != nil || fourth.ParsedFiles != 3 {
		t.Errorf("rebuilding parsed %d files, want 3: %v", fourth.ParsedFiles, err)
	}
}

// TestSameSizeSameTick immediately rewrites a file with a text of the same length, so its
// modification time may not change.
func TestSameSizeSameTick(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package a\nfunc One() {}\n"})
	p.update()
	p.write("a.go", "package a\nfunc Two() {}\n")
	p.update()
	found, _ := p.lookup("Two")
	equal(t, "the rewritten function", []string{"a.go Two"}, found)
}

func TestStatsJSON(t *testing.T) {
	p := open(t, sample)
	data, err := json.Marshal(p.update())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for key := range got {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	equal(t, "keys", strings.Fields("bytes db_bytes files languages parsed_files "+
		"references seconds skipped symbols with_errors workspace"), keys)
	equal(t, "languages", any(map[string]any{
		"go":       map[string]any{"files": 2.0, "symbols": 5.0},
		"python":   map[string]any{"files": 1.0, "symbols": 1.0},
		"markdown": map[string]any{"files": 1.0, "symbols": 1.0},
	}), got["languages"])
	equal(t, "workspace", any(p.root), got["workspace"])
	equal(t, "skipped", any(map[string]any{}), got["skipped"])
}

func TestProgress(t *testing.T) {
	p := open(t, sample)
	var bytes int64
	for _, text := range sample {
		bytes += int64(len(text))
	}
	var last index.Progress
	_, err := p.index.Update(t.Context(), func(at index.Progress) {
		if at.Files < last.Files || at.Files > at.TotalFiles {
			t.Errorf("progress went from %+v to %+v", last, at)
		}
		last = at
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the last report", index.Progress{Root: p.root, Files: 4, TotalFiles: 4, Bytes: bytes, TotalBytes: bytes, Symbols: 7}, last)
	equal(t, "status", index.Status{State: index.Ready, Files: 4, Symbols: 7, References: p.index.Status().References}, p.index.Status())
}

// TestProgressOfWaiting indexes while another process writes the index. The first report comes before the
// wait, and the status is that of an indexing by then: a client that shows it is told nothing more until the wait
// ends.
func TestProgressOfWaiting(t *testing.T) {
	p := open(t, sample)
	lock := flock.New(filepath.Join(p.state, "index.lock"))
	if locked, err := lock.TryLock(); !locked || err != nil {
		t.Fatal("locking the index:", locked, err)
	}
	_, err := p.index.Update(t.Context(), func(at index.Progress) {
		if !lock.Locked() {
			return
		}
		equal(t, "the status", index.Status{State: index.Indexing, Progress: &at}, p.index.Status())
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPartial(t *testing.T) {
	p := open(t, sample)
	for _, want := range []bool{true, false} {
		results, err := p.index.Search(t.Context(), index.Query{Text: "server"})
		if err != nil || results.Partial != want {
			t.Errorf("partial is %v, want %v (%v)", results.Partial, want, err)
		}
		p.update()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.index.Update(ctx, nil); err == nil || p.index.Status().State != index.Failed {
		t.Errorf("a cancelled update ended with %v in state %s", err, p.index.Status().State)
	}
}

// secondRoot makes a folder with b.go, and opens the index again, so each root has a state
// folder of its own. The caller adds the folder.
func (p *project) secondRoot(text string) string {
	p.t.Helper()
	second, err := filepath.EvalSymlinks(p.t.TempDir())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(second, "b.go"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := p.index.Close(); err != nil {
		p.t.Fatal(err)
	}
	states := map[string]string{p.root: p.t.TempDir(), second: p.t.TempDir()}
	p.index, err = index.Open(p.t.Context(), p.ws, index.Options{Dir: func(root string) string { return states[root] }})
	if err != nil {
		p.t.Fatal(err)
	}
	return second
}

func TestSeveralRoots(t *testing.T) {
	p := open(t, sample)
	second := p.secondRoot("package b\nfunc Other() {}\n")
	if err := p.ws.AddRoot(second); err != nil {
		t.Fatal(err)
	}
	if err := p.index.AddRoot(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if stats := p.update(); stats.Files != 5 {
		t.Errorf("two roots hold %d files, want 5", stats.Files)
	}
	equal(t, "hits in the second root", []string{filepath.Base(second) + "/b.go Other"}, p.search("other")[:1])
	p.ws.RemoveRoot(second)
	if err := p.index.RemoveRoot(second); err != nil {
		t.Fatal(err)
	}
	equal(t, "hits in a root that was removed", []string(nil), p.search("other"))
}

// TestSearchesWhileARootIsRemoved searches while a root is added and removed. No search may
// fail, and the other root is always found.
func TestSearchesWhileARootIsRemoved(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package p\nfunc Kept() {}\n"})
	second := p.secondRoot("package q\nfunc Kept() {}\n")
	p.update()
	var searching sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		searching.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				found, err := p.index.Search(t.Context(), index.Query{Text: "Kept"})
				if err != nil || len(found.Hits) == 0 {
					t.Errorf("found %+v, %v", found, err)
					return
				}
			}
		})
	}
	for range 20 {
		if err := errors.Join(p.ws.AddRoot(second), p.index.AddRoot(t.Context(), second)); err != nil {
			t.Fatal(err)
		}
		p.update()
		p.ws.RemoveRoot(second)
		if err := p.index.RemoveRoot(second); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	searching.Wait()
}
