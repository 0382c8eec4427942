package trial

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"
)

// Moved reports whether a folder has changed since a time: whether a file in it was written, made, removed, renamed or
// got another mode. Folders for which skip returns true, and those of git, don't count.
//
// It goes by the times that the system itself keeps, which no program can set back, so it needs one walk and no
// memory of what was there. It misses what happens within a tick of the system's clock (at most 10 ms) after since, and
// all of it on a disk whose server's clock is late. It also returns true for what makes no difference to a reader, such
// as an editor's temporary file. Where the system keeps no such times (not Linux), it goes by times of modification,
// and a program that sets these goes unseen.
func Moved(folder string, since time.Time, skip func(folder string) bool) (bool, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return true, err
	}
	defer root.Close()
	moved := false
	err = fs.WalkDir(root.FS(), ".", func(p string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && p != "." && (path.Base(p) == ".git" || skip(p)) {
			return fs.SkipDir
		}
		info, err := infoOf(entry, err)
		if err == nil && (info == nil || ChangedAt(info).After(since)) {
			moved = true
			return fs.SkipAll
		}
		if errors.Is(err, fs.ErrPermission) {
			return nil // what we can't read, a command could not either
		}
		return err
	})
	return moved, err
}
