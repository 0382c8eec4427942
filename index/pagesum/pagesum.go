package pagesum

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdlib.h>
int pagesum_register(const char *name);
*/
import "C"

import (
	"errors"
	"fmt"

	sqlite "github.com/mattn/go-sqlite3"
)

// VFS is the name of the VFS, for the parameter vfs of a database's name.
const VFS = "pagesum"

// sumBytes is the length of a checksum, which SQLite reserves at the end of each page.
const sumBytes = 8

func init() {
	if code := C.pagesum_register(C.CString(VFS)); code != 0 { // SQLite keeps the name
		panic(fmt.Sprintf("registering SQLite's VFS %s: %v", VFS, sqlite.ErrNo(code)))
	}
}

// Prepare makes a new connection ready. It must come before the first statement, which may
// create the database.
func Prepare(c *sqlite.SQLiteConn) error {
	if err := c.SetFileControlInt("main", sqlite.SQLITE_FCNTL_RESERVE_BYTES, sumBytes); err != nil {
		return err
	}
	// A transaction that is written to the log in parts may change a page there. The page's
	// checksum is then wrong until the commit.
	_, err := c.Exec("PRAGMA cache_spill = OFF", nil)
	return err
}

// SQLite's extended result codes for damage: a wrong checksum, a failing disk, a file that
// has become shorter, and a file system that found damage itself.
const (
	ioErrRead      = 10 | 1<<8
	ioErrShortRead = 10 | 2<<8
	ioErrData      = 10 | 32<<8
	ioErrCorruptFS = 10 | 33<<8
)

// Damaged reports whether an error of SQLite means that the database is damaged.
func Damaged(err error) bool {
	var e sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.ExtendedCode {
	case ioErrRead, ioErrShortRead, ioErrData, ioErrCorruptFS:
		return true
	}
	return e.Code == sqlite.ErrCorrupt || e.Code == sqlite.ErrNotADB
}
