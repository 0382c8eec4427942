package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExcludesOfWorktrees reads info/exclude where .git is a file.
func TestExcludesOfWorktrees(t *testing.T) {
	for name, tt := range map[string]struct{ gitdir, commondir string }{
		"worktree":           {"ROOT/main/.git/worktrees/w", "../.."},
		"relative worktree":  {"../main/.git/worktrees/w", "../..\r\n"},
		"absolute commondir": {"../main/.git/worktrees/w", "ROOT/main/.git"},
		"submodule":          {"../main/.git", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			inRoot := func(text string) string {
				if rest, ok := cutRoot(text); ok {
					return root + rest
				}
				return text
			}
			files := map[string]string{"w/.git": "gitdir: " + inRoot(tt.gitdir) + "\n", "main/.git/info/exclude": "a\n"}
			if tt.commondir != "" {
				files["main/.git/worktrees/w/commondir"] = inRoot(tt.commondir) + "\n"
			}
			for file, text := range files {
				path := filepath.Join(root, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			top := filepath.Join(root, "w")
			if r := outerRules(NameRules{}, top); !r.ignores(filepath.Join(top, "a"), false) || r.ignores(filepath.Join(top, "b"), false) {
				t.Error("info/exclude is not read")
			}
		})
	}
}

func cutRoot(text string) (rest string, ok bool) {
	if len(text) > 4 && text[:4] == "ROOT" {
		return text[4:], true
	}
	return "", false
}
