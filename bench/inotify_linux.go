package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// openWatcher records which files are opened.
type openWatcher struct {
	events   *os.File
	dirs     map[int32]string // by the kernel's number
	wanted   map[string]bool
	opened   map[string]bool
	sentinel *os.File // whose opening ends it
	done     chan error
}

// watchOpens starts to record which of the listed files any process opens. Ignore files are not
// recorded, since each start reads them.
func watchOpens(files []listedFile) (*openWatcher, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	w := &openWatcher{
		events: os.NewFile(uintptr(fd), "inotify"), dirs: map[int32]string{},
		wanted: map[string]bool{}, opened: map[string]bool{}, done: make(chan error, 1),
	}
	if err := w.add(fd, files); err != nil {
		w.events.Close()
		return nil, err
	}
	go func() { w.done <- w.readEvents() }()
	return w, nil
}

// add watches the folders of the files, and the sentinel file that ends the watch.
func (w *openWatcher) add(fd int, files []listedFile) error {
	var err error
	if w.sentinel, err = os.CreateTemp("", "ploke-bench-watch-*"); err != nil {
		return err
	}
	places := []string{w.sentinel.Name()}
	for _, f := range files {
		if !strings.HasSuffix(f.path, "ignore") {
			w.wanted[f.path] = true
			places = append(places, filepath.Dir(f.path))
		}
	}
	for _, place := range slices.Compact(places) {
		number, err := syscall.InotifyAddWatch(fd, place, syscall.IN_OPEN)
		if err != nil {
			return fmt.Errorf("watching %s: %w", place, err)
		}
		w.dirs[int32(number)] = place
	}
	return nil
}

var errSentinel = errors.New("the watch ends")

// readEvents reads events until the sentinel is opened.
func (w *openWatcher) readEvents() error {
	buffer := make([]byte, 64<<10)
	for {
		n, err := w.events.Read(buffer)
		if err == nil {
			err = w.handleEvents(buffer[:n])
		}
		if errors.Is(err, errSentinel) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// handleEvents decodes the events of one read. Each has a watch descriptor, a mask, a cookie, the
// length of the name, and the name.
func (w *openWatcher) handleEvents(events []byte) error {
	for len(events) >= syscall.SizeofInotifyEvent {
		number := int32(binary.NativeEndian.Uint32(events))
		mask := binary.NativeEndian.Uint32(events[4:])
		length := int(binary.NativeEndian.Uint32(events[12:]))
		name := strings.TrimRight(string(events[syscall.SizeofInotifyEvent:][:length]), "\x00")
		events = events[syscall.SizeofInotifyEvent+length:]
		path := filepath.Join(w.dirs[number], name)
		switch {
		case mask&syscall.IN_Q_OVERFLOW != 0:
			return errors.New("the kernel has dropped events: raise fs.inotify.max_queued_events")
		case path == w.sentinel.Name():
			return errSentinel
		case w.wanted[path]:
			w.opened[path] = true
		}
	}
	return nil
}

// stop returns the files that were opened so far.
func (w *openWatcher) stop() ([]string, error) {
	defer w.events.Close()
	defer os.Remove(w.sentinel.Name())
	defer w.sentinel.Close()
	again, err := os.Open(w.sentinel.Name())
	if err != nil {
		return nil, err
	}
	again.Close()
	err = <-w.done
	return slices.Sorted(maps.Keys(w.opened)), err
}
