// Package disk replaces, removes and identifies files, and makes their bytes and names last,
// where operating systems differ. Each difference is in a file of the system's name.
package disk

import (
	"fmt"
	"os"
	"time"
)

// Windows refuses to replace or remove a file that another program has open. Virus scanners
// and indexers open new files, for some milliseconds.
const (
	patience = time.Second
	pause    = 10 * time.Millisecond
)

// BusyError says that another program keeps a file from being replaced or removed. Only Windows
// has such files.
type BusyError struct {
	Path string
	Err  error // of the last attempt
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is open in another program, or may not be written (%v): close it there, and try again",
		e.Path, e.Err)
}
func (e *BusyError) Unwrap() error { return e.Err }

// Try calls do, which replaces or removes the file path. While another program keeps it from
// that, Try calls it again, for a second at most, and then returns a [*BusyError].
func Try(path string, do func() error) error {
	for began := time.Now(); ; time.Sleep(pause) {
		err := do()
		if err == nil || !busy(err) {
			return err
		}
		if time.Since(began) > patience {
			return &BusyError{path, err}
		}
	}
}

// Rename gives a file another name in its folder, with the patience of [Try].
func Rename(from, to string) error {
	return Try(to, func() error { return rename(from, to) })
}

// Stat is [os.Stat] with a result that tells, by [os.SameFile], whether another file has taken the
// path since. Windows' os.Stat looks at which file it is only when it is compared.
func Stat(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		os.SameFile(info, info)
	}
	return info, err
}
