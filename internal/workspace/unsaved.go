package workspace

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
)

// Unsaved returns the texts of open files below a folder that are other than on disk, as the files would store them, by
// their paths relative to the folder, with slashes. Of files that are skipped it returns none.
func (w *Workspace) Unsaved(ctx context.Context, dir string) map[string][]byte {
	unsaved := map[string][]byte{}
	below := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	for _, path := range w.Buffers() {
		rel, inside := strings.CutPrefix(path, below)
		file, open := w.Buffer(path)
		if !inside || !open {
			continue
		}
		text := file.Text
		if stored, err := w.ReadDisk(ctx, path, w.maxFileBytes.Load()); err == nil {
			saved, encoding, _ := decode(path, stored)
			if bytes.Equal(saved, text) {
				continue
			}
			if encoded, err := encoding.Encode(text); err == nil {
				text = encoded
			}
		}
		unsaved[filepath.ToSlash(rel)] = text
	}
	return unsaved
}
