package current

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// NearestFiles returns the files that the turn sees whose names are most similar to path's.
func (f *Files) NearestFiles(ctx context.Context, path string) ([]any, error) {
	files, err := f.files(ctx)
	if err != nil {
		return nil, err
	}
	rank := func(file string) float64 {
		return wording.NameSimilarity(filepath.Base(path), filepath.Base(file)) * (1 + wording.NameSimilarity(path, file)/4)
	}
	return wording.AsCandidates(wording.Nearest(files, rank, wording.Candidates)), nil
}

// NearestFolders returns the workspace's folders whose names are most similar to dir's.
func (f *Files) NearestFolders(ctx context.Context, dir string) ([]any, error) {
	var folders []string
	for _, root := range f.Workspace.Roots() {
		folders = append(folders, root)
		err := f.Workspace.Walk(ctx, root, func(e workspace.Entry) error {
			last := folders[len(folders)-1]
			for folder := filepath.Dir(e.Path); folder != last && len(folder) > len(root); folder = filepath.Dir(folder) {
				folders = append(folders, folder)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for folders like %s: %w", dir, err)
		}
	}
	slices.Sort(folders)
	rank := func(folder string) float64 {
		return wording.NameSimilarity(filepath.Base(dir), filepath.Base(folder)) * (1 + wording.NameSimilarity(dir, folder)/4)
	}
	return wording.AsCandidates(wording.Nearest(slices.Compact(folders), rank, wording.Candidates)), nil
}
