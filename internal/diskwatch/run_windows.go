package diskwatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A change is what the system says about one path, or why it says nothing more.
type change struct {
	path   string
	action uint32 // FILE_ACTION_…
	err    error
}

func run(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	var reading sync.WaitGroup
	defer reading.Wait()
	defer stop()
	changes := make(chan change)
	folders := map[string]bool{}
	var trees []*tree
	err := o.Folders(ctx, func(dir string) error {
		folders[dir] = true
		for _, t := range trees {
			if strings.HasPrefix(dir, t.prefix) {
				return nil // the system reports what is in the tree
			}
		}
		t, err := openTree(dir)
		if err != nil {
			return err
		}
		trees = append(trees, t)
		reading.Go(func() { t.read(ctx, changes) })
		return nil
	})
	if err != nil {
		return err
	}
	o.Ready()
	for {
		select {
		case c := <-changes:
			if c.err != nil {
				return c.err
			}
			if !folders[filepath.Dir(c.path)] {
				continue // it is in a folder that o.Folders leaves out
			}
			if c.action == windows.FILE_ACTION_MODIFIED && folders[c.path] {
				continue // what has changed in the folder is reported by itself
			}
			o.Changed(c.path)
			if c.outdates(folders) || o.Decides(filepath.Base(c.path)) {
				return ErrOutdated
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// outdates reports whether there is a folder that o.Folders has not entered, or that has left its place. The
// system says nothing about the files in such a folder.
func (c change) outdates(folders map[string]bool) bool {
	switch c.action {
	case windows.FILE_ACTION_ADDED, windows.FILE_ACTION_RENAMED_NEW_NAME:
		info, err := os.Lstat(c.path)
		return err == nil && info.IsDir()
	case windows.FILE_ACTION_REMOVED, windows.FILE_ACTION_RENAMED_OLD_NAME:
		return folders[c.path]
	}
	return false
}

// A tree is a folder whose changes, and those of all folders in it, the system reports to one handle. So
// the folders in it can be renamed and removed.
type tree struct {
	prefix string // the folder's path with a separator at its end
	handle windows.Handle
	buffer []byte // the system writes in it while a read runs
	wait   windows.Overlapped
}

// bufferSize is how many bytes of reports the system keeps between two reads, in a buffer of its own. It
// takes about a thousand changes.
const bufferSize = 64 << 10

// reported is what the system reports: names that come and go, and contents that may have changed.
const reported = windows.FILE_NOTIFY_CHANGE_FILE_NAME | windows.FILE_NOTIFY_CHANGE_DIR_NAME |
	windows.FILE_NOTIFY_CHANGE_SIZE | windows.FILE_NOTIFY_CHANGE_LAST_WRITE | windows.FILE_NOTIFY_CHANGE_CREATION

// openTree opens a folder. The system reports what changes from then on.
func openTree(dir string) (*tree, error) {
	if err := checkLocal(dir); err != nil {
		return nil, err
	}
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return nil, err
	}
	event, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("create an event: %w", err)
	}
	handle, err := windows.CreateFile(name, windows.FILE_LIST_DIRECTORY,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OVERLAPPED, 0)
	if err != nil {
		windows.CloseHandle(event)
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	t := &tree{
		prefix: strings.TrimSuffix(dir, `\`) + `\`,
		handle: handle,
		buffer: make([]byte, bufferSize),
		wait:   windows.Overlapped{HEvent: event},
	}
	if err := t.begin(); err != nil {
		t.close()
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	return t, nil
}

func (t *tree) close() {
	windows.CloseHandle(t.handle)
	windows.CloseHandle(t.wait.HEvent)
}

// begin begins a read. It does not wait for changes.
func (t *tree) begin() error {
	return windows.ReadDirectoryChanges(t.handle, &t.buffer[0], uint32(len(t.buffer)), true, reported, nil, &t.wait, 0)
}

// read sends what changes in the tree until ctx ends, or after an error. It closes the tree.
func (t *tree) read(ctx context.Context, changes chan<- change) {
	defer t.close()
	send := func(c change) bool {
		select {
		case changes <- c:
			return true
		case <-ctx.Done():
			return false
		}
	}
	cancel := func() { windows.CancelIoEx(t.handle, &t.wait) }
	defer context.AfterFunc(ctx, cancel)()
	for {
		if ctx.Err() != nil {
			cancel() // this read may have begun after the one that ctx has canceled
		}
		var size uint32
		err := windows.GetOverlappedResult(t.handle, &t.wait, &size, true)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR), err == nil && size == 0:
			send(change{err: ErrOutdated}) // there were more changes than the system keeps
			return
		case err != nil:
			send(change{err: fmt.Errorf("watch %s: %w", t.prefix, err)})
			return
		}
		for _, c := range t.parse(t.buffer[:size]) {
			if !send(c) {
				return
			}
		}
		if err := t.begin(); err != nil {
			send(change{err: fmt.Errorf("watch %s: %w", t.prefix, err)})
			return
		}
	}
}

// parse returns the changes that the system has written to a buffer, a chain of FILE_NOTIFY_INFORMATION.
func (t *tree) parse(buffer []byte) []change {
	var changes []change
	for {
		info := (*windows.FileNotifyInformation)(unsafe.Pointer(&buffer[0]))
		name := windows.UTF16ToString(unsafe.Slice(&info.FileName, info.FileNameLength/2))
		c := change{path: t.prefix + name, action: info.Action}
		if mayBeShort(name) {
			if path, err := longPath(c.path); err == nil {
				c.path = path
			} else {
				c = change{err: ErrOutdated} // it is gone, and nothing tells its long name
			}
		}
		changes = append(changes, c)
		if info.NextEntryOffset == 0 {
			return changes
		}
		buffer = buffer[info.NextEntryOffset:]
	}
}

// mayBeShort reports whether a part of a path may be a short name, such as PROGRA~1. The system reports the
// name by which a program has opened the file.
func mayBeShort(path string) bool {
	for part := range strings.SplitSeq(path, `\`) {
		if at := strings.IndexByte(part, '~'); at > 0 && at < len(part)-1 && len(part) <= len("8LETTERS.EXT") {
			return true
		}
	}
	return false
}

// longPath returns a path with the long names of its parts.
func longPath(path string) (string, error) {
	short, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	long := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetLongPathName(short, &long[0], uint32(len(long)))
	if err != nil {
		return "", err
	}
	return windows.UTF16ToString(long[:n]), nil
}

// checkLocal fails for a folder on another machine.
func checkLocal(dir string) error {
	name, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	if err != nil {
		return err
	}
	if windows.GetDriveType(name) == windows.DRIVE_REMOTE {
		return fmt.Errorf("%s is on another machine, which need not report its changes", dir)
	}
	return nil
}
