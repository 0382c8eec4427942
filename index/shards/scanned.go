package shards

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/internal/workspace"
)

// scanMark is the name of the file in the folder of a shard whose modification time says when the
// last complete scan of its root began, and whose text says with which options. It may be missing.
const scanMark = "scanned"

// markScanned notes that a scan has succeeded, and when it began. If that fails, the index only counts
// as older than it is.
func (s *Shard) markScanned(began time.Time, o workspace.Options) {
	path := filepath.Join(s.dir, scanMark)
	err := os.WriteFile(path, []byte(scanOptions(o)), 0o600)
	if err == nil {
		err = os.Chtimes(path, began, began)
	}
	if err != nil {
		s.log.Warn("the time of the scan was not noted", "error", err)
	}
}

func scanOptions(o workspace.Options) string {
	return fmt.Sprintf("%d %q\n", o.MaxFileBytes, o.Exclude)
}

// ScannedAt returns when the last Update of any process began that has compared all files with the
// index; of several roots the earliest. It is zero if one of them has never been compared as a whole, or
// if the last one had other options of the workspace.
func (x *Set) ScannedAt() (at time.Time) {
	for i, s := range x.all() {
		path := filepath.Join(s.dir, scanMark)
		info, err := os.Stat(path)
		if err != nil || !x.complete(s) {
			return time.Time{}
		}
		if with, err := os.ReadFile(path); err != nil || string(with) != scanOptions(x.ws.Options()) {
			return time.Time{}
		}
		if began := info.ModTime(); i == 0 || began.Before(at) {
			at = began
		}
	}
	return at
}
