package shards

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/lease"
)

// writerName is the name of the file that says which process has last locked the index. It may be missing.
const writerName = "index.writer"

// noteWriter notes that this process has locked the index.
func (s *Shard) noteWriter() {
	if s.writer != nil {
		if now, err := os.ReadFile(filepath.Join(s.dir, writerName)); err == nil && string(now) == string(s.writer) {
			return
		}
	}
	var err error
	if s.writer, err = json.Marshal(lease.New("", 0)); err == nil {
		err = os.WriteFile(filepath.Join(s.dir, writerName), s.writer, 0o600)
	}
	if err != nil {
		s.log.Warn("which process writes the index was not noted", "error", err)
	}
}

// A Writer is another process that has locked the index of a folder.
type Writer struct {
	Root string
	lease.Owner
}

// Writers returns the other processes that have now locked the index of a folder.
func (x *Set) Writers() (all []Writer) {
	for _, s := range x.all() {
		if owner := lockedBy(s.dir); owner != nil && (owner.PID != os.Getpid() || owner.Host != lease.Host()) {
			all = append(all, Writer{s.Root, *owner})
		}
	}
	return all
}

// lockedBy returns the process that has locked the index in dir, nil if none has.
func lockedBy(dir string) *lease.Owner {
	lock := flock.New(filepath.Join(dir, lockName))
	free, err := lock.TryLock()
	defer lock.Close() // which unlocks
	if free || err != nil {
		return nil
	}
	var owner lease.Owner
	text, err := os.ReadFile(filepath.Join(dir, writerName))
	if err != nil || json.Unmarshal(text, &owner) != nil {
		return nil
	}
	return &owner
}
