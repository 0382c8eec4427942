package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// RemovedError is the error for an open database whose file was removed or replaced. What
// is committed to it is lost when this program ends.
type RemovedError struct {
	Path string
	Err  error // why the file can't be found; nil if another one has its place
}

func (e *RemovedError) Error() string {
	what := "was removed"
	switch {
	case e.Err == nil:
		what = "was replaced"
	case !errors.Is(e.Err, fs.ErrNotExist):
		what = fmt.Sprintf("can't be read (%v)", e.Err)
	}
	return fmt.Sprintf("the state folder %s %s while ploke-lsp was running, so nothing can be stored: restart "+
		"ploke-lsp, in an editor its language server",
		filepath.Dir(e.Path), what)
}

func (e *RemovedError) Unwrap() error { return e.Err }

// OnRemoved sets a function that is called once, when a commit finds that the file was
// removed or replaced. It must be set before the first commit.
func (db *DB) OnRemoved(report func(*RemovedError)) {
	db.onRemoved = report
}

// checkPlace returns a [*RemovedError] unless the path still names the open file.
func (db *DB) checkPlace() error {
	now, err := os.Stat(db.path)
	if err == nil && os.SameFile(now, db.file) {
		return nil
	}
	removed := &RemovedError{db.path, err}
	db.removed.Do(func() {
		if db.onRemoved != nil {
			db.onRemoved(removed)
		}
	})
	return removed
}
