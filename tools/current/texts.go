package current

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/trial"
)

// Texts returns what the turn sees of the files below a folder that differs from what is on disk:
// what is proposed, and what is unsaved in an editor.
func (f *Files) Texts(ctx context.Context, folder string) (texts []trial.Text, err error) {
	touched, err := f.Touched(ctx)
	if err != nil {
		return nil, err
	}
	paths := append(touched, f.Workspace.Buffers()...)
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		rel, err := filepath.Rel(folder, path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		text := trial.Text{Path: filepath.ToSlash(rel)}
		file, err := f.View.Read(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			text.Gone = true
		case err != nil:
			return nil, err
		default:
			if text.Data, err = file.Encode(file.Text); err != nil {
				return nil, err
			}
		}
		texts = append(texts, text)
	}
	return texts, nil
}
