package peer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"time"
)

// meetingPlaces is the name of the folder with the places of all folders that are open.
const meetingPlaces = "twins"

// Dirs returns the places where the processes meet that have the folder root open. The first is in the state folder.
// The others depend on nothing but the user: environment variables decide which state folder a process has, and MCP
// clients, cron, ssh and containers pass on only some of them. The second is where the state folder is without
// variables, in the home folder that the system's account database names. Some systems have a last one. A place is left
// out if the paths of its addresses would be too long.
func Dirs(stateDir, root string) (dirs []string) {
	around := []string{filepath.Join(realPath(stateDir), meetingPlaces)}
	if home := accountHome(); home != "" {
		around = append(around, filepath.Join(realPath(filepath.Join(home, userState)), meetingPlaces))
	}
	if last := lastPlace(); last != "" {
		around = append(around, last)
	}
	for _, dir := range around {
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
		if !info.IsDir() || !isPrivate(info) {
			return fmt.Errorf("%s is not a folder that only you can enter; remove it", d)
		}
	}
	return nil
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
	left, _ := addressesIn([]string{dir})
	for _, one := range left {
		if conn, err := one.dial(); err == nil {
			conn.Close()
			return
		}
	}
	os.Remove(dir) // fails unless it is empty
}
