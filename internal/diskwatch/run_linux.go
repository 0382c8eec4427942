package diskwatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// limitFile says how many watches a user may have.
const limitFile = "/proc/sys/fs/inotify/max_user_watches"

// share is the part of the limit that one process takes at most: other programs watch files, too.
const share = 4

func run(ctx context.Context, o Options) error {
	limit, err := readLimit()
	if err != nil {
		return err
	}
	return runWithin(ctx, o, limit/share)
}

func readLimit() (int, error) {
	data, err := os.ReadFile(limitFile)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(data)))
}

// runWithin is run with at most limit watches.
func runWithin(ctx context.Context, o Options, limit int) error {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer events.Close()
	folders := map[string]bool{}
	err = o.Folders(ctx, func(dir string) error {
		if len(folders) == limit {
			return fmt.Errorf("there are more than %d folders, a quarter of what %s allows", limit, limitFile)
		}
		if err := checkLocal(dir); err != nil {
			return err
		}
		folders[dir] = true
		err := events.Add(dir)
		if errors.Is(err, os.ErrNotExist) {
			return nil // removed since; the folder around it says so
		}
		return err
	})
	if err != nil {
		return err
	}
	o.Ready()
	for {
		select {
		case e := <-events.Events:
			o.Changed(e.Name)
			if outdates(e, folders) || o.Decides(filepath.Base(e.Name)) {
				return ErrOutdated
			}
		case err := <-events.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				return ErrOutdated
			}
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// outdates reports whether there is a folder that is not watched, or that is watched under an old name,
// after an event.
func outdates(e fsnotify.Event, folders map[string]bool) bool {
	if e.Has(fsnotify.Create) {
		info, err := os.Lstat(e.Name)
		return err == nil && info.IsDir()
	}
	return e.Has(fsnotify.Rename) && folders[e.Name]
}
