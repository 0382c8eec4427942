package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestExcludesOfThePerson compares with what git leaves out of a repository. In texts, HOME stands for the person's home folder.
func TestExcludesOfThePerson(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed: ", err)
	}
	const set = "[core]\n\texcludesFile = ~/my ignores\n"
	for name, tt := range map[string]struct {
		files map[string]string // of the home folder; those below w/ are the repository
		env   map[string]string
		left  string // out of a, b, c and d
	}{
		"none":                      {left: ""},
		"git/ignore":                {files: map[string]string{".config/git/ignore": "\uFEFFa\nb\r\n"}, left: "a b"},
		"XDG_CONFIG_HOME":           {files: map[string]string{"xdg/git/ignore": "a\n", ".config/git/ignore": "b\n"}, env: map[string]string{"XDG_CONFIG_HOME": "HOME/xdg"}, left: "a"},
		"excludesFile":              {files: map[string]string{".gitconfig": set, "my ignores": "a\n", ".config/git/ignore": "b\n"}, left: "a"},
		"in capitals, with comment": {files: map[string]string{".gitconfig": "# x\n[CORE] EXCLUDESFILE=\"~/my ignores\" ; here\n", "my ignores": "a\n"}, left: "a"},
		"absolute":                  {files: map[string]string{".gitconfig": "[core]\nexcludesfile = HOME/my\\\\ \\\n ignores\n", "my\\  ignores": "a\n"}, left: "a"},
		"quoted in part":            {files: map[string]string{".gitconfig": "[core]\nexcludesfile = ~/my\" \"ignores   \n", "my ignores": "a\n"}, left: "a"},
		"empty":                     {files: map[string]string{".gitconfig": "[core]\nexcludesFile =\n", ".config/git/ignore": "b\n"}, left: ""},
		"there is none":             {files: map[string]string{".gitconfig": "[core]\nexcludesFile = ~/gone\n", ".config/git/ignore": "b\n"}, left: ""},
		"another section":           {files: map[string]string{".gitconfig": "[core \"x\"]\nexcludesFile = ~/my ignores\n[other]\nexcludesFile = ~/my ignores\n", "my ignores": "a\n"}, left: ""},
		"the last counts":           {files: map[string]string{".gitconfig": "[core]\nexcludesFile = ~/x\nexcludesFile = ~/my ignores\n", "my ignores": "a\n", "x": "b\n"}, left: "a"},
		"config in XDG":             {files: map[string]string{".config/git/config": "\uFEFF" + set, "my ignores": "a\n"}, left: "a"},
		"both configs":              {files: map[string]string{".config/git/config": "[core]\nexcludesFile = ~/x\n", ".gitconfig": set, "my ignores": "a\n", "x": "b\n"}, left: "a"},
		"of the repository":         {files: map[string]string{".gitconfig": "[core]\nexcludesFile = ~/x\n", "w/.git/config": set, "my ignores": "a\n", "x": "b\n"}, left: "a"},
		"relative":                  {files: map[string]string{"w/.git/config": "[core]\nexcludesFile = .git/mine\n", "w/.git/mine": "a\n"}, left: "a"},
		"included":                  {files: map[string]string{".gitconfig": "[include]\npath = more\n", "more": set, "my ignores": "a\n"}, left: "a"},
		"included in a circle":      {files: map[string]string{".gitconfig": set, "my ignores": "a\n"}, left: "a"},
		"GIT_CONFIG_GLOBAL":         {files: map[string]string{"other": set, ".gitconfig": "[core]\nexcludesFile = ~/x\n", "my ignores": "a\n", "x": "b\n"}, env: map[string]string{"GIT_CONFIG_GLOBAL": "HOME/other"}, left: "a"},
		"info/exclude is stronger":  {files: map[string]string{".config/git/ignore": "a\nb\n", "w/.git/info/exclude": "!a\nc\n"}, left: "b c"},
		".gitignore is stronger":    {files: map[string]string{".config/git/ignore": "a\nb\n", "w/.git/info/exclude": "c\nd\n", "w/.gitignore": "!a\n!c\n"}, left: "b d"},
		"folders and anchors":       {files: map[string]string{".config/git/ignore": "/sub/a\n/b\nd/\n"}, left: "b sub/a"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			inHome := strings.NewReplacer("HOME", filepath.ToSlash(home)).Replace
			for key, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": "", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "0"} {
				t.Setenv(key, value)
			}
			t.Setenv("GIT_CONFIG_GLOBAL", "")
			os.Unsetenv("GIT_CONFIG_GLOBAL")
			for key, value := range tt.env {
				t.Setenv(key, inHome(value))
			}
			root := filepath.Join(home, "w")
			git := func(args ...string) string {
				out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
				if err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
				return string(out)
			}
			if err := os.Mkdir(root, 0o700); err != nil {
				t.Fatal(err)
			}
			git("init", "-q")
			for file, text := range tt.files {
				appendFile(t, filepath.Join(home, filepath.FromSlash(file)), inHome(text))
			}
			all := []string{"a", "b", "c", "d", "sub/a", "sub/b"}
			for _, file := range all {
				appendFile(t, filepath.Join(root, filepath.FromSlash(file)), "")
			}
			visited := rels(walk(t, open(t, Options{}, root), root))
			shown := strings.Fields(git("ls-files", "--others", "--exclude-standard"))
			if diff := cmp.Diff(shown, visited, cmpopts.SortSlices(strings.Compare), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-git +Walk:\n%s", diff)
			}
			for _, file := range strings.Fields(tt.left) {
				if slices.Contains(visited, file) {
					t.Errorf("%s is visited", file)
				}
			}
		})
	}
}

// appendFile adds text to a file, which it makes.
func appendFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(before, text...), 0o600); err != nil {
		t.Fatal(err)
	}
}
