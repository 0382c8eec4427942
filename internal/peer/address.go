package peer

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ploke-lsp/internal/disk"
)

// An address is that of a process. It has the same name in each place, where it is a file: a socket, or one with the
// name of a pipe.
type address struct {
	name  string
	paths []string
}

// maxEntries is how many files of a folder are looked at.
const maxEntries = 10_000

// addressesIn returns the addresses in places, in the order of their names. A place that is not there has none.
func addressesIn(dirs []string) (found []address, err error) {
	paths := map[string][]string{}
	var failed []error
	for _, dir := range dirs {
		names, err := addressNames(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
		for _, name := range names {
			paths[name] = append(paths[name], filepath.Join(dir, name))
		}
	}
	for name, all := range paths {
		found = append(found, address{name, all})
	}
	slices.SortFunc(found, func(a, b address) int { return cmp.Compare(a.name, b.name) })
	return found, errors.Join(failed...)
}

// addressNames returns the names of the addresses in a place at which a process listens, or has listened.
func addressNames(dir string) (names []string, err error) {
	if err := checkPrivate(dir); err != nil {
		return nil, err
	}
	entries, err := firstEntries(dir)
	for _, e := range entries {
		if isAddress(e) && filepath.Ext(e.Name()) != newSuffix {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// firstEntries returns at most maxEntries of what is in a folder.
func firstEntries(dir string) ([]fs.DirEntry, error) {
	folder, err := disk.OpenToRead(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	entries, err := folder.ReadDir(maxEntries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

// dial connects to a process. It does not wait: the error is errBusy if the process does not let others in right now.
// The address of a process that has died is removed.
func (a *address) dial() (conn net.Conn, err error) {
	for _, path := range a.paths {
		if conn, err = dialAt(path); err == nil {
			return conn, nil
		}
		if errors.Is(err, errNobody) {
			os.Remove(path)
		}
	}
	return nil, err
}

// maxBusyPause is how long a process waits at most before it tries again to connect to a busy one.
const maxBusyPause = time.Second

// await connects to a process once it lets others in.
func (a *address) await(ctx context.Context) (conn net.Conn, err error) {
	for pause := time.Millisecond; ; pause = min(2*pause, maxBusyPause) {
		if conn, err = a.dial(); !errors.Is(err, errBusy) {
			return conn, err
		}
		if !sleep(ctx, pause) {
			return nil, err
		}
	}
}
