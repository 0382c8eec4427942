package peer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Dirs returns where the processes may meet that have the folder root open with a state folder: in the first of these
// folders in which they can listen. They do not depend on environment variables, of which MCP clients pass on only a
// few. The first is in the state folder; it is left out if the paths of its sockets would be too long. The other is for
// that, and for disks without sockets.
func Dirs(stateDir, root string) []string {
	if real, err := filepath.EvalSymlinks(stateDir); err == nil {
		stateDir = real
	}
	dirs := []string{
		filepath.Join(stateDir, "twins", digest(root)),
		filepath.Join("/tmp", "ploke-lsp-"+strconv.Itoa(os.Geteuid()), digest(stateDir+"\x00"+root)),
	}
	if len(dirs[0])+len("/")+2*nameBytes+len(newSuffix) > maxPath {
		return dirs[1:]
	}
	return dirs
}

func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// makePrivate creates a folder of [Dirs] and the one around it. It fails if another user could
// enter one of them.
func makePrivate(dir string) error {
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
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
