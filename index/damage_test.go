package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// reopenWithNotices reopens the index, and returns the notices that follow.
func (p *project) reopenWithNotices() *[]string {
	p.t.Helper()
	if err := p.index.Close(); err != nil {
		p.t.Fatal(err)
	}
	var notices []string
	options := p.options()
	options.Notice = func(text string) { notices = append(notices, text) }
	var err error
	if p.index, err = index.Open(p.t.Context(), p.ws, options); err != nil {
		p.t.Fatal(err)
	}
	return &notices
}

// TestDeletedWhileOpen deletes the database while the index is open, as a person may.
func TestDeletedWhileOpen(t *testing.T) {
	for _, refresh := range []bool{false, true} {
		p := open(t, sample)
		notices := p.reopenWithNotices()
		p.update()
		if err := p.index.SetBuffer(t.Context(), p.path("new.go"), []byte("package n\nfunc Brandnew() {}\n")); err != nil {
			t.Fatal(err)
		}
		paths, err := filepath.Glob(filepath.Join(p.state, "*"))
		if err != nil || len(paths) < 3 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if refresh {
			if err := p.index.Refresh(t.Context(), []string{p.path("parse.py")}); err != nil {
				t.Fatal(err)
			}
		} else if stats := p.update(); stats.ParsedFiles != 4 {
			t.Errorf("the update parsed %d files, want all 4", stats.ParsedFiles)
		}
		equal(t, "search", []string{"parse.py parse_duration"}, p.search("parse duration")[:1])
		equal(t, "an unsaved text", []string{"new.go Brandnew"}, p.search("brandnew")[:1])
		if len(*notices) != 1 || !strings.Contains((*notices)[0], "built again") {
			t.Errorf("the notices are %q", *notices)
		}
	}
}

// fullState turns this test binary into a process without space for an index, see
// TestFullDisk.
const fullState = "PLOKE_TEST_FULL_STATE"

// TestFullDisk indexes in a process that may only write small files. That is the closest
// to a full disk that needs no privileges.
func TestFullDisk(t *testing.T) {
	p := open(t, sample)
	for n := range 400 {
		p.write(fmt.Sprintf("f%d.go", n), fmt.Sprintf("package p\nfunc Name%d() {}\n", n))
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), indexerRoot+"="+p.root, indexerState+"="+p.state, fullState+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := string(out)
	for _, want := range []string{"no space for the index", "--state-dir", "state failed", "searching fails: <nil>", "then: 404 files"} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
}

// indexOnFullDisk indexes without space, and then with space.
func indexOnFullDisk(root, state string) error {
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		return err
	}
	x, err := index.Open(context.Background(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		return err
	}
	lift, err := testbed.LimitFiles(48 << 10)
	if err != nil {
		return err
	}
	_, err = x.Update(context.Background(), nil)
	fmt.Println(err)
	fmt.Println("state", x.Status().State)
	_, err = x.Search(context.Background(), index.Query{Text: "name"})
	fmt.Println("searching fails:", err)
	if err := lift(); err != nil {
		return err
	}
	stats, err := x.Update(context.Background(), nil)
	if err == nil {
		fmt.Println("then:", stats.Files, "files")
	}
	return err
}

// TestTablesGoneWhileOpen drops a table, as an emptied log of a new database does.
func TestTablesGoneWhileOpen(t *testing.T) {
	for _, table := range []string{"files", "meta"} {
		p := open(t, sample)
		notices := p.reopenWithNotices()
		p.update()
		alter(t, p, "DROP TABLE "+table)
		p.write("new.go", "package n\nfunc Brandnew() {}\n")
		if stats := p.update(); stats.ParsedFiles != 5 {
			t.Errorf("without the table %s the update parsed %d files, want all 5", table, stats.ParsedFiles)
		}
		equal(t, "search", []string{"new.go Brandnew"}, p.search("brandnew")[:1])
		if len(*notices) != 1 || !strings.Contains((*notices)[0], "built again") {
			t.Errorf("the notices are %q", *notices)
		}
	}
}

// TestAQueryThatFindsDamageAsksForAnUpdate once, and works after it.
func TestAQueryThatFindsDamageAsksForAnUpdate(t *testing.T) {
	p := open(t, sample)
	p.update()
	var asked atomic.Int32
	p.index.OnDamage(func() { asked.Add(1) })
	alter(t, p, "DROP TABLE meta")
	for range 2 {
		if _, err := p.index.Search(t.Context(), index.Query{Text: "parse duration"}); !errors.Is(err, index.ErrDamaged) {
			t.Errorf("a query that needs a missing table: %v", err)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it asked for an update %d times, want once", n)
	}
	p.update()
	equal(t, "search", []string{"parse.py parse_duration"}, p.search("parse duration")[:1])
}
