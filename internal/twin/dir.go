package twin

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

// Dir returns where the processes meet that have a folder open. key names the folder and whatever
// else they must have in common. getenv looks up environment variables: the place is in
// XDG_RUNTIME_DIR, else in the system's folder for temporary files.
func Dir(getenv func(string) string, key string) string {
	base := filepath.Join(os.TempDir(), "ploke-lsp-"+strconv.Itoa(os.Geteuid()))
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		base = filepath.Join(dir, "ploke-lsp")
	}
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(base, hex.EncodeToString(sum[:8]))
}

// makePrivate creates a folder of [Dir] and the one around it. It fails if somebody else could
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
			return fmt.Errorf("%s is not a folder that only you can enter; remove it, or set XDG_RUNTIME_DIR", d)
		}
	}
	return nil
}
