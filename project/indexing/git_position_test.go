package indexing

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGitPosition compares the position of a repository, and of a worktree of it, before
// and after commands of git.
func TestGitPosition(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not installed")
	}
	main, linked := filepath.Join(t.TempDir(), "main"), filepath.Join(t.TempDir(), "linked")
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(dir, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(main, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if at := gitPosition(main); at != "" {
		t.Errorf("without a repository the position is %q", at)
	}
	git(main, "init", "-q", "-b", "main")
	write(main, "package a\n")
	git(main, "add", "a.go")
	git(main, "commit", "-qm", "one")
	git(main, "worktree", "add", "-q", "-b", "other", linked)

	for _, where := range []struct{ name, dir, ask string }{
		{"the repository", main, main}, {"a folder in it", main, filepath.Join(main, "deep")}, {"a worktree", linked, linked},
	} {
		at := gitPosition(where.ask)
		moved := func(what string, want bool) {
			t.Helper()
			now := gitPosition(where.ask)
			if (now != at) != want {
				t.Errorf("%s, %s: the position was %q and is %q", where.name, what, at, now)
			}
			at = now
		}
		moved("nothing", false)
		write(where.dir, "package "+filepath.Base(where.ask)+"\n")
		moved("a file was written", false)
		git(where.dir, "commit", "-qam", "two")
		moved("commit", true)
		git(where.dir, "log", "-1")
		moved("log", false)
		git(where.dir, "update-ref", "HEAD", "HEAD~1") // without git's index
		moved("update-ref", true)
		git(where.dir, "update-ref", "HEAD", "HEAD@{1}")
		moved("update-ref back", true)
		git(where.dir, "pack-refs", "--all")
		moved("pack-refs", true)
		git(where.dir, "reset", "-q", "--hard", "HEAD~1")
		moved("reset", true)
		git(where.dir, "checkout", "-q", "--detach", "HEAD")
		moved("checkout of the same commit", true)
		git(where.dir, "checkout", "-q", map[string]string{main: "main", linked: "other"}[where.dir])
		moved("checkout back", true)
	}
}

// TestGitPositionWithoutAFileForTheBranch changes a branch that stands in a file for many: a clone writes one, and so does
// git with reftables.
func TestGitPositionWithoutAFileForTheBranch(t *testing.T) {
	for _, name := range []string{"packed-refs", "reftable/tables.list"} {
		root := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			path := filepath.Join(root, ".git", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("HEAD", "ref: refs/heads/main\n")
		write(name, "one\n")
		before := gitPosition(root)
		write(name, "one and two\n")
		if after := gitPosition(root); after == before {
			t.Errorf("%s: the position is %q before and after", name, after)
		}
	}
}

// TestGitPositionOfStrangeRepositories asks where repositories are that nobody would make by
// accident. It must neither fail nor wait.
func TestGitPositionOfStrangeRepositories(t *testing.T) {
	for name, entries := range map[string]map[string]string{
		"an empty file":         {".git": ""},
		"a loop":                {".git": "gitdir: .git\n"},
		"a folder that is gone": {".git": "gitdir: /nowhere/at/all\n"},
		"a branch outside":      {".git/HEAD": "ref: ../../../../etc/passwd\n"},
		"no HEAD":               {".git/index": "DIRC"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range entries {
				path = filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if before, after := gitPosition(root), gitPosition(root); before != after {
				t.Errorf("the position is %q, and then %q", before, after)
			}
		})
	}
}
