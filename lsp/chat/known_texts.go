package chat

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/disk"
)

const (
	maxKnownTexts = 8   // of one path, the newest ones
	maxKnownPaths = 500 // others are forgotten
)

// knownTexts remembers the texts of chat documents that this state folder has written, or that were saved after
// the person vouched for them. A text that is not known may come from anywhere, whatever ids it holds. It is
// safe for concurrent use; a text that two processes add at once may be forgotten.
type knownTexts struct {
	file string

	mu sync.Mutex
}

// has reports whether a text is known at a path.
func (k *knownTexts) has(path, text string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	all, err := k.read()
	return err == nil && slices.Contains(all[path], hashOf(text))
}

// add remembers a text at a path.
func (k *knownTexts) add(path, text string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	all, err := k.read()
	if err != nil || len(all) > maxKnownPaths {
		all = map[string][]string{}
	}
	hash := hashOf(text)
	if slices.Contains(all[path], hash) {
		return nil
	}
	known := append(all[path], hash)
	all[path] = known[max(0, len(known)-maxKnownTexts):]
	return k.write(all)
}

func (k *knownTexts) write(all map[string][]string) error {
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.file), 0o700); err != nil {
		return err
	}
	temporary := k.file + ".new"
	if err := os.WriteFile(temporary, raw, 0o600); err != nil {
		return err
	}
	return disk.Rename(temporary, k.file)
}

func (k *knownTexts) read() (all map[string][]string, err error) {
	raw, err := os.ReadFile(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]string{}, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	return all, err
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
