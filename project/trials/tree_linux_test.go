package trials

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestWhatGitNamesIsRead gives the files that name git's folders no end, or too much text.
func TestWhatGitNamesIsRead(t *testing.T) {
	for _, tc := range []struct {
		spoiled string
		want    int
	}{
		{"", 2},
		{".git", 0},
		{"own/worktrees/a/gitdir", 0},
		{"own/worktrees/a/commondir", 1},
	} {
		for name, spoil := range map[string]func(path string) error{
			"a pipe":        func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"a sparse file": func(path string) error { return os.Truncate(path, 3<<30) },
			"nothing":       func(string) error { return nil },
		} {
			folder, err := filepath.EvalSymlinks(t.TempDir())
			own := filepath.Join(folder, "own/worktrees/a")
			for path, text := range map[string]string{
				filepath.Join(folder, ".git"):   "gitdir: own/worktrees/a\n",
				filepath.Join(own, "gitdir"):    filepath.Join(folder, ".git") + "\n",
				filepath.Join(own, "commondir"): "../..\n",
			} {
				err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
			}
			if tc.spoiled != "" {
				path := filepath.Join(folder, tc.spoiled)
				if name != "a sparse file" {
					err = errors.Join(err, os.Remove(path))
				}
				err = errors.Join(err, spoil(path))
			}
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			testbed.Returns(t, func() { found = gitFolders(folder) }, "looking for git's folders")
			if len(found) != tc.want {
				t.Errorf("%s as %q: %q", name, tc.spoiled, found)
			}
		}
	}
}

// TestOnlyItsOwnRepositoryIsNamed has files of a workspace that name the folders of others, such as one with keys.
func TestOnlyItsOwnRepositoryIsNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		gitdir, commondir string
		want              int
	}{
		"its own":                    {"{folder}/.git", "../..", 2},
		"that of another tree":       {"/elsewhere/.git", "../..", 0},
		"another one":                {"{folder}/.git", "{other}", 1},
		"the folder around":          {"{folder}/.git", "../../..", 1},
		"nothing":                    {"", "", 0},
		"a repository without files": {"{folder}/.git", "", 1},
	} {
		folder, err := filepath.EvalSymlinks(t.TempDir())
		own := filepath.Join(folder, "own/worktrees/a")
		real := strings.NewReplacer("{folder}", folder, "{other}", t.TempDir())
		for path, text := range map[string]string{
			filepath.Join(folder, ".git"): "gitdir: own/worktrees/a", filepath.Join(own, "gitdir"): tt.gitdir, filepath.Join(own, "commondir"): tt.commondir,
		} {
			err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(real.Replace(text)+"\n"), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		if found := gitFolders(folder); len(found) != tt.want {
			t.Errorf("%s: %q", name, found)
		}
	}
}
