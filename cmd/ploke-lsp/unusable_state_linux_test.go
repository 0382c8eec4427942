package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/store"
)

// TestACommandThatCannotOpenItsStateEnds runs the program with a state folder that it
// can't use. Each command that needs conversations fails and says why. The others end,
// and a failure says something.
func TestACommandThatCannotOpenItsStateEnds(t *testing.T) {
	database := func(root, state string) string { return filepath.Join(store.Folder(state, root), "state.db") }
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, path string)
		says   string
	}{
		{"garbage", func(t *testing.T, path string) {
			check(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
		}, "state.db: file is not a database"},
		{"a newer schema", func(t *testing.T, path string) {
			change(t, path, `PRAGMA user_version = 99`)
		}, "state.db has schema version 99"},
		{"a full disk", func(t *testing.T, path string) {
			change(t, path, `
				INSERT INTO conversations (id, created_at, updated_at) VALUES ('c', 1, 1);
				INSERT INTO messages (id, conversation_id, role, status, created_at, updated_at) VALUES ('m', 'c', 'assistant', 'pending', 1, 1);
				CREATE TRIGGER full BEFORE UPDATE ON messages BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
		}, "database or disk is full"},
		{"a read-only folder", func(t *testing.T, path string) {
			check(t, os.Chmod(filepath.Dir(path), 0o500))
		}, "state.db: "},
		{"a read-only state folder", func(t *testing.T, path string) {
			check(t, os.RemoveAll(filepath.Dir(path)))
			check(t, os.Chmod(filepath.Dir(filepath.Dir(path)), 0o500))
		}, "permission denied"},
		{"a file instead of the folder", func(t *testing.T, path string) {
			check(t, os.RemoveAll(filepath.Dir(path)))
			check(t, os.WriteFile(filepath.Dir(path), nil, 0o600))
		}, "not a directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state, root := t.TempDir(), manyFiles(t, 1)
			path := database(root, state)
			change(t, path, `PRAGMA user_version`)
			tt.damage(t, path)
			for _, args := range [][]string{{"ask", "--no-wait", "x"}, {"ask", "x"}, {"ask", "--json", "x"}, {"proposals"}, {"ledger"}} {
				args = append([]string{args[0], "--state-dir", state, "--workspace", root}, args[1:]...)
				code, out, errors := runWithoutPrivileges(t, args...)
				if code != 1 || out != "" || !strings.Contains(errors, "ploke-lsp "+args[0]+": ") || !strings.Contains(errors, tt.says) {
					t.Errorf("%v: exit status %d; it should say %q: %s%s", args, code, tt.says, out, errors)
				}
			}
			for _, args := range [][]string{{"index"}, {"search", "File0"}, {"doctor"}, {"backup", filepath.Join(root, "b.db")}, {"restore", filepath.Join(root, "none.db")}} {
				args = append([]string{args[0], "--state-dir", state, "--workspace", root}, args[1:]...)
				code, out, errors := runWithoutPrivileges(t, args...)
				if code < 0 || code > 1 || code == 1 && !strings.Contains(errors, "ploke-lsp "+args[0]+": ") {
					t.Errorf("%v: exit status %d: %s%s", args, code, out, errors)
				}
			}
			check(t, os.Chmod(state, 0o700))
			os.Chmod(filepath.Dir(path), 0o700)
		})
	}
}

// runWithoutPrivileges runs the program until it ends. If the test runs as root, the
// program has to respect the permissions of files all the same.
func runWithoutPrivileges(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	link := program(t).Path
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, link, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = ofTerminal(t), &stdout, &stderr
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_DAC_OVERRIDE, 0, 0, 0); err != nil {
				started <- err
				return
			}
		}
		started <- cmd.Start()
	}()
	check(t, <-started)
	err := cmd.Wait()
	if ctx.Err() != nil {
		t.Fatalf("%v does not end: %s", args, stderr.String())
	}
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}
