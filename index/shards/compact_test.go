package shards

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/workspace"
)

// openTestSet opens the set of a folder with one file, with that logger.
func openTestSet(t *testing.T, log *slog.Logger, text string) (x *Set, path string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "a.go")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err = Open(t.Context(), ws, Options{Dir: func(string) string { return state }, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if _, err := x.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	x.Settle()
	return x, path
}

// TestATransactionEndsWithItsContext writes after the end of a context, which rolls the transaction back on another
// goroutine.
func TestATransactionEndsWithItsContext(t *testing.T) {
	x, _ := openTestSet(t, nil, "package a\n")
	ctx, cancel := context.WithCancel(t.Context())
	err := x.all()[0].db.transact(ctx, func(tx *sql.Tx) error {
		cancel()
		for {
			if err := setMeta(tx, "written", 1); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestClosingDuringBackgroundWorkIsSilent closes an index while work in the background fails because of it.
func TestClosingDuringBackgroundWorkIsSilent(t *testing.T) {
	var log bytes.Buffer
	x, _ := openTestSet(t, slog.New(slog.NewTextHandler(&log, nil)), "package a\n")
	x.inBackground("a failure", "", func(context.Context) error { return errors.New("no luck") })
	x.Settle()
	if !bytes.Contains(log.Bytes(), []byte("no luck")) {
		t.Errorf("a failure is not logged: %s", &log)
	}
	log.Reset()
	x.inBackground("the end", "", func(ctx context.Context) error {
		<-ctx.Done()
		return errors.New("sql: transaction has already been committed or rolled back")
	})
	if err := x.Close(); err != nil || log.Len() > 0 {
		t.Errorf("closing: %v; the log: %s", err, &log)
	}
}
