package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// otherLanguage runs some parts on a tree in another language.
func (b *bench) otherLanguage(ctx context.Context, _ *tree) error {
	t, err := b.otherTree(ctx)
	if err != nil {
		return err
	}
	b.report(t)
	for _, do := range []func(context.Context, *tree) error{b.cold, b.size, b.warm, b.query} {
		if err := do(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// otherTree returns the folder in -other, else Python's standard library without installed
// packages, else /usr/include.
func (b *bench) otherTree(ctx context.Context) (*tree, error) {
	if b.other != "" {
		dir, err := filepath.Abs(b.other)
		if err != nil {
			return nil, err
		}
		return b.survey(ctx, filepath.Base(dir), dir, nil)
	}
	out, err := exec.CommandContext(ctx, "python3", "-c", `import sysconfig; print(sysconfig.get_path("stdlib"))`).Output()
	dir := strings.TrimSpace(string(out))
	if _, serr := os.Stat(filepath.Join(dir, "os.py")); err != nil || serr != nil {
		return b.survey(ctx, "include", "/usr/include", nil)
	}
	library, err := b.survey(ctx, filepath.Base(dir), dir, []string{"site-packages/", "dist-packages/", "__pycache__/"})
	if err != nil {
		return nil, err
	}
	t, err := b.replicate(ctx, library, 1, 0)
	if err == nil {
		t.name = library.name
	}
	return t, err
}
