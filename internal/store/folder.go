package store

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Folder returns where the databases of a workspace folder are stored within the state
// folder. The name consists of the folder's base name, for people, and a hash of its path,
// which tells folders with the same name apart. An empty root stands for a session without
// a folder.
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
