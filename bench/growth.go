package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// growth indexes generated trees of small files, of which each has ten times as many as the one
// before.
func (b *bench) growth(ctx context.Context, _ *tree) error {
	var first scaled
	for files := b.sampling.growFrom; files <= max(b.sampling.growFrom, b.growTo/b.sampling.growShare); files *= 10 {
		t, err := b.generate(ctx, files)
		if err != nil {
			return err
		}
		if err := b.scaledRows(ctx, t, &first, 1); err != nil {
			return err
		}
		if err := os.RemoveAll(t.dir); err != nil {
			return err
		}
	}
	return nil
}

// filesInFolder is how many of the generated files are in one folder.
const filesInFolder = 100

// generate creates a tree of small files.
func (b *bench) generate(ctx context.Context, files int) (*tree, error) {
	dir, err := os.MkdirTemp(b.temp, "many-")
	if err != nil {
		return nil, err
	}
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprintf("part%d", i/filesInFolder/filesInFolder),
			fmt.Sprintf("folder%d", i/filesInFolder))
		if i%filesInFolder == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, err
			}
		}
		text := fmt.Sprintf("package folder\n\n// Open%d opens a file and reads the error.\nfunc Open%d() error { return "+
			"step%d() }\n", i, i, i%977)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("file%d.go", i)), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return b.survey(ctx, fmt.Sprintf("%d small files", files), dir, nil)
}
