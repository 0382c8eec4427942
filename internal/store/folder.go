package store

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Folder is where the databases of one workspace folder live beneath the state
// folder: its base name, for people, and a hash of the whole path, so that two
// folders of the same name stay apart. An empty root is a session without any
// folder.
func Folder(stateDir, root string) string {
	if root == "" {
		return filepath.Join(stateDir, "no-folder")
	}
	sum := sha256.Sum256([]byte(root))
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, filepath.Base(root))
	return filepath.Join(stateDir, name+"-"+hex.EncodeToString(sum[:6]))
}
