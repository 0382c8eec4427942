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

// watch hears of the opening of files.
type watch struct {
	queue   *os.File
	folders map[int32]string // by the kernel's number
	wanted  map[string]bool
	opened  map[string]bool
	last    *os.File // whose opening ends it
	ended   chan error
}

// watchOpens starts to listen for files that anybody opens under the paths that are
// listed. Rules for what to ignore are not among them: these are read at each start.
func watchOpens(files []listed) (*watch, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	w := &watch{
		queue: os.NewFile(uintptr(fd), "inotify"), folders: map[int32]string{},
		wanted: map[string]bool{}, opened: map[string]bool{}, ended: make(chan error, 1),
	}
	if err := w.add(fd, files); err != nil {
		w.queue.Close()
		return nil, err
	}
	go func() { w.ended <- w.listen() }()
	return w, nil
}

// add watches the folders of the files, and the file that ends the watch.
func (w *watch) add(fd int, files []listed) error {
	var err error
	if w.last, err = os.CreateTemp("", "ploke-bench-watch-*"); err != nil {
		return err
	}
	places := []string{w.last.Name()}
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
		w.folders[int32(number)] = place
	}
	return nil
}

var errLast = errors.New("the watch ends")

// listen takes events until the last one.
func (w *watch) listen() error {
	buffer := make([]byte, 64<<10)
	for {
		n, err := w.queue.Read(buffer)
		if err == nil {
			err = w.take(buffer[:n])
		}
		if errors.Is(err, errLast) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// take takes the events of one read: number, mask, cookie, length of the name, name.
func (w *watch) take(events []byte) error {
	for len(events) >= syscall.SizeofInotifyEvent {
		number := int32(binary.NativeEndian.Uint32(events))
		mask := binary.NativeEndian.Uint32(events[4:])
		length := int(binary.NativeEndian.Uint32(events[12:]))
		name := strings.TrimRight(string(events[syscall.SizeofInotifyEvent:][:length]), "\x00")
		events = events[syscall.SizeofInotifyEvent+length:]
		path := filepath.Join(w.folders[number], name)
		switch {
		case mask&syscall.IN_Q_OVERFLOW != 0:
			return errors.New("the kernel has dropped events: raise fs.inotify.max_queued_events")
		case path == w.last.Name():
			return errLast
		case w.wanted[path]:
			w.opened[path] = true
		}
	}
	return nil
}

// stop returns the files that were opened so far.
func (w *watch) stop() ([]string, error) {
	defer w.queue.Close()
	defer os.Remove(w.last.Name())
	defer w.last.Close()
	again, err := os.Open(w.last.Name())
	if err != nil {
		return nil, err
	}
	again.Close()
	err = <-w.ended
	return slices.Sorted(maps.Keys(w.opened)), err
}
