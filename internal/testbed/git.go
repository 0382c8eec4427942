package testbed

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// GitMerge returns the result of git merge-file, and whether it had no conflicts.
func GitMerge(t testing.TB, base, ours, theirs string) (merged string, clean bool) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "merge-file", "--stdout", "ours", "base", "theirs")
	git.Dir = dir
	out, err := git.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 127) {
		t.Fatal(err)
	}
	return string(out), err == nil
}
