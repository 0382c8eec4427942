package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ploke-lsp/internal/store"
)

// newerState gives the state of a folder a later version: newer-state w 99.
func newerState(ts *testscript.TestScript, _ bool, args []string) {
	setStateVersion(ts, filepath.Join(indexFolder(ts, args[0]), "state.db"), args[1])
}

// copyOfUpgrade puts a copy from before an upgrade beside the state of a folder, and sets $COPY to its path.
func copyOfUpgrade(ts *testscript.TestScript, _ bool, args []string) {
	path := filepath.Join(indexFolder(ts, args[0]), "state.db")
	migrations, err := filepath.Glob("../../internal/store/migrations/*.sql")
	ts.Check(err)
	version := fmt.Sprint(len(migrations))
	data, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.WriteFile(path+".schema-"+version, data, 0o600))
	setStateVersion(ts, path+".schema-"+version, version)
	ts.Setenv("COPY", path+".schema-"+version)
}

// damageState overwrites the state of a folder with other data.
func damageState(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(filepath.Join(indexFolder(ts, args[0]), "state.db"), []byte(strings.Repeat("no database ", 1000)), 0o600))
}

func setStateVersion(ts *testscript.TestScript, path, version string) {
	db, err := sql.Open("sqlite3", "file:"+path)
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec("PRAGMA user_version = " + version)
	ts.Check(err)
}

// TestStateOfEachRelease works with the state that each release has left: scripts/state-of-release.sh
// says what was done in it.
func TestStateOfEachRelease(t *testing.T) {
	const folder = "/tmp/ploke-lsp-state-of-release/w"
	kept, err := filepath.Glob("../../internal/store/testdata/releases/*.db")
	check(t, err)
	for _, release := range kept {
		t.Run(strings.TrimSuffix(filepath.Base(release), ".db"), func(t *testing.T) {
			state := t.TempDir()
			root, err := filepath.EvalSymlinks(t.TempDir())
			check(t, err)
			file := filepath.Join(root, "a.go")
			check(t, os.WriteFile(file, []byte("package a\n\nfunc first() {}\n\nfunc next() { first() }\n"), 0o600))
			path := filepath.Join(store.Folder(state, root), "state.db")
			data, err := os.ReadFile(release)
			check(t, err)
			check(t, os.MkdirAll(filepath.Dir(path), 0o700))
			check(t, os.WriteFile(path, data, 0o600))
			moved, err := json.Marshal(file)
			check(t, err)
			change(t, path, fmt.Sprintf(`UPDATE proposal_changes SET change = replace(change, '%q', '%s')`, folder+"/a.go", moved))

			run := func(args ...string) string {
				t.Helper()
				out, err := program(t, append([]string{args[0], "--state-dir", state, "--workspace", root}, args[1:]...)...).CombinedOutput()
				if err != nil {
					t.Fatalf("%q: %v\n%s", args, err, out)
				}
				return string(out)
			}
			list := run("proposals")
			id := func(status string) string {
				before, _, found := strings.Cut(list, "  "+status)
				if !found {
					t.Fatalf("no proposal is %s:\n%s", status, list)
				}
				return before[strings.LastIndexByte(before, '\n')+1:]
			}
			expect := func(first, second string) {
				t.Helper()
				want := fmt.Sprintf("package a\n\nfunc %s() {}\n\nfunc %s() { %[1]s() }\n", first, second)
				if text, _ := os.ReadFile(file); string(text) != want {
					t.Errorf("got\n%s\nwant\n%s", text, want)
				}
			}
			waiting, accepted := id("staged"), id("verified")
			run("proposals", "accept", waiting)
			expect("initial", "next")
			run("proposals", "undo", waiting)
			run("proposals", "undo", accepted)
			expect("first", "second")
			if ledger := run("ledger", "--all"); !strings.Contains(ledger, "a.go") {
				t.Errorf("the ledger is\n%s", ledger)
			}
		})
	}
}
