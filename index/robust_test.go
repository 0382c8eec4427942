package index_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/index/pagesum"
	"ploke-lsp/internal/testbed"
)

// TestBadFiles indexes bad files of every kind with a good one. Each is counted, and the
// others are indexed.
func TestBadFiles(t *testing.T) {
	p := open(t, map[string]string{
		"good.go":      "package p\nfunc Good() {}\n",
		"syntax.go":    "package p\nfunc Half() { x := }\nfunc Whole() {}\n",
		"binary.go":    "package p\x00\x01\x02func Binary() {}\n",
		"latin1.py":    "# caf\xe9\ndef caf\xe9(): pass\ndef ascii(): pass\n",
		"crlf.py":      "def crlf():\r\n    \"\"\"Ends in\r\n    two.\"\"\"\r\n    pass\r\n",
		"bom.go":       "\xef\xbb\xbfpackage p\nfunc Marked() {}\n",
		"empty.go":     "",
		"app.min.js":   "function a(){" + strings.Repeat("x();", 2000) + "}\n",
		".env":         "SECRET=1\n",
		"unreadable.c": "int unreadable;\n",
	})
	if err := os.Chmod(p.path("unreadable.c"), 0); err != nil {
		t.Fatal(err)
	}
	sparse(t, p.path("large.go"), 50<<20)
	if err := os.Symlink(p.root, p.path("loop")); err != nil {
		t.Fatal(err)
	}
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(p.path("pipe.go")))
	for range 2 { // the second time from the index
		stats := p.update()
		equal(t, "skipped", map[string]int{
			"binary": 1, "minified": 1, "too_large": 1, "symlink": 1, "secret": 1, "unreadable": 2,
		}, stats.Skipped)
		if stats.Files != 6 || stats.WithErrors < 1 || stats.WithErrors > 2 {
			t.Errorf("%d files, %d with errors; want 6, of which syntax.go and perhaps latin1.py", stats.Files, stats.WithErrors)
		}
		p.reopen()
	}
	for name, want := range map[string]string{
		"Good": "good.go Good", "Whole": "syntax.go Whole", "ascii": "latin1.py ascii", "crlf": "crlf.py crlf", "Marked": "bom.go Marked",
	} {
		found, _ := p.lookup(name)
		equal(t, "lookup of "+name, []string{want}, found)
	}
	units, _, err := p.index.Lookup(t.Context(), index.LookupQuery{Name: "crlf"})
	if err != nil || len(units) != 1 || units[0].Doc != "Ends in\ntwo." || units[0].StartLine != 1 || units[0].EndLine != 4 {
		t.Errorf("with CRLF: %+v, %v", units, err)
	}
}

func sparse(t *testing.T, path string, size int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
}

func TestIndexFolderCannotBeCreated(t *testing.T) {
	p := open(t, nil)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := index.Open(t.Context(), p.ws, index.Options{Dir: func(string) string { return filepath.Join(file, "state") }})
	if err == nil || !strings.Contains(err.Error(), "creating the index folder") {
		t.Errorf("opening an index beneath a file: %v", err)
	}
}

func TestNewerIsRefused(t *testing.T) {
	p := open(t, sample)
	p.update()
	setVersion(t, p, 1000)
	x, err := index.Open(t.Context(), p.ws, p.options())
	if err == nil {
		x.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "newer ploke-lsp") {
		t.Errorf("opening an index of a newer program: %v", err)
	}
	setVersion(t, p, 1)
}

func TestOlderIsRebuilt(t *testing.T) {
	p := open(t, sample)
	p.update()
	if err := p.index.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, p, 0)
	p.open()
	if stats := p.update(); stats.ParsedFiles != 4 {
		t.Errorf("an older index was not rebuilt: parsed %d files", stats.ParsedFiles)
	}
}

func setVersion(t *testing.T, p *project, version int) {
	t.Helper()
	alter(t, p, fmt.Sprintf("PRAGMA user_version = %d", version))
}

// alter changes the database through a connection of its own.
func alter(t *testing.T, p *project, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(p.state, "index.db")+"?vfs="+pagesum.VFS)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedIsRebuilt damages the files of an index in the ways that a disk can.
func TestDamagedIsRebuilt(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"index.db": func(path string) error {
			// a log that the end did not empty, as happens when a lock is held, would restore each page
			return errors.Join(os.Truncate(path+"-wal", 0), os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
		},
		"postings-*.seg": func(path string) error { return os.Truncate(path, 100) },
		"postings-?.seg": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, sample)
			p.update()
			if err := p.index.Close(); err != nil {
				t.Fatal(err)
			}
			paths, err := filepath.Glob(filepath.Join(p.state, name))
			if err != nil || len(paths) != 1 {
				t.Fatalf("%q, %v", paths, err)
			}
			if err := damage(paths[0]); err != nil {
				t.Fatal(err)
			}
			p.open()
			if stats := p.update(); stats.ParsedFiles != 4 {
				t.Errorf("the update parsed %d files, want all 4", stats.ParsedFiles)
			}
			equal(t, "search", []string{"parse.py parse_duration"}, p.search("parse duration")[:1])
		})
	}
}

// TestLeftovers leaves a segment of a crash before its commit, with the name that the next
// segment will have.
func TestLeftovers(t *testing.T) {
	p := open(t, sample)
	p.update()
	for n := range 10 {
		path := filepath.Join(p.state, fmt.Sprintf("postings-%d.seg", n))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, []byte("half a segm"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.reopen()
	p.write("new.go", "package p\nfunc Brandnew() {}\n")
	p.update()
	equal(t, "search", []string{"new.go Brandnew"}, p.search("brandnew")[:1])
	if paths, _ := filepath.Glob(filepath.Join(p.state, "postings-*.seg")); len(paths) > 2 {
		t.Errorf("segments left behind: %q", paths)
	}
}

// TestSegmentsStayFew changes files one at a time. The segments are merged, and nothing is
// lost.
func TestSegmentsStayFew(t *testing.T) {
	p := open(t, sample)
	p.update()
	for i := range 40 {
		p.write(fmt.Sprintf("f%d.go", i%10), fmt.Sprintf("package p\nfunc Version%d() {}\n", i))
		p.update()
	}
	if paths, _ := filepath.Glob(filepath.Join(p.state, "postings-*.seg")); len(paths) > 8 {
		t.Errorf("%d segments", len(paths))
	}
	for i := range 40 {
		name := fmt.Sprintf("Version%d", i)
		want := []string(nil)
		if i >= 30 {
			want = []string{fmt.Sprintf("f%d.go %s", i%10, name)}
		}
		found, _ := p.lookup(name)
		equal(t, "lookup of "+name, want, found)
		hits := p.search(name)
		if exact := len(hits) > 0 && strings.HasSuffix(hits[0], " "+name); exact != (want != nil) {
			t.Errorf("searching for %s finds %q", name, hits)
		}
	}
}

// TestTwoProcesses opens two indexes on one folder, as two processes do. Each sees what
// the other has indexed, and does not read it again.
func TestTwoProcesses(t *testing.T) {
	p := open(t, sample)
	other, err := index.Open(t.Context(), p.ws, p.options())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	p.update()
	stats, err := other.Update(t.Context(), nil)
	if err != nil || stats.ParsedFiles != 0 || stats.Files != 4 {
		t.Fatalf("the second process: %+v, %v", stats, err)
	}
	for i := range 10 {
		p.write("turn.go", fmt.Sprintf("package p\nfunc Turn%d() {}\n", i))
		x := p.index
		if i%2 == 1 {
			x = other
		}
		if err := x.Refresh(t.Context(), []string{p.path("turn.go")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []*index.Index{p.index, other} { // only one of them has indexed it
		results, err := x.Search(t.Context(), index.Query{Text: "Turn9"})
		if err != nil || len(results.Hits) == 0 || results.Hits[0].Canon != "Turn9" {
			t.Errorf("%+v, %v", results, err)
		}
	}
}

// TestConcurrentUse searches while files change and are indexed.
func TestConcurrentUse(t *testing.T) {
	p := open(t, sample)
	p.update()
	var group sync.WaitGroup
	defer group.Wait()
	for range 3 {
		group.Go(func() {
			for range 30 {
				results, err := p.index.Search(t.Context(), index.Query{Text: "Server.Shutdown gracefully"})
				if err != nil || len(results.Hits) == 0 || results.Hits[0].Canon != "Server::Shutdown" {
					t.Errorf("searching during updates: %+v, %v", results, err)
					return
				}
				if _, err := p.index.Overlay(nil).Occurrences(t.Context(), "Shutdown"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 15 {
		p.write("turn.go", fmt.Sprintf("package p\nfunc Turn%d() {}\n", i))
		p.update()
		if err := p.index.SetBuffer(t.Context(), p.path("parse.py"), fmt.Appendf(nil, "def turn%d(): pass\n", i)); err != nil {
			t.Error(err)
		}
	}
}
