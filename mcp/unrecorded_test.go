package mcp_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/mcp"
)

// TestWhatIsWrittenAndNotRecordedIsNotSaidToWait has the store fail once an edit is written, without a question and after one.
func TestWhatIsWrittenAndNotRecordedIsNotSaidToWait(t *testing.T) {
	state := ""
	w := newWorld(t, func(o *mcp.Options) { o.Apply, state = true, o.Project.StateDir })
	w.write("Makefile", makefile)
	c := w.connect(&sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "accept"}, nil
	}})
	all, err := filepath.Glob(filepath.Join(state, "*", "state.db"))
	if err != nil || len(all) != 1 {
		t.Fatalf("the databases are %q: %v", all, err)
	}
	db, err := sql.Open("sqlite3", "file:"+all[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER fail BEFORE UPDATE ON proposals WHEN length(NEW.in_flight) < length(OLD.in_flight)
		BEGIN SELECT RAISE(ABORT, 'disk full'); END`); err != nil {
		t.Fatal(err)
	}
	for file, words := range map[string][2]string{"greet.go": {`"hello "`, `"hi "`}, "Makefile": {"echo old", "echo new"}} {
		text, _, failed := c.try("edit", edit(file, words[0], words[1]))
		says := strings.HasPrefix(text, "error: the files are written, but it could not be recorded") && strings.Contains(text, "disk full")
		if !failed || !says || !strings.Contains(w.read(file), words[1]) {
			t.Errorf("%s reads %q: %s", file, w.read(file), text)
		}
	}
}
