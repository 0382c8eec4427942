package peer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"ploke-lsp/internal/disk"
)

// meetingPlaces is the name of the folder with the places of all folders that are open.
const meetingPlaces = "twins"

// Dirs returns the places where the processes meet that have the folder root open. The first is in the state folder.
// The others depend on nothing but the user: environment variables decide which state folder a process has, and MCP
// clients, cron, ssh and containers pass on only some of them. The second is where the state folder is without
// variables, in the home folder that the system's account database names. The last is for disks without sockets, and
// for users without a home folder. A place is left out if the paths of its sockets would be too long.
func Dirs(stateDir, root string) (dirs []string) {
	around := []string{filepath.Join(realPath(stateDir), meetingPlaces)}
	if home := accountHome(); home != "" {
		around = append(around, filepath.Join(realPath(filepath.Join(home, userState)), meetingPlaces))
	}
	for _, dir := range append(around, filepath.Join("/tmp", "ploke-lsp-"+strconv.Itoa(os.Geteuid()))) {
		dir = filepath.Join(dir, digest(root))
		if len(dir)+len("/")+2*nameBytes+len(newSuffix) <= maxPath && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// StateID names a state folder, for peers.
func StateID(stateDir string) string { return digest(realPath(stateDir)) }

// realPath returns a path without links, if there is something.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// accountHome returns the user's home folder as the account database has it, "" if it is no folder of the user.
func accountHome() string {
	account, err := user.Current()
	if err != nil {
		return ""
	}
	if info, err := os.Stat(account.HomeDir); err != nil || !info.IsDir() || !isOwn(info) {
		return ""
	}
	return account.HomeDir
}

func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// makePrivate creates a folder of [Dirs] and those around it. It fails if another user could
// enter the folder or the one around it.
func makePrivate(dir string) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(dir)), 0o700); err != nil {
		return err
	}
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return checkPrivate(dir)
}

// checkPrivate fails if another user could enter a folder of [Dirs] or the one around it.
func checkPrivate(dir string) error {
	for _, d := range []string{filepath.Dir(dir), dir} {
		info, err := os.Lstat(d)
		if err != nil {
			return err
		}
		if !info.IsDir() || info.Mode().Perm() != 0o700 || !isOwn(info) {
			return fmt.Errorf("%s is not a folder that only you can enter; remove it", d)
		}
	}
	return nil
}

// A socket is that of a process, which has the same name in each place.
type socket struct {
	name  string
	paths []string
}

// maxEntries is how many files of a folder are looked at.
const maxEntries = 10_000

// socketsIn returns the sockets in places, in the order of their names. A place that is not there has none.
func socketsIn(dirs []string) (found []socket, err error) {
	paths := map[string][]string{}
	var failed []error
	for _, dir := range dirs {
		names, err := socketNames(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
		for _, name := range names {
			paths[name] = append(paths[name], filepath.Join(dir, name))
		}
	}
	for name, all := range paths {
		found = append(found, socket{name, all})
	}
	slices.SortFunc(found, func(a, b socket) int { return cmp.Compare(a.name, b.name) })
	return found, errors.Join(failed...)
}

// socketNames returns the names of the sockets in a place on which a process listens, or has listened.
func socketNames(dir string) (names []string, err error) {
	if err := checkPrivate(dir); err != nil {
		return nil, err
	}
	entries, err := firstEntries(dir)
	for _, e := range entries {
		if e.Type() == fs.ModeSocket && filepath.Ext(e.Name()) != newSuffix {
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

// dial connects to a process. It does not wait: the system answers at once whether one listens. The socket of a
// process that has died is removed.
func (s *socket) dial() (conn *net.UnixConn, err error) {
	for _, path := range s.paths {
		if conn, err = net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"}); err == nil {
			return conn, nil
		}
		if errors.Is(err, syscall.ECONNREFUSED) {
			os.Remove(path)
		}
	}
	return nil, err
}

const (
	// sweptAge is how long nothing has changed in a place that is swept, so that no process enters it now.
	sweptAge = time.Hour
	// maxSwept is how many places a process sweeps.
	maxSwept = 100
)

// sweep removes what processes that have died have left in the places of other folders, into which no process may come
// again.
func sweep(ctx context.Context, dirs []string) {
	for _, dir := range dirs {
		around := filepath.Dir(dir)
		others, _ := firstEntries(around) // what can't be read stays
		swept := 0
		for _, other := range others {
			info, err := other.Info()
			if err != nil || !info.IsDir() || time.Since(info.ModTime()) < sweptAge {
				continue
			}
			if swept++; swept > maxSwept || ctx.Err() != nil {
				break
			}
			sweepOne(filepath.Join(around, other.Name()))
		}
	}
}

// sweepOne removes a place in which no process is.
func sweepOne(dir string) {
	left, _ := socketsIn([]string{dir})
	for _, one := range left {
		if conn, err := one.dial(); err == nil {
			conn.Close()
			return
		}
	}
	os.Remove(dir) // fails unless it is empty
}
